package dev.grapnel.sync;

import java.time.Instant;

/// Something a relay did that it should not have, in plain words that follow its name. None of them are the relay's
/// own.
///
/// @param count how often, since nobody remembers when before `firstAt`
public record Trouble(String words, long count, Instant firstAt, Instant lastAt) {
    Trouble again(Instant now) {
        return new Trouble(words, count + 1, firstAt, now);
    }
}
