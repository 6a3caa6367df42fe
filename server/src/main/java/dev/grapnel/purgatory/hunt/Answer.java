package dev.grapnel.purgatory.hunt;

import java.time.Instant;

/// What a URL answered last.
///
/// @param result `ok` or the kind of failure
/// @param oids how many needed objects came
public record Answer(String url, Instant at, String result, int oids) {}
