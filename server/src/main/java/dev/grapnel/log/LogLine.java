package dev.grapnel.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.grapnel.config.LogLevels;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/// What an event looks like: time, level, who, a phrase with key=value, in one line. The stack of a failure
/// follows, each line of it behind a tab, so that a line that begins with a time was never written by a
/// stranger.
final class LogLine {
    /// Lines of one stack, and causes of one failure, at most.
    static final int FRAMES_MAX = 200;

    static final int CAUSES_MAX = 10;

    private static final String OWN = LogLevels.ROOT + ".";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final StringBuilder out = new StringBuilder(256);

    private LogLine() {}

    /// All lines of an event.
    static String of(ILoggingEvent event) {
        var line = new LogLine();
        line.appendHead(event);
        Optional.ofNullable(event.getThrowableProxy()).ifPresent(failure -> line.appendFailure(failure, "", 0));
        return line.out.toString();
    }

    private void appendHead(ILoggingEvent event) {
        TIME.formatTo(event.getInstant(), out);
        out.append(' ').append("%-5s".formatted(event.getLevel())).append(' ');
        out.append(shortName(event.getLoggerName())).append(' ');
        out.append(SafeText.of(String.valueOf(event.getFormattedMessage())));
        Optional.ofNullable(event.getKeyValuePairs()).ifPresent(pairs -> pairs.forEach(this::append));
        out.append('\n');
    }

    static String shortName(String logger) {
        return logger.startsWith(OWN) ? logger.substring(OWN.length()) : logger;
    }

    private void append(KeyValuePair pair) {
        out.append(' ').append(SafeText.of(pair.key)).append('=').append(SafeText.of(String.valueOf(pair.value)));
    }

    private void appendFailure(IThrowableProxy failure, String word, int depth) {
        out.append('\t').append(word).append(SafeText.of(failure.getClassName()));
        Optional.ofNullable(failure.getMessage())
                .ifPresent(message -> out.append(": ").append(SafeText.of(message)));
        out.append('\n');
        if (failure.isCyclic()) {
            return; // it was written above
        }
        var frames = failure.getStackTraceElementProxyArray();
        int own = frames.length - failure.getCommonFrames();
        int shown = Math.min(own, FRAMES_MAX);
        for (int i = 0; i < shown; i++) {
            out.append('\t').append(SafeText.of(frames[i].getSTEAsString())).append('\n');
        }
        if (shown < frames.length) {
            out.append("\t... ").append(frames.length - shown).append(" more\n");
        }
        appendOthers(failure, depth + 1);
    }

    private void appendOthers(IThrowableProxy failure, int depth) {
        if (depth > CAUSES_MAX) {
            return;
        }
        for (var suppressed : failure.getSuppressed()) {
            appendFailure(suppressed, "suppressed: ", depth);
        }
        Optional.ofNullable(failure.getCause()).ifPresent(cause -> appendFailure(cause, "caused by: ", depth));
    }
}
