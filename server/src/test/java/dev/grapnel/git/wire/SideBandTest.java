package dev.grapnel.git.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SideBandTest {
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1); // it may overflow at any time
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final SideBand bands = new KeepAlive(SILENCE, clock::get).bands(sent, false);

    private String sentAfter(Duration silence) throws IOException {
        sent.reset();
        clock.addAndGet(silence.toNanos());
        bands.keepAlive(SILENCE.toNanos());
        return sent.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void emptyPacketBreaksALongSilence() throws IOException {
        assertEquals("", sentAfter(SILENCE.minusNanos(1)));
        assertEquals("0005\u0002", sentAfter(Duration.ofNanos(1)));
        assertEquals("", sentAfter(SILENCE.minusNanos(1)), "that was said just now");
    }

    @Test
    void nothingIsAddedWhileDataFlows() throws IOException {
        clock.addAndGet(SILENCE.toNanos());
        bands.write(SideBand.DATA, new byte[3], 0, 3);
        assertEquals("", sentAfter(SILENCE.minusNanos(1)));
    }

    @Test
    void smallBandsHavePacketsOfAThousandBytes() throws IOException {
        bands.write(SideBand.DATA, new byte[996], 0, 996);
        assertEquals(1000 + 6, sent.size());
        assertEquals("03e8", sent.toString(StandardCharsets.US_ASCII).substring(0, 4));
    }
}
