package dev.grapnel.store.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ImportChunkReaderTest {
    private static final int LINE_MAX = 20;

    /// Hands out what was asked for in small pieces, as a pipe does.
    private static final class Pieces extends InputStream {
        private final InputStream bytes;
        private final Random chance;

        Pieces(String text, Random chance) {
            this.bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            this.chance = chance;
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            return bytes.read(target, from, Math.min(count, 1 + chance.nextInt(5)));
        }

        @Override
        public int available() throws IOException {
            return chance.nextBoolean() ? 0 : bytes.available();
        }
    }

    private static List<String> linesOf(String text, int chunkBytes, Random chance) throws IOException {
        var hash = new InputHash();
        var reader = new ChunkReader("it", new Pieces(text, chance), hash, 1, chunkBytes, LINE_MAX);
        var lines = new ArrayList<String>();
        long bytes = 0;
        for (var chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
            bytes += chunk.get().bytes();
            var before = text.substring(0, (int) bytes).getBytes(StandardCharsets.UTF_8);
            assertEquals(
                    InputHash.hash(before, before.length), chunk.get().end().hash());
            assertEquals(bytes, chunk.get().end().bytes());
            switch (chunk.get()) {
                case Chunk.Lines some ->
                    some.forEach((number, in, from, to) ->
                            lines.add(number + " " + new String(in, from, to - from, StandardCharsets.UTF_8)));
                case Chunk.TooLong(var _, var number, var length, var _) -> lines.add(number + " too long " + length);
            }
        }
        assertEquals(text.length(), bytes);
        return lines;
    }

    /// The same, slow and obviously right; line ends count, and what is just over the limit may pass.
    private static List<String> expected(String text) {
        var lines = new ArrayList<String>();
        var parts = text.split("\n", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean isLast = i == parts.length - 1;
            if (parts[i].length() > LINE_MAX) {
                lines.add(i + 1 + " too long " + (parts[i].length() + (isLast ? 0 : 1)));
            } else if (!parts[i].isBlank()) {
                lines.add(i + 1 + " "
                        + (parts[i].endsWith("\r") ? parts[i].substring(0, parts[i].length() - 1) : parts[i]));
            }
        }
        return lines;
    }

    @Test
    void linesAreFoundHoweverTheyArrive() throws IOException {
        for (int seed = 0; seed < 3_000; seed++) {
            var chance = new Random(seed);
            var text = new StringBuilder();
            for (int i = chance.nextInt(12); i > 0; i--) {
                text.append(
                        "abcdefghij".repeat(8),
                        0,
                        chance.nextInt(8) == 0 ? 22 + chance.nextInt(50) : chance.nextInt(LINE_MAX));
                text.append(chance.nextBoolean() ? "\n" : chance.nextBoolean() ? "\r\n" : "\n\n");
            }
            text.append("x".repeat(chance.nextInt(LINE_MAX)));
            var all = text.toString();
            assertEquals(expected(all), linesOf(all, 1 + chance.nextInt(LINE_MAX), chance), "seed " + seed);
        }
    }

    @Test
    void shortLinesAreHandedOutInModerateNumbers() throws IOException {
        var text = "x\n".repeat(3 * ChunkReader.LINES_MAX);
        var reader = new ChunkReader(
                "it", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), new InputHash(), 1, 1 << 18, 99);
        for (int i = 0; i < 3; i++) {
            var chunk = assertInstanceOf(Chunk.Lines.class, reader.next().orElseThrow());
            var numbers = new ArrayList<Long>();
            chunk.forEach((number, _, _, _) -> numbers.add(number));
            assertEquals(ChunkReader.LINES_MAX, numbers.size());
            assertEquals(1 + i * (long) ChunkReader.LINES_MAX, numbers.getFirst());
        }
        assertEquals(Optional.empty(), reader.next());
    }
}
