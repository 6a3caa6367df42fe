package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static dev.grapnel.git.pack.PackBuilder.join;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nobody needs more memory to read what came in than there is, and nobody waits long for an intake to end.
final class LargeResultsTest {
    private static final int WHOLE = 1000;
    private static final String LARGE = "l".repeat(WHOLE);

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

    private static PackLimits limits(long packBytes) {
        var all = PackLimits.DEFAULTS;
        return new PackLimits(packBytes, 100_000, 256 << 20, WHOLE, all.inflatedBytes(), 50, all.resolved());
    }

    /// Ids of deltas in a pack, after git has looked through all of it.
    private Set<String> deltasOf(ReceivedPack pack) {
        var git = new GitProgram(root);
        git.run(
                "index-pack",
                "--strict",
                "-o",
                root.resolve("again.idx").toString(),
                pack.pack().toString());
        try {
            assertArrayEquals(Files.readAllBytes(root.resolve("again.idx")), Files.readAllBytes(pack.index()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var deltas = new TreeSet<String>();
        for (var line :
                git.run("verify-pack", "-v", pack.index().toString()).lines().toList()) {
            var words = line.split(" +", -1);
            if (words.length == 7) {
                deltas.add(words[0]);
            }
        }
        return deltas;
    }

    private static Set<String> ids(Oid... ids) {
        var words = new TreeSet<String>();
        for (var id : ids) {
            words.add(id.toString());
        }
        return words;
    }

    @Test
    void fileTooLargeForTheMemoryOfReadersIsKeptWhole() throws IOException {
        var builder = new PackBuilder().blob(LARGE);
        int small = builder.offset();
        builder.blob("small ");
        int smallDelta = builder.offset();
        builder.deltaOn(small, delta(6, 7, copy(0, 6), insert("x")));
        int large = builder.offset();
        builder.deltaOn(12, delta(WHOLE, WHOLE + 1, copy(0, WHOLE), insert("y"))); // its result is too large
        builder.deltaOn(large, delta(WHOLE + 1, 3, insert("z"), copy(0, 2))); // its base is
        builder.deltaOn(12, delta(WHOLE, WHOLE, insert("m"), copy(0, WHOLE - 1))); // all of it just fits
        builder.deltaOn(smallDelta, delta(7, 8, copy(0, 7), insert("n"))); // is further from its base now
        builder.deltaOn(idOfBlob("small x"), delta(7, 8, copy(0, 7), insert("i")));
        builder.deltaOn(idOfBlob("small "), longDelta()); // the delta itself is too large
        var accepted = site.accept(builder.build(), limits(1 << 20));
        assertEquals(9, accepted.objects());
        assertEquals(
                ids(
                        idOfBlob("small x"),
                        idOfBlob("m" + LARGE.substring(1)),
                        idOfBlob("small xn"),
                        idOfBlob("small xi")),
                deltasOf(accepted));
        assertEquals(ObjectType.BLOB, accepted.findType(idOfBlob(LARGE + "y")).orElseThrow());
        assertTrue(accepted.findType(idOfBlob("zll")).isPresent());
    }

    /// Few bytes, each of them copied alone.
    private static byte[] longDelta() {
        var copies = new byte[130][];
        Arrays.fill(copies, copy(0, 1));
        return delta(6, copies.length, join(copies));
    }

    @Test
    void thinPackIsMadeWholeTheSameWay() throws IOException {
        new GitProgram(site.here()).pipe(bytes(LARGE), "hash-object", "-w", "--stdin");
        new GitProgram(site.here()).pipe(bytes("here"), "hash-object", "-w", "--stdin");
        var pack = new PackBuilder()
                .deltaOn(idOfBlob(LARGE), delta(WHOLE, WHOLE + 1, copy(0, WHOLE), insert("y")))
                .deltaOn(idOfBlob("here"), delta(4, 5, copy(0, 4), insert("y")))
                .build();
        var accepted = site.accept(pack, limits(1 << 20));
        assertEquals(ids(idOfBlob("herey")), deltasOf(accepted));
        assertEquals(2, accepted.added());
    }

    @Test
    void packThatGetsTooLargeByThatIsRefused() throws IOException {
        var noise = new byte[2 * WHOLE];
        new Random(1).nextBytes(noise);
        var builder = new PackBuilder().add(ObjectType.BLOB, noise);
        for (int i = 0; i < 3; i++) {
            builder.deltaOn(12, delta(noise.length, noise.length + 1L, copy(0, noise.length), insert("" + i)));
        }
        var pack = builder.build();
        assertEquals(4, site.accept(pack, limits(5 * WHOLE)).objects());
        assertEquals(
                "files of more than 1000 bytes are kept whole here, and the pack is then larger than 6000 bytes:"
                        + " push in several steps",
                site.refuse(pack, limits(3 * WHOLE)));
        assertEquals(
                "with its large files whole the pack is larger than 8000 bytes: push in several steps",
                site.refuse(pack, limits(4 * WHOLE)));
    }

    @Test
    void objectsThatLeadToOthersMustFitInMemory() throws IOException {
        var blob = idOfBlob("x");
        byte[] tree = {};
        for (int i = 10; tree.length + 30 <= WHOLE; i++) {
            tree = join(tree, entry("100644", "" + i, blob));
        }
        var head = "tree " + idOf(ObjectType.TREE, tree) + "\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\n";
        var most = bytes(head + "m".repeat(WHOLE - head.length()));
        var pack = new PackBuilder().blob("x").add(ObjectType.TREE, tree);
        assertEquals(
                3,
                site.accept(pack.add(ObjectType.COMMIT, most).build(), limits(1 << 20))
                        .objects());
        assertEquals(
                "a commit of 1001 bytes is larger than 1000 bytes, the most that can be looked through here:"
                        + " make it smaller",
                site.refuse(
                        new PackBuilder()
                                .add(ObjectType.COMMIT, join(most, bytes("m")))
                                .build(),
                        limits(1 << 20)));
        int twice = 2 * tree.length;
        assertTrue(site.refuse(
                        new PackBuilder()
                                .add(ObjectType.TREE, tree)
                                .deltaOn(12, delta(tree.length, twice, copy(0, tree.length), copy(0, tree.length)))
                                .build(),
                        limits(1 << 20))
                .startsWith("a tree of " + twice + " bytes is larger than 1000 bytes"));
    }

    /// The interruption comes while a delta of a few bytes has become an object of many.
    @Test
    void resolvingEndsSoonAfterNobodyWantsIt() throws IOException, InterruptedException {
        int base = (1 << 24) - 1;
        var copies = new byte[12][];
        Arrays.fill(copies, copy(0, base));
        var pack = new PackBuilder()
                .add(ObjectType.BLOB, new byte[base])
                .deltaOn(12, delta(base, 12L * base, copies))
                .build();
        var directory = Files.createDirectory(root.resolve("interrupted"));
        var resolving = new CountDownLatch(1);
        var outcome = new CompletableFuture<Throwable>();
        try (var reader = site.reader()) {
            var thread = Thread.ofPlatform()
                    .start(() -> outcome.complete(assertThrows(Throwable.class, () -> {
                        var _ = new PackIntake(PackLimits.DEFAULTS, 1, directory, reader, () -> new Slow(resolving))
                                .receive(new ByteArrayInputStream(pack));
                    })));
            resolving.await();
            thread.interrupt();
            thread.join();
        }
        assertInstanceOf(IOException.class, outcome.join());
        assertEquals(List.of(), Site.filesIn(directory));
    }

    /// Tells when the second object is looked at, and would not end before its thread is interrupted.
    private static final class Slow extends ObjectHash {
        private final CountDownLatch begun;
        private int objects;

        Slow(CountDownLatch begun) {
            this.begun = begun;
        }

        @Override
        void begin(ObjectType type, long size) {
            objects++;
            super.begin(type, size);
        }

        @Override
        void update(byte[] bytes, int from, int length) {
            if (objects < 2) {
                super.update(bytes, from, length);
            } else if (begun.getCount() > 0) {
                begun.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            } else {
                throw new AssertionError("goes on though nobody wants it");
            }
        }
    }
}
