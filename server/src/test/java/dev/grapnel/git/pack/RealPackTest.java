package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Packs that git makes come in, and their index is the one that git would write.
final class RealPackTest {
    @TempDir
    private static Path origin;

    @TempDir
    private Path root;

    private Path work;

    @BeforeAll
    static void makeRepository() throws IOException {
        Git.run(origin, "init", "-q", "work");
        var work = origin.resolve("work");
        var random = new Random(7);
        var lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 30; j++) {
                lines.append(random.nextLong()).append('\n');
            }
            Files.writeString(work.resolve("long.txt"), lines);
            Files.createDirectories(work.resolve("a/b" + i % 5));
            Files.writeString(work.resolve("a/b" + i % 5 + "/file" + i), "content " + i);
            Git.run(work, "add", ".");
            Git.run(work, "commit", "-qm", "change " + i);
        }
        Git.run(work, "tag", "-am", "a release", "v1");
        Git.run(work, "tag", "-am", "of a tree", "v-tree", "HEAD^{tree}");
        Git.run(work, "tag", "-am", "of a tag", "v-tag", "v1");
    }

    @BeforeEach
    void copyRepository() {
        work = root.resolve("work");
        Git.run(root, "clone", "-q", origin.resolve("work").toString(), "work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--delta-base-offset", "--depth=4000", "--depth=0", "--no-reuse-delta"})
    void packOfEverythingGetsTheIndexThatGitWrites(String option) throws IOException {
        try (var site = new Site(root)) {
            var pack = pack("", "--revs", "--all", option, "--window=50", "--no-reuse-object");
            var accepted = site.accept(pack);
            assertArrayEquals(pack, Files.readAllBytes(accepted.pack()));
            assertSameIndexAsGit(accepted);
            assertTrue(accepted.borrowed().isEmpty());
            assertEquals(pack.length, accepted.bytes());
        }
    }

    @Test
    void oneTellsWhatIsInThePack() throws IOException {
        try (var site = new Site(root)) {
            var accepted = site.accept(pack("", "--revs", "--all"));
            assertEquals(Optional.of(ObjectType.COMMIT), accepted.findType(id("HEAD")));
            assertEquals(Optional.of(ObjectType.TREE), accepted.findType(id("HEAD^{tree}")));
            assertEquals(Optional.of(ObjectType.BLOB), accepted.findType(id("HEAD:long.txt")));
            assertEquals(Optional.of(ObjectType.TAG), accepted.findType(id("refs/tags/v-tag")));
            assertEquals(Optional.empty(), accepted.findType(Oid.ZERO));
            assertEquals(
                    Git.run(work, "rev-list", "--all", "--objects", "--no-object-names")
                            .lines()
                            .count(),
                    accepted.objects());
        }
    }

    @Test
    void thinPackIsCompletedWithTheBasesItLeavesOut() throws IOException {
        try (var site = new Site(root)) {
            Git.run(work, "push", "-q", site.here().toString(), "HEAD~1:refs/heads/main");
            for (var option : new String[] {"--delta-base-offset", "--window=10"}) {
                var thin = pack("HEAD\n^HEAD~1\n", "--revs", "--thin", option);
                var accepted = site.accept(thin);
                assertTrue(accepted.bytes() > thin.length, "bases were appended");
                assertSameIndexAsGit(accepted);
                var borrowed = borrowedBy(accepted);
                assertEquals(accepted.borrowed().size(), borrowed.size(), "each once");
                assertTrue(borrowed.contains(id("HEAD~1")), "a parent");
                assertTrue(borrowed.contains(id("HEAD~1:long.txt")), "a base");
                assertTrue(borrowed.contains(id("HEAD~1:a/b0")), "a tree that did not change");
                assertEquals(Optional.empty(), accepted.findType(id("HEAD~1:long.txt")), "a base was not sent");
            }
        }
    }

    @Test
    void packThatIsHereAlreadyComesInAgain() throws IOException {
        try (var site = new Site(root)) {
            Git.run(work, "push", "-q", site.here().toString(), "HEAD:refs/heads/main");
            Git.run(site.here(), "repack", "-adq");
            assertSameIndexAsGit(site.accept(pack("", "--revs", "--all")));
        }
    }

    @Test
    void submodulesAreNoLinks() throws IOException {
        Git.run(root, "init", "-q", "other");
        Git.run(root.resolve("other"), "commit", "-q", "--allow-empty", "-m", "nothing");
        Git.run(work, "submodule", "add", "-q", root.resolve("other").toString(), "sub");
        Files.writeString(work.resolve(".gitattributes"), "*.txt text\n");
        Git.run(work, "add", ".");
        Git.run(work, "commit", "-qm", "with a submodule");
        try (var site = new Site(root)) {
            assertSameIndexAsGit(site.accept(pack("", "--revs", "--all")));
        }
    }

    @Test
    void emptyTreeComesIn() throws IOException {
        Git.run(work, "checkout", "-q", "--orphan", "empty");
        Git.run(work, "rm", "-rqf", ".");
        Git.run(work, "commit", "-q", "--allow-empty", "-m", "nothing");
        try (var site = new Site(root)) {
            var accepted = site.accept(pack("HEAD\n", "--revs"));
            assertSameIndexAsGit(accepted);
            assertEquals(2, accepted.objects());
        }
    }

    @Test
    void packWithoutObjectsIsEmpty() throws IOException {
        try (var site = new Site(root)) {
            assertInstanceOf(Intake.Empty.class, site.receive(pack("", "--stdout")));
        }
    }

    @Test
    void largeFilesAndTheirDeltasComeIn() throws IOException {
        var random = new Random(3);
        var content = new byte[9 << 20];
        random.nextBytes(content);
        for (int i = 0; i < 3; i++) {
            content[i << 20] ^= 1;
            Files.write(work.resolve("large.bin"), content);
            Git.run(work, "add", ".");
            Git.run(work, "commit", "-qm", "large " + i);
        }
        try (var site = new Site(root)) {
            var accepted = site.accept(pack("HEAD\n", "--revs", "--delta-base-offset"));
            assertTrue(accepted.bytes() < 12 << 20, "two of three are deltas");
            assertSameIndexAsGit(accepted);

            Git.run(work, "push", "-q", site.here().toString(), "HEAD:refs/heads/main");
            Git.run(site.here(), "repack", "-adq");
            content[100] ^= 1;
            Files.write(work.resolve("large.bin"), content);
            Git.run(work, "add", ".");
            Git.run(work, "commit", "-qm", "large once more");
            var thin = pack("HEAD\n^HEAD~1\n", "--revs", "--thin", "--delta-base-offset");
            assertTrue(thin.length < 1 << 20);
            assertSameIndexAsGit(site.accept(thin));
            assertSameIndexAsGit(site.accept(pack("HEAD\n", "--revs", "--delta-base-offset")));
        }
    }

    private Oid id(String revision) {
        return GitIds.of(ObjectId.fromString(Git.run(work, "rev-parse", revision)));
    }

    private static Set<Oid> borrowedBy(ReceivedPack pack) {
        var ids = new HashSet<Oid>();
        pack.borrowed().forEach(ids::add);
        return ids;
    }

    private byte[] pack(String revisions, String... options) {
        var arguments = new String[options.length + 3];
        arguments[0] = "pack-objects";
        arguments[1] = "-q";
        arguments[2] = "--stdout";
        System.arraycopy(options, 0, arguments, 3, options.length);
        return Git.feed(work, revisions.getBytes(StandardCharsets.UTF_8), arguments);
    }

    private void assertSameIndexAsGit(ReceivedPack accepted) throws IOException {
        var copy = Files.createTempDirectory(root, "git").resolve("copy.pack");
        Files.copy(accepted.pack(), copy);
        var name = Git.run(work, "index-pack", copy.toString());
        assertEquals("pack-" + name + ".pack", String.valueOf(accepted.pack().getFileName()));
        assertEquals(-1, Files.mismatch(accepted.index(), copy.resolveSibling("copy.idx")));
        Git.run(work, "verify-pack", accepted.index().toString());
    }
}
