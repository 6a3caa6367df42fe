package dev.grapnel.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/// Listens to what a package logs. Lines may be written by threads of their own, so whoever reads them says how
/// many there must be.
public final class LogWatch implements AutoCloseable {
    private static final long PATIENCE = Duration.ofSeconds(20).toNanos();

    private final Logger logger;
    private final Level before;
    private final Lines appender = new Lines();

    private LogWatch(Logger logger) {
        this.logger = logger;
        this.before = logger.getEffectiveLevel();
    }

    /// Everything from now on.
    public static LogWatch on(String name) {
        var watch = new LogWatch((Logger) LoggerFactory.getLogger(name));
        watch.appender.start();
        watch.logger.setLevel(Level.DEBUG);
        watch.logger.setAdditive(false);
        watch.logger.addAppender(watch.appender);
        return watch;
    }

    /// Level and text of every line that begins like this, as soon as there are so many.
    public List<String> lines(String beginning, int count) throws InterruptedException {
        return appender.await(beginning, count);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new ArrayList<>();

        @Override
        protected synchronized void append(ILoggingEvent event) {
            events.add(event);
            notifyAll();
        }

        synchronized List<String> await(String beginning, int count) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE;
            var found = beginning(beginning);
            for (long left = PATIENCE; found.size() < count && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                found = beginning(beginning);
            }
            return found;
        }

        private List<String> beginning(String beginning) {
            return events.stream()
                    .filter(event -> event.getFormattedMessage().startsWith(beginning))
                    .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                    .toList();
        }
    }
}
