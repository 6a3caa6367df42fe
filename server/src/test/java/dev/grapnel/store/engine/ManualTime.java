package dev.grapnel.store.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that moves when told to.
public final class ManualTime implements InstantSource {
    private volatile Instant now;

    public ManualTime(long second) {
        now = Instant.ofEpochSecond(second);
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }
}
