package dev.grapnel.git.repository;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.time.Instant;

/// A repository that was put aside and can be brought back.
///
/// @param id tells apart what lay at one address at different times
/// @param address where it lay
/// @param time when it was put aside
public record Trashed(String id, RepositoryAddress address, Instant time) {}
