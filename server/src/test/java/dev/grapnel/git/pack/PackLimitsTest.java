package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pack.PackLimits.Resolved;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is allowed at each limit, and refused one beyond it.
final class PackLimitsTest {
    private static final PackLimits ALL = PackLimits.DEFAULTS;

    @TempDir
    private Path root;

    private Site site;

    @BeforeEach
    void open() throws IOException {
        site = new Site(root);
    }

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void defaultsAreThoseOfTheSpecification() {
        assertEquals(new PackLimits(1 << 30, 10_000_000, 256 << 20, 50 << 20, 4L << 30, 4095, Resolved.DEFAULTS), ALL);
        assertEquals(new Resolved(4L << 30, 1000, 256L << 30), Resolved.DEFAULTS);
        assertThrows(IllegalArgumentException.class, () -> new PackLimits(0, 1, 1, 1, 1, 1, ALL.resolved()));
        assertThrows(IllegalArgumentException.class, () -> new PackLimits(1, 1L << 31, 1, 1, 1, 1, ALL.resolved()));
        assertThrows(IllegalArgumentException.class, () -> new PackLimits(1, 1, 1L << 31, 1, 1, 1, ALL.resolved()));
        assertThrows(IllegalArgumentException.class, () -> new Resolved(-1, 0, 0));
    }

    @Test
    void packOfTooManyBytesIsRefused() throws IOException {
        var pack = new PackBuilder().blob("x").build();
        assertEquals(1, site.accept(pack, packBytes(pack.length)).objects());
        assertEquals(
                "pack exceeds maximum size (" + (pack.length - 1) + " bytes)",
                site.refuse(pack, packBytes(pack.length - 1)));
    }

    @Test
    void endlessPackIsStoppedAtTheLimit() throws IOException {
        var endless = new CountingStream(new PackBuilder().blob("x").build(10_000_000));
        var directory = Files.createDirectory(root.resolve("endless"));
        try (var reader = site.reader()) {
            var intake = new PackIntake(packBytes(1 << 20), directory, reader).receive(endless);
            assertTrue(intake instanceof Intake.Refused);
        }
        assertTrue(endless.read < 2 << 20, "read " + endless.read);
        assertTrue(Site.filesIn(directory).isEmpty());
    }

    @Test
    void tooManyObjectsAreRefusedBeforeTheyCome() throws IOException {
        var limits = new PackLimits(1 << 20, 2, 100, 100, 1000, 10, new Resolved(1000, 0, 1000));
        assertEquals(
                2,
                site.accept(new PackBuilder().blob("x").blob("y").build(), limits)
                        .objects());
        assertEquals("the pack announces 3 objects, limit 2", site.refuse(new PackBuilder().build(3), limits));
    }

    @Test
    void tooLargeObjectIsRefused() throws IOException {
        var limits = new PackLimits(1 << 20, 2, 100, 100, 1000, 10, new Resolved(1000, 0, 1000));
        assertEquals(
                1,
                site.accept(new PackBuilder().blob("x".repeat(100)).build(), limits)
                        .objects());
        assertEquals(
                "an object is larger than 100 bytes",
                site.refuse(new PackBuilder().blob("x".repeat(101)).build(), limits));
        assertEquals(
                "an object is larger than 100 bytes",
                site.refuse(
                        new PackBuilder()
                                .blob("x".repeat(100))
                                .deltaOn(12, delta(100, 101, copy(0, 100), insert("y")))
                                .build(),
                        limits));
    }

    @Test
    void packThatInflatesToTooMuchIsRefused() throws IOException {
        var pack = new PackBuilder().blob("x".repeat(600)).blob("y".repeat(400)).build();
        assertEquals(2, site.accept(pack, inflatedBytes(1000)).objects());
        assertEquals(
                "pack exceeds maximum size: it inflates to more than 999 bytes", site.refuse(pack, inflatedBytes(999)));
    }

    @Test
    void tooLongChainIsRefused() throws IOException {
        var pack = chain(10);
        assertEquals(11, site.accept(pack, deltaDepth(10)).objects());
        assertEquals("a chain of deltas is longer than 9", site.refuse(pack, deltaDepth(9)));
    }

    @Test
    void longestChainOfAllComesIn() throws IOException {
        assertEquals(4096, site.accept(chain(4095)).objects());
        assertEquals("a chain of deltas is longer than 4095", site.refuse(chain(4096)));
    }

