package dev.grapnel.store.row;

import java.time.Instant;

/// Something a relay can or cannot do, found out by asking: a limit or a verdict (sync R1.7).
///
/// @param name what, in sync's own words
/// @param value how much
/// @param until when it is forgotten
public record LearnedLimit(String name, long value, Instant until) {
    /// @throws IllegalArgumentException if the name is none
    public LearnedLimit {
        Checks.text("a learned limit", name);
        until = Millis.of(until);
    }
}
