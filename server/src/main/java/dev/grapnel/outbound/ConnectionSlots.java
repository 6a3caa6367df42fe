package dev.grapnel.outbound;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/// How many connections lead to one machine at once (P-654): many names for one address do not multiply its
/// share. Nobody waits for a place. Machines without a connection are not remembered.
public final class ConnectionSlots implements Slots {
    private final IntSupplier max;
    private final Runnable freed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> taken = new HashMap<>();

    /// @param max connections to one machine; asked each time, because it may change at run time
    /// @param freed told after a place became free (P-647), by the thread that gave it back
    public ConnectionSlots(IntSupplier max, Runnable freed) {
        this.max = max;
        this.freed = freed;
    }

    /// IPv4 addresses inside others are the machine that is meant.
    static String machine(InetAddress address) {
        return AddressRanges.judged(address).getHostAddress();
    }

    @Override
    public Optional<Slot> tryTake(InetAddress address) {
        return tryTake(machine(address));
    }

    @Override
    public Optional<Slot> tryTake(String machine) {
        lock.lock();
        try {
            int count = taken.getOrDefault(machine, 0);
            if (count >= max.getAsInt()) {
                return Optional.empty();
            }
            taken.put(machine, count + 1);
            return Optional.of(new Taken(machine));
        } finally {
            lock.unlock();
        }
    }

    /// Places that are taken, over all machines.
    public int inUse() {
        lock.lock();
        try {
            return taken.values().stream().mapToInt(Integer::intValue).sum();
        } finally {
            lock.unlock();
        }
    }

    private final class Taken implements Slot {
        private final String machine;
        private boolean isReturned;

        Taken(String machine) {
            this.machine = machine;
        }

        @Override
        public void close() {
            if (giveBack()) {
                freed.run();
            }
        }

        private boolean giveBack() {
            lock.lock();
            try {
                if (isReturned) {
                    return false;
                }
                isReturned = true;
                taken.computeIfPresent(machine, (_, count) -> count == 1 ? null : count - 1);
                return true;
            } finally {
                lock.unlock();
            }
        }
    }
}
