package dev.grapnel.server.address;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// How much of something that is limited for all one address may hold at the same time, so that others have
/// some left. Those who hold nothing are not remembered.
public final class Shares {
    private final int most;
    private final AddressLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ClientAddress, Integer> held = new HashMap<>();

    /// @param most that one address may hold
    /// @param limits says who is exempt
    public Shares(int most, AddressLimits limits) {
        this.most = most;
        this.limits = limits;
    }

    /// One more, until it is closed; empty if the address has its share already.
    public Optional<Share> take(ClientAddress address) {
        if (limits.isExempt(address)) {
            return Optional.of(() -> {});
        }
        var counted = address.counted();
        lock.lock();
        try {
            int now = held.getOrDefault(counted, 0);
            if (now >= most) {
                return Optional.empty();
            }
            held.put(counted, now + 1);
            return Optional.of(() -> giveBack(counted));
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(ClientAddress counted) {
        lock.lock();
        try {
            held.computeIfPresent(counted, (_, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }

    /// Something that is held. Closed once.
    public interface Share extends AutoCloseable {
        @Override
        void close();
    }
}
