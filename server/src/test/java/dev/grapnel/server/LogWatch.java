package dev.grapnel.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Listens to what a package logs.
public final class LogWatch implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

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

    /// Level and text of every line that begins like this.
    public List<String> lines(String beginning) {
        synchronized (appender) {
            return List.copyOf(appender.list).stream()
                    .filter(event -> event.getFormattedMessage().startsWith(beginning))
                    .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                    .toList();
        }
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
