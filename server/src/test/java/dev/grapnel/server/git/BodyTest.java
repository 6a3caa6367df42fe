package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// What a body may be, and how each of its defects is answered.
final class BodyTest {
    private static final Body.Limits LIMITS = new Body.Limits(1 << 20, Duration.ofHours(1));

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static Body open(InputStream raw, String encoding) throws IOException {
        return Body.open(raw, encoding, LIMITS, () -> 0);
    }

    private static byte[] unpack(byte[] packed) throws IOException {
        return open(new ByteArrayInputStream(packed), "gzip").readAllBytes();
    }

    private static void refuses(int status, String words, byte[] packed) {
        var refusal = assertThrows(BodyRefused.class, () -> unpack(packed));
        assertEquals(status, refusal.status());
        assertEquals(words, refusal.getMessage());
    }

    @Test
    void whateverWasPackedIsUnpacked() throws IOException {
        var random = new Random(1);
        for (int length : new int[] {0, 1, 4, 65_535, 65_536, 65_537, 300_000}) {
            var plain = new byte[length];
            random.nextBytes(plain);
            assertArrayEquals(plain, unpack(gzip(plain)), "length " + length);
        }
    }

    /// Everything a header may have: extra bytes, a name, a comment, a checksum.
    @Test
    void headerMayHaveAllItsParts() throws IOException {
        var plain = ascii("0000");
        var packed = gzip(plain);
        var header = Arrays.copyOf(packed, 10);
        header[3] = 0b11110;
        var rest = Arrays.copyOfRange(packed, 10, packed.length);
        assertArrayEquals(
                plain,
                unpack(join(header, new byte[] {3, 0, 7, 7, 7}, ascii("name\0comment\0"), new byte[] {1, 2}, rest)));
    }

    @Test
    void everyCutAndEveryFlippedBitOfTheTrailerIsRefused() throws IOException {
        var packed = gzip(ascii("0014command=ls-refs\n0000"));
        for (int length = 0; length < packed.length; length++) {
            refuses(400, "the body is no whole gzip", Arrays.copyOf(packed, length));
        }
        for (int bit = 0; bit < 64; bit++) {
            var flipped = packed.clone();
            flipped[packed.length - 8 + bit / 8] ^= (byte) (1 << bit % 8);
            refuses(400, "the body is no whole gzip", flipped);
        }
    }

    @Test
    void nothingFollowsAGzip() throws IOException {
        var packed = gzip(ascii("0000"));
        for (var junk : new byte[][] {{0}, ascii("junk"), new byte[1000], gzip(new byte[0]), packed}) {
            refuses(400, "something follows the packed body", join(packed, junk));
        }
    }

    /// Blocks of deflate that hold nothing, or a name without end: it unpacks to nothing and never ends.
    @Test
    void bodyThatNeverUnpacksToAnythingIsTooLarge() {
        var emptyBlock = new byte[] {0, 0, 0, -1, -1};
        var header = new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};
        var named = header.clone();
        named[3] = 8;
        for (var endless : new InputStream[] {
            new Endless(header, emptyBlock), new Endless(named, new byte[] {'x'}),
        }) {
            var refusal =
                    assertThrows(BodyRefused.class, () -> open(endless, "gzip").readAllBytes());
            assertEquals(413, refusal.status());
            assertEquals("a request like this has at most 1048576 bytes", refusal.getMessage());
        }
    }

    /// What cannot be packed grows by packing, and still is no larger than allowed.
    @Test
    void bodyAtTheLimitPassesHoweverItWasPacked() throws IOException {
        var noise = new byte[1 << 20];
        new Random(2).nextBytes(noise);
        assertEquals(noise.length, unpack(gzip(noise)).length);
        assertEquals(noise.length, unpack(stored(noise)).length);
        assertEquals(
                413,
                assertThrows(BodyRefused.class, () -> unpack(gzip(Arrays.copyOf(noise, noise.length + 1))))
                        .status());
    }

    private static byte[] stored(byte[] plain) {
        var deflater = new Deflater(Deflater.NO_COMPRESSION, true);
        deflater.setInput(plain);
        deflater.finish();
        var packed = new byte[plain.length + 10_000];
        int length = deflater.deflate(packed);
        deflater.end();
        var checksum = new CRC32();
        checksum.update(plain);
        return join(
                new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0},
                Arrays.copyOf(packed, length),
                littleEndian((int) checksum.getValue()),
                littleEndian(plain.length));
    }

    private static byte[] littleEndian(int number) {
        return new byte[] {(byte) number, (byte) (number >> 8), (byte) (number >> 16), (byte) (number >> 24)};
    }

    @Test
    void whoDripsIsStoppedWhenItsTimeIsOver() throws IOException {
        for (var encoding : new String[] {"identity", "gzip"}) {
            var now = new AtomicLong();
            var drips =
                    new Endless(encoding.equals("gzip") ? nothingYet() : new byte[0], new byte[] {0, 0, 0, -1, -1}) {
                        @Override
                        public int read(byte[] into, int from, int length) {
                            now.addAndGet(Duration.ofSeconds(59).toNanos());
                            return super.read(into, from, 1);
                        }
                    };
            var body = Body.open(drips, encoding, LIMITS, now::get);
            var refusal = assertThrows(BodyRefused.class, body::readAllBytes);
            assertEquals(408, refusal.status());
            assertEquals("the request takes too long", refusal.getMessage());
            assertEquals(60, Duration.ofNanos(now.get()).toMinutes(), "minutes");
        }
    }

    private static byte[] nothingYet() {
        return new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};
    }

    /// Something, and then the same again and again.
    private static class Endless extends InputStream {
        private final byte[] first;
        private final byte[] again;
        private int sent;

        Endless(byte[] first, byte[] again) {
            this.first = first;
            this.again = again;
        }

        @Override
        public int read() {
            int at = sent++;
            return (at < first.length ? first[at] : again[(at - first.length) % again.length]) & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            for (int i = 0; i < length; i++) {
                into[from + i] = (byte) read();
            }
            return length;
        }
    }
}
