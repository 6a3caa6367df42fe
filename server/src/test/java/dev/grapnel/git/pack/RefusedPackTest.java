package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static dev.grapnel.git.pack.PackBuilder.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Packs that are not what they say, each refused with its own sentence and without a trace.
final class RefusedPackTest {
    private static final String LONG_TEXT = "0123456789".repeat(20);

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
    void otherThingsAreNotPacks() throws IOException {
        assertEquals("this is not a pack", site.refuse(bytes("HTTP/1.1 200 OK and so on, at some length")));
        assertEquals("the pack ends early", site.refuse(new byte[0]));
        assertEquals("the pack ends early", site.refuse(bytes("PACK")));
    }

    @Test
    void unknownVersionIsRefusedAndVersionThreeIsNot() throws IOException {
        var builder = new PackBuilder().blob("x");
        assertEquals("packs of version 4 are not known here", site.refuse(builder.build(0x5041434b, 4, 1)));
        assertEquals(1, site.accept(builder.build(0x5041434b, 3, 1)).objects());
    }

    @Test
    void lyingCountIsNoticed() throws IOException {
        var builder = new PackBuilder().blob("one").blob("two");
        assertEquals(
                "the checksum of the pack is wrong, or it has more objects than it announces",
                site.refuse(builder.build(1)));
        assertTrue(site.receive(builder.build(3)) instanceof Intake.Refused);
        assertTrue(site.receive(builder.build(9_999_999)) instanceof Intake.Refused);
        assertEquals("the pack announces 4294967295 objects, limit 10000000", site.refuse(builder.build(0xffffffffL)));
    }

    @Test
    void bytesAfterThePackAreRefused() throws IOException {
        var pack = new PackBuilder().blob("x").build();
        assertEquals("there are bytes after the end of the pack", site.refuse(join(pack, new byte[1])));
        assertEquals("there are bytes after the end of the pack", site.refuse(join(pack, pack)));
    }

    @Test
    void packThatEndsEarlyIsRefusedWhereverItEnds() throws IOException {
        var pack = new PackBuilder().blob(LONG_TEXT).blob("y").build();
        for (int length = 12; length < pack.length; length++) {
            assertEquals("the pack ends early", site.refuse(Arrays.copyOf(pack, length)));
        }
    }

    @Test
    void wrongChecksumIsRefused() throws IOException {
        var pack = new PackBuilder().blob("x").build();
        pack[pack.length - 1] ^= 1;
        assertEquals("the checksum of the pack is wrong, or it has more objects than it announces", site.refuse(pack));
    }

    @Test
    void brokenCompressionIsRefused() throws IOException {
        assertEquals(
                "the compressed data of an object is broken",
                site.refuse(
                        new PackBuilder().addRaw(3, 4, bytes("no zlib data")).build()));
        var packed = PackBuilder.deflate(bytes("data"));
        packed[packed.length - 1] ^= 1;
        assertEquals(
                "the compressed data of an object is broken",
                site.refuse(new PackBuilder().addRaw(3, 4, packed).build()));
        assertEquals( // a zlib stream that asks for a dictionary
                "the compressed data of an object is broken",
                site.refuse(new PackBuilder()
                        .addRaw(3, 4, new byte[] {0x78, (byte) 0xbb, 0, 0, 0, 1, 3, 0, 0, 0, 0, 1})
                        .build()));
    }

    @Test
    void sizeThatDiffersFromTheContentIsRefused() throws IOException {
        for (int size : new int[] {0, 3, 5, 1000}) {
            assertEquals(
                    "an object does not inflate to the size it announces",
                    site.refuse(new PackBuilder().add(3, size, bytes("data")).build()));
        }
    }

    @Test
    void sizeWithTooManyDigitsIsRefused() throws IOException {
        var pack = new PackBuilder()
                .addRaw(3, Long.MAX_VALUE, bytes("\u00ff\u00ff\u00ff\u00ff"))
                .build();
        assertEquals("an object is larger than 268435456 bytes", site.refuse(pack));
        Arrays.fill(pack, 12, pack.length, (byte) 0xff);
        assertEquals("the size of an object has too many digits", site.refuse(pack));
        // 2^64 + 4: what is left of it in 64 bits would fit what follows.
        Arrays.fill(pack, 12, pack.length, (byte) 0x80);
        pack[12] = (byte) 0xb4;
        pack[21] = 0x10;
        assertEquals("the size of an object has too many digits", site.refuse(pack));
    }

    @Test
    void unknownTypesAreRefused() throws IOException {
        assertEquals(
                "there is no object of the type 5",
                site.refuse(new PackBuilder().add(5, 1, bytes("x")).build()));
        assertEquals(
                "there is no object of the type 0",
                site.refuse(new PackBuilder().add(0, 1, bytes("x")).build()));
    }

