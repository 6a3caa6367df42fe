package dev.grapnel.git.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until it is told otherwise.
final class ManualTime implements InstantSource {
    private Instant now;

    ManualTime(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }
}