    @Test
    void deltasThatMakeTooMuchAreRefused() throws IOException {
        var builder = new PackBuilder().blob("x".repeat(1000));
        for (int i = 0; i < 10; i++) {
            builder.deltaOn(12, delta(1000, 1001, copy(0, 1000), insert("" + i)));
        }
        var pack = builder.build();
        assertEquals(11, site.accept(pack, resolvedBytes(10_010, 0)).objects());
        assertEquals(
                "the deltas of the pack make more than 10009 bytes, too much out of little: push in several steps",
                site.refuse(pack, resolvedBytes(10_009, 0)));
        assertEquals(11, site.accept(pack, resolvedBytes(0, 100)).objects());
        assertTrue(site.refuse(pack, resolvedBytes(0, 10)).contains("too much out of little"));
    }

    @Test
    void deltasOfALargePackMayMakeMoreButNotWithoutEnd() {
        var resolved = new Resolved(1000, 10, 5000);
        assertEquals(1000, resolved.bytes(0));
        assertEquals(1000, resolved.bytes(100));
        assertEquals(1010, resolved.bytes(101));
        assertEquals(5000, resolved.bytes(500));
        assertEquals(5000, resolved.bytes(501));
        assertEquals(5000, resolved.bytes(Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> new Resolved(1000, 10, 999));
    }

    @Test
    void thinPackMayNotGrowWithoutLimit() throws IOException {
        var random = new byte[300];
        new Random(1).nextBytes(random);
        new GitProgram(site.here()).pipe(random, "hash-object", "-w", "--stdin");
        var pack = new PackBuilder()
                .deltaOn(PackBuilder.idOf(ObjectType.BLOB, random), delta(300, 301, copy(0, 300), insert("x")))
                .build();
        assertEquals(2, site.accept(pack, packBytes(400)).objects());
        assertEquals(
                "with the bases that it leaves out the pack is larger than 200 bytes",
                site.refuse(pack, packBytes(100)));
    }

    @Test
    void baseThatHadToGoIsMadeAgain() throws IOException {
        var builder = new PackBuilder();
        int size = 1 << 20;
        var base = "x".repeat(size);
        builder.blob(base);
        int offset = 12;
        for (int i = 0; i < 24; i++) { // each level has two deltas on which others rest, and more than fits is kept
            int next = builder.offset();
            builder.deltaOn(offset, delta(size, size, insert("a" + (char) ('a' + i)), copy(0, size - 2)));
            int side = builder.offset();
            builder.deltaOn(offset, delta(size, size, insert("b" + (char) ('a' + i)), copy(0, size - 2)));
            builder.deltaOn(side, delta(size, 2, insert("c" + (char) ('a' + i))));
            offset = next;
        }
        var accepted = site.accept(builder.build());
        assertEquals(1 + 3 * 24, accepted.objects());
        assertTrue(accepted.findType(idOfBlob("ca")).isPresent());
    }

    private static byte[] chain(int length) {
        var builder = new PackBuilder().blob("start ");
        int base = 12;
        for (int i = 0; i < length; i++) {
            int next = builder.offset();
            builder.deltaOn(base, delta(6 + i, 7 + i, copy(0, 6 + i), insert("x")));
            base = next;
        }
        return builder.build();
    }

    private static PackLimits packBytes(long bytes) {
        return new PackLimits(
                bytes, ALL.objects(), ALL.objectBytes(), 50 << 20, ALL.inflatedBytes(), 4095, ALL.resolved());
    }

    private static PackLimits inflatedBytes(long bytes) {
        return new PackLimits(ALL.packBytes(), 100, ALL.objectBytes(), 50 << 20, bytes, 4095, ALL.resolved());
    }

    private static PackLimits deltaDepth(int depth) {
        return new PackLimits(
                ALL.packBytes(), 100, ALL.objectBytes(), 50 << 20, ALL.inflatedBytes(), depth, ALL.resolved());
    }

    private static PackLimits resolvedBytes(long floor, int ratio) {
        return new PackLimits(
                ALL.packBytes(),
                100,
                ALL.objectBytes(),
                50 << 20,
                ALL.inflatedBytes(),
                4095,
                new Resolved(floor, ratio, 1L << 40));
    }

    /// Objects without end, each a file of its own.
    private static final class CountingStream extends InputStream {
        private InputStream object;
        private long read;
        private int made;

        CountingStream(byte[] beginning) {
            object = new ByteArrayInputStream(beginning, 0, beginning.length - 20);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            if (object.available() == 0) {
                var pack = new PackBuilder().blob("file " + made++).build();
                object = new ByteArrayInputStream(pack, 12, pack.length - 32);
            }
            int count = object.read(into, at, length);
            read += count;
            return count;
        }
    }
}
