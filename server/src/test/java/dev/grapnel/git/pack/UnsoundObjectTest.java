package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static dev.grapnel.git.pack.PackBuilder.join;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The profile P-809: what is refused in objects, and which old flaws are not.
final class UnsoundObjectTest {
    private static final Oid FILE = idOfBlob("file");
    private static final Oid EMPTY_TREE = idOf(ObjectType.TREE, new byte[0]);
    private static final String PERSON = "A <a@example.org> 1 +0000\n";

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
    void entriesOutOfOrderAreRefused() throws IOException {
        assertTreeRefused("the entries of a tree are not in order", file("b"), file("a"));
        assertTreeRefused("the entries of a tree are not in order", directory("a"), file("a-b"));
        assertTreeRefused("the entries of a tree are not in order", file("a0"), directory("a"));
        assertTreeAccepted(file("a"), file("a-b"), file("ab"));
        assertTreeAccepted(file("a-b"), directory("a"), file("a0"));
    }

    @Test
    void entriesOfOneNameAreRefused() throws IOException {
        assertTreeRefused("a tree has two entries of one name", file("a"), file("a"));
        assertTreeRefused("a tree has two entries of one name", directory("a"), directory("a"));
        assertTreeRefused("a tree has two entries of one name", file("a"), directory("a"));
        assertTreeRefused("a tree has two entries of one name", file("a"), file("a-"), directory("a"));
        assertTreeRefused(
                "a tree has two entries of one name",
                file("a"),
                file("a-"),
                file("a--"),
                directory("a-"),
                directory("a"));
        assertTreeAccepted(file("A"), file("a"), file("a-"), file("a--"), directory("a0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git",
                ".GIT",
                ".gIt",
                "git~1",
                "GIT~1",
                ".git ",
                ".git.",
                ".git . .",
                ".git::$INDEX_ALLOCATION",
                ".git\\hooks",
                "a\\.git",
                "a\\git~1",
                ".g\u00e2\u0080\u008cit",
                "\u00ef\u00bb\u00bf.git",
                ".git\u00e2\u0081\u00af"
            })
    void namesThatSomeSystemTakesForGitAreRefused(String name) throws IOException {
        assertTreeRefused("a tree entry is named like .git", file(name));
        assertTreeRefused("a tree entry is named like .git", directory(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {".gitignore", ".github", "git", ".gi", "git~2", ".git-x", "\u00e2\u0080\u0093", "a\\b"})
    void otherNamesAreFine(String name) throws IOException {
        assertTreeAccepted(file(name));
    }

    @Test
    void namesThatLeadElsewhereAreRefused() throws IOException {
        assertTreeRefused("a tree entry is named .", file("."));
        assertTreeRefused("a tree entry is named ..", directory(".."));
        assertTreeRefused("a tree entry has no name", file(""));
        assertTreeRefused("a tree entry has a name with a slash", file("a/b"));
        assertTreeRefused("a tree entry has a name of more than 4096 bytes", file("x".repeat(4097)));
        assertTreeAccepted(file("x".repeat(4096)));
    }

    @Test
    void brokenEntriesAreRefused() throws IOException {
        assertTreeRefused("a tree entry has the null id", entry("100644", "a", Oid.ZERO));
        assertTreeRefused("a tree entry has the null id", entry("160000", "a", Oid.ZERO));
        for (var mode : new String[] {"", "0", "644", "9", "777777777777", "0000000000100644", "-1"}) {
            assertTreeRefused("a tree entry has a mode that is not one", entry(mode, "a", FILE));
        }
        assertTreeRefused("a tree ends within an entry", file("a"), bytes("100644 b\0too short"));
        assertTreeRefused("a tree ends within an entry", bytes("100644"));
        assertTreeRefused("a tree ends within an entry", bytes("100644 name"));
    }

    @Test
    void historicModesAreTolerated() throws IOException {
        assertTreeAccepted(entry("0100644", "a", FILE), entry("040000", "b", EMPTY_TREE));
        assertTreeAccepted(entry("100664", "a", FILE), entry("120000", "b", FILE), entry("100600", "c", FILE));
    }

    @Test
    void treeOfManyEntriesIsReadToItsEnd() throws IOException {
        var entries = new byte[30_000][];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = file("file" + (100_000 + i));
        }
        assertTreeAccepted(entries);
        entries[29_999] = file("file");
        assertTreeRefused("the entries of a tree are not in order", entries);
        entries[29_999] = file("filf/");
        assertTreeRefused("a tree entry has a name with a slash", entries);
    }

    @Test
    void brokenCommitsAreRefused() throws IOException {
        assertRefused(ObjectType.COMMIT, "a commit has no tree where it should be", "");
        assertRefused(ObjectType.COMMIT, "a commit has no tree where it should be", "author " + PERSON);
        assertRefused(ObjectType.COMMIT, "a commit has no tree where it should be", "tree 1234");
        assertRefused(ObjectType.COMMIT, "a commit has an id that is not one", "tree " + "x".repeat(40) + "\n\n");
        assertRefused(ObjectType.COMMIT, "a commit has an id that is not one", "tree " + EMPTY_TREE + "0\n\n");
        assertRefused(ObjectType.COMMIT, "a commit has the null id", "tree " + Oid.ZERO + "\nauthor " + PERSON);
        var tree = "tree " + EMPTY_TREE + "\n";
        assertRefused(ObjectType.COMMIT, "a commit has no author where it should be", tree);
        assertRefused(ObjectType.COMMIT, "a commit has no author where it should be", tree + "committer " + PERSON);
        assertRefused(ObjectType.COMMIT, "a commit has no author where it should be", tree + "parent");
        assertRefused(ObjectType.COMMIT, "a commit has an id that is not one", tree + "parent 12" + "\n".repeat(50));
        assertRefused(ObjectType.COMMIT, "a commit has no committer where it should be", tree + "author " + PERSON);
        var head = tree + "author " + PERSON + "committer ";
        assertRefused(ObjectType.COMMIT, "the head of a commit does not end", head + "A");
        assertRefused(ObjectType.COMMIT, "a commit has a NUL in its head", head + "A\0\n\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "99999999999999999999999", "018446744073709551615"})
    void datesThatNoNumberHoldsAreRefused(String seconds) throws IOException {
        var person = "A <a@example.org> " + seconds + " +0000\n";
        var tree = "tree " + EMPTY_TREE + "\n";
        var flaw = "a commit has a date that is too large for a number";
        assertRefused(ObjectType.COMMIT, flaw, tree + "author " + person + "committer " + PERSON + "\n");
        assertRefused(ObjectType.COMMIT, flaw, tree + "author " + PERSON + "committer " + person + "\n");
        assertRefused(
                ObjectType.TAG,
                "a tag has a date that is too large for a number",
                "object " + FILE + "\ntype blob\ntag v1\ntagger " + person + "\n");
    }

    @Test
    void largestDateAndNumbersElsewhereAreTaken() throws IOException {
        var large = "99999999999999999999999";
        var person = large + " <" + large + "> 9223372036854775807 +0000 " + large + "\n";
        var commit = "tree " + EMPTY_TREE + "\nauthor " + person + "committer " + person + "other > " + large + "\n\n> "
                + large;
        site.accept(new PackBuilder()
                .add(ObjectType.COMMIT, bytes(commit))
                .add(ObjectType.TREE, new byte[0])
                .build());
        var tag = "object " + FILE + "\ntype blob\ntag v1\ntag > " + large + "\n\n";
        site.accept(
                new PackBuilder().add(ObjectType.TAG, bytes(tag)).blob("file").build());
    }

    @Test
    void flawsOfOldCommitsAreTolerated() throws IOException {
        for (var person :
                new String[] {"", "A", "A <a 1 0", "<>", "A <a@b>1 +0000", "A <a@b> 99999999999999 +051800"}) {
            var commit = bytes("tree " + EMPTY_TREE + "\nauthor " + person + "\ncommitter " + person
                    + "\nencoding x\ngpgsig a\n b\n\nmessage \0 with anything");
            site.accept(new PackBuilder()
                    .add(ObjectType.COMMIT, commit)
                    .add(ObjectType.TREE, new byte[0])
                    .build());
        }
        site.accept(new PackBuilder()
                .add(ObjectType.COMMIT, bytes("tree " + EMPTY_TREE + "\nauthor " + PERSON + "committer " + PERSON))
                .add(ObjectType.TREE, new byte[0])
                .build());
    }

    @Test
    void headOfAnyLengthIsReadToItsEnd() throws IOException {
        var head = "tree " + EMPTY_TREE + "\nauthor " + "A".repeat(100_000) + "\ncommitter " + PERSON + "extra ";
        site.accept(new PackBuilder()
                .add(ObjectType.COMMIT, bytes(head + "x".repeat(200_000) + "\n\nmessage"))
                .add(ObjectType.TREE, new byte[0])
                .build());
        assertRefused(ObjectType.COMMIT, "the head of a commit does not end", head + "x".repeat(200_000));
    }

    @Test
    void brokenTagsAreRefused() throws IOException {
        assertRefused(ObjectType.TAG, "a tag has no object where it should be", "tag v1\n");
        var object = "object " + FILE + "\n";
        assertRefused(ObjectType.TAG, "a tag has no type where it should be", object);
        assertRefused(
                ObjectType.TAG, "a tag is of something that is no type of object", object + "type thing\ntag v\n");
        assertRefused(ObjectType.TAG, "a tag is of something that is no type of object", object + "type blobby\n\n\n");
        assertRefused(ObjectType.TAG, "a tag has no tag where it should be", object + "type blob\n");
        assertRefused(ObjectType.TAG, "the head of a tag does not end", object + "type blob\ntag v1");
        var bare = bytes(object + "type blob\ntag v1\n");
        site.accept(new PackBuilder().add(ObjectType.TAG, bare).blob("file").build());
    }

    @Test
    void flawOfAnObjectMadeByDeltaIsFound() throws IOException {
        var bad = "tree 1\nauthor";
        var commit = RefusedPackTest.commit(EMPTY_TREE, "");
        assertEquals(
                "object " + idOf(ObjectType.COMMIT, bytes(bad)) + ": a commit has no tree where it should be",
                site.refuse(new PackBuilder()
                        .add(ObjectType.COMMIT, commit)
                        .deltaOn(12, PackBuilder.delta(commit.length, bad.length(), insert(bad)))
                        .add(ObjectType.TREE, new byte[0])
                        .build()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".gitmodules",
                ".GitModules",
                "gitmod~1",
                "GITMOD~4",
                "gi7eba~1",
                "GI7EB~12",
                "g~123456",
                "~1234567",
                ".gitmodules ",
                ".gitmodules.:stream",
                ".gitmodu\u00e2\u0080\u008cles",
                "a\\.gitmodules"
            })
    void submodulesFileIsReadWhateverItIsCalled(String name) throws IOException {
        var bad = "[submodule \"../../x\"]\n\turl = https://example.org/x\n";
        assertFileRefused(".gitmodules has a bad submodule name", name, bad);
        assertTreeRefused(".gitmodules is a symbolic link", entry("120000", name, FILE));
        assertTreeRefused(".gitmodules is not a file", entry("40000", name, EMPTY_TREE));
    }

    @Test
    void submodulesFileThatWasHereUnderAnotherNameIsRead() throws IOException {
        var bad = "[submodule \"x\"]\n\turl = -u./payload\n";
        new GitProgram(site.here()).pipe(bytes(bad), "hash-object", "-w", "--stdin");
        var tree = entry("100644", ".gitmodules", idOfBlob(bad));
        assertEquals(
                "object " + idOfBlob(bad) + ": .gitmodules has a bad submodule url",
                site.refuse(new PackBuilder().add(ObjectType.TREE, tree).build()));
    }

    @Test
    void submodulesFileMayBeLargeButNotTooLarge() throws IOException {
        var line = "# nothing\n";
        assertFileAccepted(".gitmodules", line.repeat(1000));
        assertFileRefused(
                ".gitmodules is larger than 4 MiB", ".gitmodules", line.repeat(SubmodulesFile.BYTES_MAX / 10 + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {".gitattributes", ".GITATTRIBUTES", "gitatt~1", "gi7d29~1"})
    void attributesFileThatHarmsClientsIsRefused(String name) throws IOException {
        assertFileAccepted(name, "*.txt " + "x".repeat(2041) + "\n*.c text\n");
        assertFileRefused(
                ".gitattributes has a line of more than 2047 bytes", name, "*.txt " + "x".repeat(2042) + "\n");
        assertTreeRefused(".gitattributes is not a file", entry("40000", name, EMPTY_TREE));
        assertTreeAccepted(entry("120000", name, FILE));
    }

    @Test
    void attributesFileOfOverHundredMebibytesIsRefused() {
        assertEquals(null, new AttributesFile(100 << 20).flaw());
        assertEquals(".gitattributes is larger than 100 MiB", new AttributesFile((100 << 20) + 1).flaw());
    }

    private void assertFileAccepted(String name, String content) throws IOException {
        site.accept(treeWith(name, content));
    }

    private void assertFileRefused(String flaw, String name, String content) throws IOException {
        assertEquals("object " + idOfBlob(content) + ": " + flaw, site.refuse(treeWith(name, content)));
    }

    private static byte[] treeWith(String name, String content) {
        return new PackBuilder()
                .blob(content)
                .add(ObjectType.TREE, entry("100644", name, idOfBlob(content)))
                .build();
    }

    private void assertTreeRefused(String flaw, byte[]... entries) throws IOException {
        assertRefused(ObjectType.TREE, flaw, join(entries));
    }

    private void assertRefused(ObjectType type, String flaw, String content) throws IOException {
        assertRefused(type, flaw, bytes(content));
    }

    private void assertRefused(ObjectType type, String flaw, byte[] content) throws IOException {
        assertEquals(
                "object " + idOf(type, content) + ": " + flaw,
                site.refuse(new PackBuilder().add(type, content).build()));
    }

    private void assertTreeAccepted(byte[]... entries) throws IOException {
        site.accept(new PackBuilder()
                .add(ObjectType.TREE, join(entries))
                .blob("file")
                .add(ObjectType.TREE, new byte[0])
                .build());
    }

    private static byte[] file(String name) {
        return entry("100644", name, FILE);
    }

    private static byte[] directory(String name) {
        return entry("40000", name, EMPTY_TREE);
    }
}
