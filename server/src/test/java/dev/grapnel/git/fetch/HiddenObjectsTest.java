package dev.grapnel.git.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether something is hidden here, is in another repository or nowhere at all: nobody can tell.
final class HiddenObjectsTest {
    private static final int COMMITS = 60;
    private static final List<Boolean> VERSION_2 = List.of(false, true);
    private static final long DAY = 86_400;

    @TempDir
    private Path directory;

    private Served served;
    private Served foreign;
    private Offer offer;
    private String tip = "";

    /// What somebody may guess, and where it is.
    private record Thing(String commit, String tag, String tree, String blob) {
        Stream<String> all() {
            return Stream.of(commit, tag, tree, blob);
        }
    }

    private Thing hidden;
    private List<Thing> others = List.of();

    @BeforeEach
    void prepare() throws IOException {
        served = new Served(directory.resolve("served"));
        foreign = new Served(directory.resolve("foreign"));
        var stream = new StringBuilder();
        for (int i = 0; i < COMMITS; i++) {
            stream.append("commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 1\nm\n"
                            .formatted(1_700_000_000 + i * DAY))
                    .append("M 100644 inline d/f%d\ndata 3\nv%02d\n\n".formatted(i, i));
        }
        served.git().feed(stream.toString(), "fast-import", "--quiet");
        tip = served.git().run("rev-parse", "main");
        hidden = thing(served.git(), "hidden");
        others = List.of(
                thing(foreign.git(), "foreign"),
                new Thing("1".repeat(40), "2".repeat(40), "3".repeat(40), "4".repeat(40)));
        offer = served.offer(HiddenObjectsTest::isHidden);
    }

    private static boolean isHidden(RefName name) {
        return name.text().contains("hidden");
    }

    private Thing thing(GitProgram git, String name) {
        var blob = git.feed(name, "hash-object", "-w", "--stdin");
        var tree = git.feed("100644 blob " + blob + "\t" + name + "\n", "mktree");
        var parent = name.equals("hidden") ? new String[] {"-p", tip} : new String[0];
        var arguments = new ArrayList<>(List.of("commit-tree", tree, "-m", name));
        arguments.addAll(List.of(parent));
        var commit = git.run(arguments.toArray(String[]::new));
        var tag = git.tag(name, GitProgram.oid(commit)).toString();
        git.run("update-ref", "refs/heads/" + name, commit);
        git.run("update-ref", "refs/tags/" + name, tag);
        return new Thing(commit, tag, tree, blob);
    }

    @AfterEach
    void close() {
        served.close();
        foreign.close();
    }

    private String answer(boolean version2, List<String> lines, List<String> haves) throws IOException {
        var all = new ArrayList<>(lines);
        if (version2) {
            all.addAll(haves);
        } else {
            all.set(0, all.getFirst() + " multi_ack_detailed side-band-64k filter deepen-relative");
        }
        var request = version2 ? Served.version2("fetch", all) : Served.version0(all, haves);
        return Served.text(Served.answer(offer, request, version2));
    }

    /// Every answer is the same, but for the id in it.
    private void assertAlike(String secret, String other, List<String> lines, List<String> haves) throws IOException {
        for (boolean version2 : VERSION_2) {
            assertEquals(
                    answer(version2, in(lines, other), in(haves, other)).replace(other, "ID"),
                    answer(version2, in(lines, secret), in(haves, secret)).replace(secret, "ID"),
                    lines + " " + haves + (version2 ? " version 2" : " version 0"));
        }
    }

    private List<String> in(List<String> lines, String id) {
        return lines.stream()
                .map(line -> line.replace("ID", id).replace("TIP", tip))
                .toList();
    }

    @Test
    void wantsAreRefusedAlike() throws IOException {
        for (var lines : List.of(
                List.of("want ID"),
                List.of("want TIP", "want ID"),
                List.of("want ID", "filter blob:none"),
                List.of("want ID", "filter tree:0"),
                List.of("want ID", "deepen 1"),
                List.of("want ID", "deepen-since 1"),
                List.of("want ID", "deepen-not main"),
                List.of("want ID", "shallow TIP", "deepen 2147483647"))) {
            var secrets = hidden.all().toList();
            for (var thing : others) {
                var guesses = thing.all().toList();
                for (int i = 0; i < secrets.size(); i++) {
                    assertAlike(secrets.get(i), guesses.get(i), lines, List.of("done"));
                }
            }
        }
        var refused = answer(false, List.of("want " + hidden.commit()), List.of("done"));
        assertTrue(refused.endsWith("ERR upload-pack: not our ref " + hidden.commit() + "\n"), refused);
    }

    /// Which of several it is that cannot be had does not depend on where it is, but on what stands first.
    @Test
    void firstWantIsNamedWhereverItIs() throws IOException {
        var nowhere = "5".repeat(40);
        for (var pair : List.of(List.of(hidden.blob(), nowhere), List.of(nowhere, hidden.blob()))) {
            for (boolean version2 : VERSION_2) {
                var wants = pair.stream().map(id -> "want " + id).toList();
                var answer = answer(version2, wants, List.of("done"));
                assertTrue(answer.contains("not our ref " + pair.getFirst()), answer);
            }
        }
    }

