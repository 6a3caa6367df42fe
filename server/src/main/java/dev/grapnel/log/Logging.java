package dev.grapnel.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.grapnel.config.LogLevels;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log of this process.
public final class Logging {
    private static final Logger LOG = LoggerFactory.getLogger(Logging.class);

    /// Whoever looks for an object in the moment in which maintenance replaces packs finds it elsewhere, and
    /// this library tells of each such moment with a stack trace. What really cannot be read fails a request,
    /// which is logged; an operator who wants to see more can name this logger.
    private static final String PACKS_OF_JGIT = "org.eclipse.jgit.internal.storage.file.PackDirectory";

    private final LoggerContext context;
    private final LogLevels levels;
    private LogLevels.Level level;

    private Logging(LoggerContext context, LogLevels levels) {
        this.context = context;
        this.levels = levels;
        this.level = configured();
    }

    /// Sends the log to a stream, usually standard error, in place of what was before.
    public static Logging start(LogLevels levels, OutputStream out) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        new NoConfiguration().configure(context);
        var logging = new Logging(context, levels);
        context.getLogger(PACKS_OF_JGIT).setLevel(Level.OFF);
        levels.loggers().forEach(logging::set);
        var appender = new LineAppender(out);
        appender.setContext(context);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        return logging;
    }

    /// The level of Grapnel's own loggers that have none of their own.
    public synchronized LogLevels.Level level() {
        return level;
    }

    /// Goes on to the next finer level, from the finest back to the configured one, and logs which it is.
    public synchronized void step() {
        level = next(level);
        set(LogLevels.ROOT, level);
        LOG.atLevel(level.compareTo(LogLevels.Level.INFO) < 0 ? slf4j(level) : org.slf4j.event.Level.INFO)
                .log("log level changed level={}", level.word());
    }

    /// A list may name Grapnel itself.
    private LogLevels.Level configured() {
        return levels.loggers().getOrDefault(LogLevels.ROOT, levels.own());
    }

    private LogLevels.Level next(LogLevels.Level now) {
        return switch (now) {
            case ERROR -> LogLevels.Level.WARN;
            case WARN -> LogLevels.Level.INFO;
            case INFO -> LogLevels.Level.DEBUG;
            case DEBUG -> LogLevels.Level.TRACE;
            case TRACE -> configured();
        };
    }

    private void set(String logger, LogLevels.Level wanted) {
        context.getLogger(logger).setLevel(Level.toLevel(wanted.name()));
    }

    private static org.slf4j.event.Level slf4j(LogLevels.Level wanted) {
        return org.slf4j.event.Level.valueOf(wanted.name());
    }
}
