package dev.grapnel.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/// What a line looks like, and what strangers cannot do to it.
final class LogLineTest {
    private static LoggingEvent event(
            String logger, Level level, @Nullable Throwable failure, String phrase, Object... arguments) {
        var event = new LoggingEvent("", new LoggerContext().getLogger(logger), level, phrase, failure, arguments);
        event.setInstant(Instant.parse("2026-01-02T03:04:05.067890Z"));
        return event;
    }

    private static String line(String phrase, Object... arguments) {
        var text = LogLine.of(event("dev.grapnel.store.Writer", Level.INFO, null, phrase, arguments));
        return text.substring("2026-01-02T03:04:05.067Z INFO  store.Writer ".length());
    }

    @Test
    void lineHasTimeLevelNameAndPhrase() {
        assertEquals(
                "2026-01-02T03:04:05.067Z WARN  store.engine.TableStore push refused repo=a reason=b\n",
                LogLine.of(event(
                        "dev.grapnel.store.engine.TableStore",
                        Level.WARN,
                        null,
                        "push refused repo={} reason={}",
                        "a",
                        "b")));
        assertEquals(
                "2026-01-02T03:04:05.067Z ERROR org.eclipse.jetty.server.Server stopped\n",
                LogLine.of(event("org.eclipse.jetty.server.Server", Level.ERROR, null, "stopped")));
    }

    @Test
    void keysAndValuesOfTheirOwnFollowThePhrase() {
        var event = event("x", Level.INFO, null, "connected");
        event.addKeyValuePair(new KeyValuePair("address", "::1"));
        event.addKeyValuePair(new KeyValuePair("name\n", "a\nb"));
        assertEquals("2026-01-02T03:04:05.067Z INFO  x connected address=::1 name\\n=a\\nb\n", LogLine.of(event));
    }

    @Test
    void strangersNeitherBeginLinesNorMoveTheCursor() {
        assertEquals(
                "refused reason=a\\n2026-01-01T00:00:00.000Z ERROR x\\r\\t\\u001b[2J\\u0000\\u007f\\u009b\\u2028\n",
                line("refused reason={}", "a\n2026-01-01T00:00:00.000Z ERROR x\r\t\u001b[2J\0\u007f\u009b\u2028"));
        assertEquals("a\\u202eb\\u200bc\\u2069\n", line("a\u202eb\u200bc\u2069"));
        assertEquals("\\ud800 \\udc00 \\udb40\\udc41\n", line("{}", "\ud800 \udc00 \udb40\udc41"));
        assertEquals("Größe 🚀 日本\n", line("{}", "Größe 🚀 日本"));
    }

    @Test
    void lineHasAnEnd() {
        var text = line("{}", "x".repeat(SafeText.LENGTH_MAX + 5));
        assertEquals("x".repeat(SafeText.LENGTH_MAX) + "... (5 more)\n", text);
        var cut = line("{}", "x".repeat(SafeText.LENGTH_MAX - 1) + "🚀");
        assertEquals("x".repeat(SafeText.LENGTH_MAX - 1) + "\\ud83d... (1 more)\n", cut);
    }

    @Test
    void stackStandsBehindItsLineAndIsIndented() {
        var cause = new IllegalStateException("b\n\tat x");
        var failure = new RuntimeException("a\nb", cause);
        failure.addSuppressed(new Error());
        var lines =
                LogLine.of(event("x", Level.ERROR, failure, "failed")).lines().toList();
        assertEquals("2026-01-02T03:04:05.067Z ERROR x failed", lines.get(0));
        assertEquals("\tjava.lang.RuntimeException: a\\nb", lines.get(1));
        assertTrue(lines.get(2).startsWith("\tat dev.grapnel.log.LogLineTest."), lines.get(2));
        assertTrue(lines.contains("\tsuppressed: java.lang.Error"), lines.toString());
        assertTrue(lines.contains("\tcaused by: java.lang.IllegalStateException: b\\n\\tat x"), lines.toString());
        assertTrue(lines.stream().skip(1).allMatch(line -> line.startsWith("\t")), lines.toString());
    }

    @Test
    void longStacksAndLongChainsHaveAnEnd() {
        Throwable failure = deep(1_000);
        for (int i = 0; i < 100; i++) {
            failure = new RuntimeException("outer " + i, failure);
        }
        var ofChain =
                LogLine.of(event("x", Level.ERROR, failure, "failed")).lines().toList();
        assertEquals(
                LogLine.CAUSES_MAX,
                ofChain.stream()
                        .filter(line -> line.startsWith("\tcaused by: "))
                        .count());
        var ofStack = LogLine.of(event("x", Level.ERROR, deep(1_000), "failed"))
                .lines()
                .toList();
        assertEquals(LogLine.FRAMES_MAX + 3, ofStack.size());
        assertTrue(ofStack.getLast().endsWith(" more"), ofStack.getLast());
    }

    private static RuntimeException deep(int depth) {
        return depth == 0 ? new RuntimeException("deep") : deep(depth - 1);
    }
}
