package dev.grapnel.server.ops;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The last resort of every thread: what nobody caught is told and counted, never lost.
public final class UncaughtErrors implements Thread.UncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UncaughtErrors.class);

    private final Metrics metrics;

    public UncaughtErrors(Metrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        metrics.uncaught(); // first, because the log may be what fails
        LOG.error("thread ended unexpectedly thread={}", thread.getName(), failure);
    }
}
