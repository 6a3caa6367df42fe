package dev.grapnel.command;

import java.util.concurrent.CountDownLatch;

/// Lets a command end by itself when the process is told to end (Ctrl-C, SIGTERM): the process waits until the
/// command is closed, then ends with the exit code that belongs to the signal.
final class StopSignal implements AutoCloseable {
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("stop-signal").unstarted(this::stop);
    private volatile boolean isGiven;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        isGiven = true;
        try {
            finished.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then the process ends at once
        }
    }

    boolean isGiven() {
        return isGiven;
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the process is ending, which is what the hook waited for
        }
    }
}
