package dev.grapnel.server.address;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// How often each address may ask for something that needs no connection to be kept.
///
/// Addresses are remembered while they have something to tell, and never more than a number; beyond, the
/// one unused for longest starts afresh.
public final class RequestRates {
    private static final int FORGOTTEN_AT_ONCE = 4;

    private final Rate rate;
    private final AddressLimits limits;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<ClientAddress, Bucket> buckets = new LinkedHashMap<>();

    /// @param limits says who is exempt, and how many are remembered
    public RequestRates(Rate rate, AddressLimits limits, LongSupplier nanoTime) {
        this.rate = rate;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /// Counts a request; if it is one too many, how long to wait.
    public Optional<Duration> take(ClientAddress address) {
        if (limits.isExempt(address)) {
            return Optional.empty();
        }
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            forgetRested(now);
            var known = buckets.get(address.counted());
            var bucket = known == null ? new Bucket(rate, now) : known;
            buckets.putLast(address.counted(), bucket);
            if (buckets.size() > limits.rememberedMax()) {
                buckets.pollFirstEntry();
            }
            return bucket.take(now) ? Optional.empty() : Optional.of(bucket.untilNext(now));
        } finally {
            lock.unlock();
        }
    }

    private void forgetRested(long now) {
        for (int i = 0; i < FORGOTTEN_AT_ONCE; i++) {
            var first = buckets.firstEntry();
            if (first == null || !first.getValue().isFull(now)) {
                return;
            }
            buckets.pollFirstEntry();
        }
    }
}
