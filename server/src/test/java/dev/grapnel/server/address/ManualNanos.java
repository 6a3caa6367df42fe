package dev.grapnel.server.address;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// A clock that stands still until told, and begins shortly before its numbers overflow.
final class ManualNanos implements LongSupplier {
    private final AtomicLong now =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(3).toNanos());

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration by) {
        now.addAndGet(by.toNanos());
    }
}
