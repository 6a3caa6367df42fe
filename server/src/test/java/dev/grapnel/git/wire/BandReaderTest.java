package dev.grapnel.git.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bands are read as they were written.
final class BandReaderTest {
    private final List<String> said = new ArrayList<>();

    private final BandReader.Beside beside = new BandReader.Beside() {
        @Override
        public void progress(String words) {
            said.add(words);
        }

        @Override
        public void error(String words) throws IOException {
            throw new IOException("gave up: " + words);
        }
    };

    private BandReader reader(String bytes) {
        return new BandReader(new ByteArrayInputStream(bytes.getBytes(ISO_8859_1)), beside);
    }

    @Test
    void dataIsReadAsItWasWrittenWithWordsBetween() throws IOException {
        var data = new byte[300_000];
        new Random(1).nextBytes(data);
        var out = new ByteArrayOutputStream();
        var bands = new SideBand(out, true, System::nanoTime);
        bands.write(SideBand.DATA, data, 0, 200_000);
        bands.say("half of it");
        bands.write(SideBand.DATA, data, 200_000, 100_000);
        bands.end();
        out.write("rest".getBytes(ISO_8859_1));
        var in = new ByteArrayInputStream(out.toByteArray());
        assertArrayEquals(data, new BandReader(in, beside).readAllBytes());
        assertEquals(List.of("half of it"), said);
        assertEquals("rest", new String(in.readAllBytes(), ISO_8859_1));
    }

    @Test
    void singleBytesAreReadToo() throws IOException {
        var reader = reader("0007\1ab0005\0010006\1c0000");
        assertEquals('a', reader.read());
        assertEquals('b', reader.read());
        assertEquals('c', reader.read());
        assertEquals(-1, reader.read());
        assertEquals(-1, reader.read());
    }

    @Test
    void otherSideMayGiveUp() {
        var failure = assertThrows(
                IOException.class, () -> reader("0006\1a0008\3no\n").readAllBytes());
        assertEquals("gave up: no\n", failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0006\1a",
                "0006\1a00",
                "0009\1ab",
                "0009\2ab",
                "0004",
                "0001",
                "fff1\1",
                "0006\4a0000",
                "PACK"
            })
    void otherThingsAreNoBands(String bytes) {
        assertThrows(BrokenPacket.class, () -> reader(bytes).readAllBytes());
    }
}
