package dev.grapnel.store.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Threads that work on the same store until the time is over or one of them finds something wrong. Platform
/// threads: busy virtual ones would not let each other go on.
final class Crew {
    /// One thread's work.
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> problems = new ConcurrentLinkedQueue<>();
    private final long until;
    private final CountDownLatch over = new CountDownLatch(1);

    Crew(Duration time) {
        until = System.nanoTime() + time.toNanos();
    }

    boolean goesOn() {
        return over.getCount() > 0 && System.nanoTime() - until < 0;
    }

    /// Lets the others go on for a while, if they do.
    void rest(Duration time) throws InterruptedException {
        over.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Does the work once.
    void add(String name, Work work) {
        threads.add(Thread.ofPlatform().name(name).start(() -> {
            try {
                work.run();
            } catch (Exception | AssertionError e) {
                problems.add(new AssertionError(name + " found: " + e, e));
                over.countDown();
            }
        }));
    }

    /// Does the work again and again.
    void repeat(String name, Work work) {
        add(name, () -> {
            while (goesOn()) {
                work.run();
            }
        });
    }

    /// Waits for one thread, then ends the others.
    void endWith(String name) throws InterruptedException {
        for (var thread : threads) {
            if (thread.getName().equals(name)) {
                thread.join();
            }
        }
        over.countDown();
        join();
    }

    /// Waits for everybody.
    void join() throws InterruptedException {
        for (var thread : threads) {
            thread.join();
        }
        var first = problems.peek();
        if (first != null) {
            throw new AssertionError(problems.size() + " problems, the first of them: " + first.getMessage(), first);
        }
    }
}
