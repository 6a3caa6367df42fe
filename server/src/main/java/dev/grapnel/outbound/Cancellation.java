package dev.grapnel.outbound;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// A wish to end everything that belongs together, from any thread and at once. One covers as many conversations
/// as one likes, one after the other or beside each other; cancelled it stays.
public final class Cancellation {
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Watch> running = new LinkedHashSet<>();
    private boolean isCancelled;

    /// Ends what runs and whatever begins later. Returns without waiting for it.
    public void cancel() {
        for (var watch : takeAll()) {
            watch.stop(new Failure.Cancelled());
        }
    }

    /// Whether somebody asked for it.
    public boolean isCancelled() {
        lock.lock();
        try {
            return isCancelled;
        } finally {
            lock.unlock();
        }
    }

    private List<Watch> takeAll() {
        lock.lock();
        try {
            isCancelled = true;
            var all = new ArrayList<>(running);
            running.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /// Adds a conversation; `false` if it is too late for it.
    boolean add(Watch watch) {
        lock.lock();
        try {
            return !isCancelled && running.add(watch);
        } finally {
            lock.unlock();
        }
    }

    void remove(Watch watch) {
        lock.lock();
        try {
            running.remove(watch);
        } finally {
            lock.unlock();
        }
    }
}
