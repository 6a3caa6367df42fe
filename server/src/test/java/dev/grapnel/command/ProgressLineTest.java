package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.store.tool.ImportProgress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ProgressLineTest {
    private final StringWriter text = new StringWriter();
    private long now;

    private ProgressLine line(boolean isBar) {
        return new ProgressLine(new PrintWriter(text), isBar, () -> now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void withoutATerminalItSpeaksEveryTenSecondsOrHundredThousandEvents() {
        var line = line(false);
        pass(Duration.ofSeconds(9));
        line.show(new ImportProgress(10, 0, OptionalLong.empty(), 1_000, 0));
        assertEquals("", text.toString());
        pass(Duration.ofSeconds(1));
        line.show(new ImportProgress(2_048, 0, OptionalLong.empty(), 1_000, 0));
        line.show(new ImportProgress(4_096, 0, OptionalLong.of(8_192), 100_999, 0));
        line.show(new ImportProgress(4_096, 0, OptionalLong.of(8_192), 101_000, 7));
        assertEquals("""
                grapnel: 2.0 KiB, 1,000 events (100/s)
                grapnel: 4.0 KiB of 8.0 KiB, 101,000 events (10,100/s), 7 refused, 0:10 left
                """, text.toString());
    }

    @Test
    void whatAnEarlierImportDidTookNoTime() {
        var line = line(false);
        pass(Duration.ofSeconds(10));
        line.show(new ImportProgress(4_096, 2_048, OptionalLong.of(8_192), 1_000, 0));
        assertEquals("grapnel: 4.0 KiB of 8.0 KiB, 1,000 events (100/s), 0:20 left\n", text.toString());
    }

    @Test
    void onATerminalOneLineChangesFiveTimesASecond() {
        var line = line(true);
        pass(Duration.ofMillis(199));
        line.show(new ImportProgress(1, 0, OptionalLong.of(4), 1, 0));
        assertEquals("", text.toString());
        pass(Duration.ofMillis(1));
        line.show(new ImportProgress(1, 0, OptionalLong.of(4), 1, 0));
        pass(Duration.ofMillis(200));
        line.show(new ImportProgress(4, 0, OptionalLong.of(4), 4, 0));
        line.clear();
        var first = "1 byte of 4 bytes, 1 event (5/s), 0:00 left";
        var second = "4 bytes of 4 bytes, 4 events (10/s), 0:00 left";
        assertEquals(
                "\r[" + "#".repeat(6) + " ".repeat(18) + "] " + first + "\r[" + "#".repeat(24) + "] " + second + "\r"
                        + " ".repeat(27 + second.length()) + "\r",
                text.toString());
    }
}
