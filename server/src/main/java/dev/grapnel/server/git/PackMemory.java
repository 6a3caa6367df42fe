package dev.grapnel.server.git;

import dev.grapnel.git.fetch.PackBudget;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Memory for lists of the objects that packs in the making consist of. They stay until the client has read
/// the last byte, however slowly, so that many of them could fill the heap.
///
/// What one address holds is bounded, too, so that others have some left. Whoever holds nothing gets what it
/// needs if it is there, even if that is all there is.
final class PackMemory {
    private final long most;
    private final long mostPerAddress;
    private final long mostOfOne;
    private final AddressLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<ClientAddress, Long> held = new HashMap<>();
    private long used;

    /// @param most bytes of all together; half of it for one address
    /// @param mostOfOne beyond which one is given up
    /// @param limits says who is exempt
    PackMemory(long most, long mostOfOne, AddressLimits limits) {
        this.most = most;
        this.mostPerAddress = most / 2;
        this.mostOfOne = mostOfOne;
        this.limits = limits;
    }

    /// Takes some, until it is given back; empty if there is none for long.
    ///
    /// @param bytes of which no more than all are counted
    /// @param patience how long one waits for others to need less
    Optional<Held> take(ClientAddress address, long bytes, Duration patience) {
        long wanted = Math.min(bytes, most);
        var counted = address.counted();
        lock.lock();
        try {
            long left = patience.toNanos();
            while (!fits(counted, wanted)) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = freed.awaitNanos(left);
            }
            return Optional.of(new Held(counted, wanted));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the server stops
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(ClientAddress counted, long wanted) {
        long own = held.getOrDefault(counted, 0L);
        boolean isFair = own == 0 || own + wanted <= mostPerAddress || limits.isExempt(counted);
        return isFair && used + wanted <= most;
    }

    private void change(ClientAddress counted, long by) {
        used += by;
        held.merge(counted, by, (before, more) -> before + more == 0 ? null : before + more);
        if (by < 0) {
            freed.signalAll();
        }
    }

    /// What somebody holds.
    final class Held implements PackBudget, AutoCloseable {
        private final ClientAddress counted;
        private long bytes;

        private Held(ClientAddress counted, long bytes) {
            this.counted = counted;
            this.bytes = bytes;
            change(counted, bytes);
        }

        @Override
        public long most() {
            return mostOfOne;
        }

        @Override
        public void shrinkTo(long needed) {
            lock.lock();
            try {
                long less = Math.min(bytes, needed);
                change(counted, less - bytes);
                bytes = less;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            shrinkTo(0);
        }
    }
}