    @Test
    void brokenDeltasAreRefused() throws IOException {
        assertEquals("a delta is made for a base of another size", site.refuse(onBase(delta(4, 1, insert("x")))));
        assertEquals("a delta copies from outside its base", site.refuse(onBase(delta(5, 4, copy(2, 4)))));
        assertEquals("a delta copies from outside its base", site.refuse(onBase(delta(5, 4, copy(-1, 4)))));
        assertEquals(
                "a delta does not make an object of the size it announces",
                site.refuse(onBase(delta(5, 9, insert("x")))));
        assertEquals(
                "a delta does not make an object of the size it announces",
                site.refuse(onBase(delta(5, 1, insert("xy")))));
        assertEquals(
                "a delta does not make an object of the size it announces",
                site.refuse(onBase(delta(5, 1, copy(0, 2)))));
        assertEquals("a delta ends within an instruction", site.refuse(onBase(delta(5, 3, bytes("\003x")))));
        assertEquals("a delta ends within an instruction", site.refuse(onBase(delta(5, 3, bytes("\u00ff\000")))));
        assertEquals("a delta ends within an instruction", site.refuse(onBase(bytes("\005"))));
        assertEquals("a delta ends within an instruction", site.refuse(onBase(new byte[0])));
        assertEquals("a delta has an instruction that means nothing", site.refuse(onBase(delta(5, 3, bytes("\000")))));
        assertEquals("a size in a delta has too many digits", site.refuse(onBase(bytes("\u00ff".repeat(12)))));
        assertEquals(
                "an object is larger than 268435456 bytes",
                site.refuse(onBase(delta(5, (256 << 20) + 1, insert("x")))));
    }

    @Test
    void copyOfLengthNothingMeansSixtyFourKibibytes() throws IOException {
        var base = bytes("0123456789abcdef".repeat(1 << 12));
        var builder = new PackBuilder().add(ObjectType.BLOB, base);
        builder.deltaOn(12, delta(1 << 16, (1 << 16) + 1, new byte[] {(byte) 0x80}, insert("x")));
        var accepted = site.accept(builder.build());
        assertTrue(
                accepted.findType(idOf(ObjectType.BLOB, join(base, bytes("x")))).isPresent());
    }

    @Test
    void baseThatIsNoObjectStartIsRefused() throws IOException {
        for (int offset : new int[] {0, 11, 13, 14}) {
            assertEquals(
                    "the base of a delta is not where an object begins",
                    site.refuse(new PackBuilder()
                            .blob("12345")
                            .deltaOn(offset, delta(5, 1, insert("x")))
                            .build()));
        }
        var itself = new PackBuilder();
        itself.deltaOn(itself.offset(), delta(5, 1, insert("x")));
        assertEquals("the base of a delta is not where an object begins", site.refuse(itself.build()));
    }

    @Test
    void baseBeforeThePackIsRefused() throws IOException {
        var pack = new PackBuilder().addRaw(6, 1, bytes("\u00ff".repeat(30))).build();
        assertEquals("the base of a delta lies before the pack", site.refuse(pack));
    }

    @Test
    void missingBaseIsRefused() throws IOException {
        var missing = idOfBlob("nowhere");
        assertEquals(
                "missing object " + missing
                        + ", the base of a delta: it is not here, or deltas rest on each other in a circle",
                site.refuse(new PackBuilder()
                        .deltaOn(missing, delta(7, 1, insert("x")))
                        .build()));
    }

    @Test
    void deltasInCircleAreRefused() throws IOException {
        var pack = new PackBuilder()
                .deltaOn(idOfBlob("two"), delta(3, 3, insert("one")))
                .deltaOn(idOfBlob("one"), delta(3, 3, insert("two")))
                .build();
        assertTrue(site.refuse(pack).endsWith("or deltas rest on each other in a circle"));
    }

    @Test
    void deltasInCircleAreRefusedEvenIfOneOfThemIsHere() throws IOException {
        new GitProgram(site.here()).pipe(bytes("one"), "hash-object", "-w", "--stdin");
        var pack = new PackBuilder()
                .deltaOn(idOfBlob("two"), delta(3, 3, insert("one")))
                .deltaOn(idOfBlob("one"), delta(3, 3, insert("two")))
                .build();
        assertEquals("deltas rest on each other in a circle, or in a chain longer than 4095", site.refuse(pack));
    }

