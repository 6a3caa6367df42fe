package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
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
        new GitProgram(origin).run("init", "-q", "work");
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
            new GitProgram(work).run("add", ".");
            new GitProgram(work).run("commit", "-qm", "change " + i);
        }
        new GitProgram(work).run("tag", "-am", "a release", "v1");
        new GitProgram(work).run("tag", "-am", "of a tree", "v-tree", "HEAD^{tree}");
        new GitProgram(work).run("tag", "-am", "of a tag", "v-tag", "v1");
    }

    @BeforeEach
    void copyRepository() {
        work = root.resolve("work");
        new GitProgram(root).run("clone", "-q", origin.resolve("work").toString(), "work");
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
                    new GitProgram(work)
                            .run("rev-list", "--all", "--objects", "--no-object-names")
                            .lines()
                            .count(),
                    accepted.objects());
        }
    }

    @Test
    void thinPackIsCompletedWithTheBasesItLeavesOut() throws IOException {
        try (var site = new Site(root)) {
            new GitProgram(work).run("push", "-q", site.here().toString(), "HEAD~1:refs/heads/main");
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
            new GitProgram(work).run("push", "-q", site.here().toString(), "HEAD:refs/heads/main");
            new GitProgram(site.here()).run("repack", "-adq");
            assertSameIndexAsGit(site.accept(pack("", "--revs", "--all")));
        }
    }

    @Test
    void submodulesAreNoLinks() throws IOException {
        new GitProgram(root).run("init", "-q", "other");
        new GitProgram(root.resolve("other")).run("commit", "-q", "--allow-empty", "-m", "nothing");
        new GitProgram(work).run("submodule", "add", "-q", root.resolve("other").toString(), "sub");
        Files.writeString(work.resolve(".gitattributes"), "*.txt text\n");
        new GitProgram(work).run("add", ".");
        new GitProgram(work).run("commit", "-qm", "with a submodule");
        try (var site = new Site(root)) {
            assertSameIndexAsGit(site.accept(pack("", "--revs", "--all")));
        }
    }

    @Test
    void emptyTreeComesIn() throws IOException {
        new GitProgram(work).run("checkout", "-q", "--orphan", "empty");
        new GitProgram(work).run("rm", "-rqf", ".");
        new GitProgram(work).run("commit", "-q", "--allow-empty", "-m", "nothing");
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
            new GitProgram(work).run("add", ".");
            new GitProgram(work).run("commit", "-qm", "large " + i);
        }
        try (var site = new Site(root)) {
            var accepted = site.accept(pack("HEAD\n", "--revs", "--delta-base-offset"));
            assertTrue(accepted.bytes() < 12 << 20, "two of three are deltas");
            assertSameIndexAsGit(accepted);

            new GitProgram(work).run("push", "-q", site.here().toString(), "HEAD:refs/heads/main");
            new GitProgram(site.here()).run("repack", "-adq");
            content[100] ^= 1;
            Files.write(work.resolve("large.bin"), content);
            new GitProgram(work).run("add", ".");
            new GitProgram(work).run("commit", "-qm", "large once more");
            var thin = pack("HEAD\n^HEAD~1\n", "--revs", "--thin", "--delta-base-offset");
            assertTrue(thin.length < 1 << 20);
            assertSameIndexAsGit(site.accept(thin));
            assertSameIndexAsGit(site.accept(pack("HEAD\n", "--revs", "--delta-base-offset")));
        }
    }

    private Oid id(String revision) {
        return GitIds.of(ObjectId.fromString(new GitProgram(work).run("rev-parse", revision)));
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
        return new GitProgram(work).pipe(revisions.getBytes(StandardCharsets.UTF_8), arguments);
    }

    private void assertSameIndexAsGit(ReceivedPack accepted) throws IOException {
        var copy = Files.createTempDirectory(root, "git").resolve("copy.pack");
        Files.copy(accepted.pack(), copy);
        var name = new GitProgram(work).run("index-pack", copy.toString());
        assertEquals("pack-" + name + ".pack", String.valueOf(accepted.pack().getFileName()));
        assertEquals(-1, Files.mismatch(accepted.index(), copy.resolveSibling("copy.idx")));
        new GitProgram(work).run("verify-pack", accepted.index().toString());
    }
}