    @Test
    void nothingHiddenIsAcknowledged() throws IOException {
        for (var haves :
                List.of(List.of("have ID"), List.of("have ID", "have TIP"), List.of("have TIP", "have ID", "done"))) {
            for (var other : others) {
                assertAlike(hidden.commit(), other.commit(), List.of("want TIP"), haves);
                assertAlike(hidden.tag(), other.tag(), List.of("want TIP"), haves);
            }
        }
        for (boolean version2 : VERSION_2) {
            assertFalse(answer(version2, List.of("want " + tip), List.of("have " + hidden.commit()))
                    .contains(hidden.commit()));
        }
    }

    @Test
    void hiddenEndsOfHistoryEndNothing() throws IOException {
        for (var depth : List.of("deepen 2", "deepen 2147483647", "deepen-since 1700000000", "deepen-not main~3")) {
            for (var other : others) {
                for (var secret : List.of(hidden.commit(), hidden.blob(), hidden.tree(), hidden.tag())) {
                    assertAlike(secret, other.commit(), List.of("want TIP", "shallow ID", depth), List.of("done"));
                }
            }
        }
        for (var other : others) {
            assertAlike(hidden.commit(), other.commit(), List.of("want TIP", "shallow ID"), List.of("done"));
        }
    }

    /// What is named as the end of history may be no commit at all.
    @Test
    void endOfHistoryThatIsNoCommitHarmsNobody() throws IOException {
        for (var name : List.of("main^{tree}", "main:d", "main:d/f3")) {
            var id = served.git().run("rev-parse", name);
            assertAlike(id, "6".repeat(40), List.of("want TIP", "shallow ID"), List.of("done"));
            assertAlike(id, "6".repeat(40), List.of("want TIP", "shallow ID", "deepen 3"), List.of("done"));
        }
    }

    @Test
    void hiddenRefsAreNoRefs() throws IOException {
        for (var name : List.of("refs/heads/hidden", "hidden", "refs/tags/hidden", "heads/hidden", "tags/hidden")) {
            for (boolean version2 : VERSION_2) {
                var about = answer(version2, List.of("want " + tip, "deepen-not " + name), List.of("done"));
                var unknown = answer(version2, List.of("want " + tip, "deepen-not un" + name), List.of("done"));
                assertEquals(
                        unknown.replace("un" + name, name).substring(4), // the length of the line
                        about.substring(4));
            }
        }
        for (var prefix : List.of("refs/heads/hidden", "refs/heads/h", "refs/tags/", "refs/")) {
            var request = Served.version2("ls-refs", List.of("peel", "ref-prefix " + prefix));
            var listed = Served.text(Served.answer(offer, request, true));
            assertFalse(listed.contains("hidden"), listed);
            assertFalse(listed.contains(hidden.commit()), listed);
        }
    }

    /// A submodule names a commit of another repository. Whoever names a hidden one of this repository like
    /// that does not get it.
    @Test
    void submodulesLeadNowhere() throws IOException {
        for (var where : List.of("sub", "d/sub")) {
            served.git()
                    .feed(
                            "commit refs/heads/main\ncommitter A <a@b> 1800000000 +0000\ndata 1\nm\nfrom refs/heads/main^0\n"
                                    + "M 160000 " + hidden.commit() + " " + where + "\n\n",
                            "fast-import",
                            "--quiet");
        }
        offer = served.offer(HiddenObjectsTest::isHidden);
        for (boolean version2 : VERSION_2) {
            var answer = answer(version2, List.of("want " + hidden.commit()), List.of("done"));
            assertTrue(answer.contains("not our ref " + hidden.commit()), answer.substring(0, 40));
        }
    }

    /// How long an answer takes tells as much as its words.
    @Test
    void hiddenCostsAsMuchAsNowhere() throws IOException {
        var counted = new CountedObjects(offer.objects());
        var measured = new Offer(counted, offer.refs(), List.of(), false);
        for (var lines : List.of(List.of("want ID"), List.of("want TIP", "shallow ID", "deepen 2147483647"))) {
            long secret = looks(measured, counted, lines, hidden.commit());
            long nowhere = looks(measured, counted, lines, "7".repeat(40));
            assertTrue(Math.abs(secret - nowhere) < 8, lines + ": " + secret + " and " + nowhere);
        }
    }

    /// Clients name many commits that were never here, so these must cost nothing; a hidden one leads no further
    /// back than to its own date.
    @Test
    void hiddenCommitOfAClientCostsLittle() throws IOException {
        var counted = new CountedObjects(offer.objects());
        var measured = new Offer(counted, offer.refs(), List.of(), false);
        long secret = looks(measured, counted, List.of("want TIP", "have ID"), hidden.commit());
        long daysSince = 14;
        assertTrue(secret < daysSince + 8, secret + " objects were looked at");
    }

    private long looks(Offer measured, CountedObjects counted, List<String> lines, String id) throws IOException {
        counted.takeLooks();
        var request = Served.version2("fetch", in(lines, id));
        Served.answer(measured, request, true);
        return counted.takeLooks();
    }

    @Test
    void whatIsVisibleIsStillServed() throws IOException {
        for (var name : List.of("main", "main~40", "main~40^{tree}", "main~3:d", "main:d/f3")) {
            var id = served.git().run("rev-parse", name);
            for (boolean version2 : VERSION_2) {
                assertTrue(
                        answer(version2, List.of("want " + id), List.of("done")).contains("PACK"), name);
            }
        }
    }
}