    @Test
    void baseThatIsHereAndInThePackAsDeltaIsNotAppended() throws IOException {
        new GitProgram(site.here()).pipe(bytes("one"), "hash-object", "-w", "--stdin");
        new GitProgram(site.here()).pipe(bytes("base"), "hash-object", "-w", "--stdin");
        var accepted = site.accept(new PackBuilder()
                .deltaOn(idOfBlob("one"), delta(3, 3, insert("two")))
                .deltaOn(idOfBlob("base"), delta(4, 3, insert("one")))
                .build());
        assertEquals(3, accepted.objects());
        new GitProgram(root).run("verify-pack", accepted.index().toString());
        assertEquals(1, accepted.borrowed().size());
    }

    @Test
    void objectThatComesTwiceIsRefused() throws IOException {
        assertEquals(
                "object " + idOfBlob("x") + " is in the pack twice",
                site.refuse(new PackBuilder().blob("x").blob("x").build()));
        assertEquals(
                "object " + idOfBlob("x") + " is in the pack twice",
                site.refuse(new PackBuilder()
                        .blob("x")
                        .deltaOn(12, delta(1, 1, insert("x")))
                        .build()));
    }

    @Test
    void objectThatIsHereWithAnotherContentIsRefused() throws IOException {
        var large = "x".repeat(100_000);
        for (var content : new String[] {"x", large}) {
            var other = new OneObjectReader(idOfBlob(content), bytes("y".repeat(content.length())));
            assertEquals(
                    "object " + idOfBlob(content) + " is here already, with another content",
                    Site.reasonOf(site.receive(
                            new PackBuilder().blob(content).build(),
                            directory -> new PackIntake(PackLimits.DEFAULTS, directory, other))));
        }
        var made = new OneObjectReader(idOfBlob("x"), bytes("yy"));
        assertEquals(
                "object " + idOfBlob("x") + " is here already, with another content",
                Site.reasonOf(site.receive(
                        onBase(delta(5, 1, insert("x"))),
                        directory -> new PackIntake(PackLimits.DEFAULTS, directory, made))));
    }

    /// Both halves of the published collision have one SHA-1 when nothing stands before them; git puts a
    /// head before every object, so to see them refused the head is left out here.
    @Test
    void collidingObjectsAreRefused() throws IOException {
        var beginning = Base64.getDecoder()
                .decode("JVBERi0xLjMKJeLjz9MKCgoxIDAgb2JqCjw8L1dpZHRoIDIgMCBSL0hlaWdodCAzIDAgUi9UeXBlIDQgMCBSL1N1"
                        + "YnR5cGUgNSAwIFIvRmlsdGVyIDYgMCBSL0NvbG9yU3BhY2UgNyAwIFIvTGVuZ3RoIDggMCBSL0JpdHNQZXJDb21wb25l"
                        + "bnQgOD4+CnN0cmVhbQr/2P/+ACRTSEEtMSBpcyBkZWFkISEhISGFL+wJIzl1nDmxocY8TJfh//4B");
        var first = Base64.getDecoder()
                .decode("f0bck6a2fgE7ApqqHbJWC0XKZ9aIx/hLjEx5H+ArPfYU+G2xaQkBxWtFwVMK/t+3YDjpcnIv561yjw5JBOBGwjBX"
                        + "D+nUE5ir4S71vJQr4zVCpIAtmLXXDyozLsN/rDUU503cDyzBqHTNDHgwWiFWZGEwl4lga9C/P5jNqARGKaE=");
        var second = Base64.getDecoder()
                .decode("c0bckWa2fhGPApq2IbJWD/nKZ8yox/hbqEx5AwwrPeIY+G2zqQkB1d9FwU8m/t+z3DjpasIv571yjw5FvOBG0jxX"
                        + "D+sUE5i7VS71oKgr4zH+pIA3uLXXHw4zLt+TrDUA603cDezBqGR5DHgsdiFWYN0wl5HQa9CvP5jNpLxGKbE=");
        var whole = join(beginning, first);
        var other = join(beginning, second);
        assertTrue(!Arrays.equals(whole, other));
        assertEquals(
                0, Arrays.compare(Checksum.sha1().digest(whole), Checksum.sha1().digest(other)), "they collide");
        try (var reader = site.reader()) {
            for (var half : new byte[][] {whole, other}) {
                var pack = new PackBuilder().add(ObjectType.BLOB, half).build();
                assertEquals(
                        "an object is made to collide with another under SHA-1",
                        Site.reasonOf(site.receive(
                                pack,
                                directory -> new PackIntake(
                                        PackLimits.DEFAULTS, 10, directory, reader, HeadlessHash::new))));
                assertEquals(1, site.accept(pack).objects(), "with a head before it, it is a harmless file");
            }
        }
    }

    private static final class HeadlessHash extends ObjectHash {
        @Override
        void head(ObjectType type, long size) {
            // nothing
        }
    }

    @Test
    void brokenStreamIsNoVerdictAboutThePack() throws IOException {
        var pack = new PackBuilder().blob(LONG_TEXT).build();
        var broken = new SequenceInputStream(new ByteArrayInputStream(pack, 0, 30), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("connection reset");
            }

            @Override
            public int read(byte[] into, int at, int length) throws IOException {
                return read();
            }
        });
        var directory = Files.createDirectory(root.resolve("broken"));
        try (var reader = site.reader()) {
            assertThrows(
                    IOException.class, () -> new PackIntake(PackLimits.DEFAULTS, directory, reader).receive(broken));
        }
        assertTrue(Site.filesIn(directory).isEmpty());
    }

    @Test
    void interruptedIntakeLeavesNothing() throws IOException {
        var directory = Files.createDirectory(root.resolve("interrupted"));
        try (var reader = site.reader()) {
            var intake = new PackIntake(PackLimits.DEFAULTS, directory, reader);
            var pack = new ByteArrayInputStream(new PackBuilder().blob("x").build());
            Thread.currentThread().interrupt();
            assertThrows(IOException.class, () -> intake.receive(pack));
            assertTrue(Thread.interrupted());
        }
        assertTrue(Site.filesIn(directory).isEmpty());
    }

    @Test
    void missingEndOfLinkIsRefusedWithWhoNeedsIt() throws IOException {
        var blob = idOfBlob("nowhere");
        var tree = entry("100644", "file", blob);
        assertEquals(
                "missing object " + blob + ", which tree " + idOf(ObjectType.TREE, tree) + " needs",
                site.refuse(new PackBuilder().add(ObjectType.TREE, tree).build()));
        var noTree = commit(blob, "");
        assertEquals(
                "missing object " + blob + ", which commit " + idOf(ObjectType.COMMIT, noTree) + " needs",
                site.refuse(new PackBuilder().add(ObjectType.COMMIT, noTree).build()));
        var tag = bytes("object " + blob + "\ntype blob\ntag v1\n\nof nothing\n");
        assertEquals(
                "missing object " + blob + ", which tag " + idOf(ObjectType.TAG, tag) + " needs",
                site.refuse(new PackBuilder().add(ObjectType.TAG, tag).build()));
    }

    @Test
    void endOfLinkOfAnotherTypeIsRefusedInThePackAndHere() throws IOException {
        var blob = idOfBlob("file");
        var tree = entry("40000", "directory", blob);
        var reason = "object " + blob + " is a blob, but tree " + idOf(ObjectType.TREE, tree) + " needs a tree";
        assertEquals(
                reason,
                site.refuse(new PackBuilder()
                        .add(ObjectType.TREE, tree)
                        .blob("file")
                        .build()));
        new GitProgram(site.here()).pipe(bytes("file"), "hash-object", "-w", "--stdin");
        assertEquals(
                reason, site.refuse(new PackBuilder().add(ObjectType.TREE, tree).build()));
        var both = join(entry("40000", "directory", blob), entry("100644", "file", blob));
        assertEquals(
                "object " + blob + " is used as objects of two types",
                site.refuse(new PackBuilder()
                        .add(ObjectType.TREE, both)
                        .blob("file")
                        .build()));
    }

    @Test
    void packThatRestsOnTooManyIsRefused() throws IOException {
        var tree = new byte[0];
        for (int i = 0; i < 10; i++) {
            var id = new GitProgram(site.here()).pipe(bytes("file " + i), "hash-object", "-w", "--stdin");
            tree = join(tree, entry("100644", "file" + i, idOfBlob("file " + i)));
            assertEquals(idOfBlob("file " + i).toString(), new String(id, StandardCharsets.UTF_8).strip());
        }
        var pack = new PackBuilder().add(ObjectType.TREE, tree).build();
        try (var reader = site.reader()) {
            assertTrue(
                    site.receive(pack, at -> new PackIntake(PackLimits.DEFAULTS, 10, at, reader, ObjectHash::new))
                            instanceof Intake.Received);
            assertEquals(
                    "the pack rests on too many objects that are not in it",
                    Site.reasonOf(site.receive(
                            pack, at -> new PackIntake(PackLimits.DEFAULTS, 9, at, reader, ObjectHash::new))));
        }
    }

    private static byte[] onBase(byte[] delta) {
        return new PackBuilder().blob("12345").deltaOn(12, delta).build();
    }

    static byte[] commit(Oid tree, String more) {
        return bytes("tree " + tree + "\n" + more + "author A <a@example.org> 1 +0000\n"
                + "committer A <a@example.org> 1 +0000\n\nmessage\n");
    }
}
