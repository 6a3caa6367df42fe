package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Service A.3, row by row, with stock git: main and dev are there, their state is of second 10.
final class PushRowsTest extends GraspGitTest {
    private static final String MAIN = "refs/heads/main";
    private static final String DEV = "refs/heads/dev";

    private String c1;
    private String c2;
    private String c3;
    private String c4;
    private long begin;

    @BeforeEach
    void serveTwoBranches() throws IOException {
        begin = server.now();
        c1 = commit("main");
        c2 = commit("dev");
        serve(ANN, "x", begin + 10, Map.of(MAIN, c1, DEV, c2));
        c3 = commit("third");
        c4 = commit("fourth");
    }

    private Event sign(long second, Map<String, String> refs) throws IOException {
        var state = state(ANN, "x", begin + second, refs);
        client.publish(state);
        return state;
    }

    private static Map<String, String> withHead(Map<String, String> refs, String head) {
        var all = new TreeMap<>(refs);
        all.put("HEAD", "ref: " + head);
        return all;
    }

    private void assertRefs(Map<String, String> expected) {
        assertEquals(withHead(expected, MAIN), refs(ANN, "x"));
    }

    private void assertServed(Event state) {
        assertTrue(server.isServed(state) && !server.isHeld(state));
    }

    private void assertRefused(String reason, String... refs) {
        var before = refs(ANN, "x");
        var words = push(ANN, "x", refs).orSucceed();
        assertTrue(words.contains(reason), words);
        assertEquals(before, refs(ANN, "x"));
    }

    @Test
    void declaredBranchMovesBesideOneThatStays() throws IOException {
        var state = sign(11, Map.of(MAIN, c3, DEV, c2));
        push(ANN, "x", c3 + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, c3, DEV, c2));
        assertServed(state);
    }

    @Test
    void whatAStateLeavesOutGoesWithThePush() throws IOException {
        sign(11, Map.of(MAIN, c3));
        push(ANN, "x", c3 + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, c3));
    }

    @Test
    void whatAStateLeavesOutMayBeDeletedByThePush() throws IOException {
        sign(11, Map.of(MAIN, c3));
        push(ANN, "x", c3 + ":" + MAIN, ":" + DEV).orFail();
        assertRefs(Map.of(MAIN, c3));
    }

    @Test
    void partOfWhatIsMissingIsRefused() throws IOException {
        var separate =
                git.ok(work, "commit-tree", "-m", "separate", c1 + "^{tree}").strip();
        sign(11, Map.of(MAIN, c3, DEV, separate));
        assertRefused("refs/heads/dev missing (state declares " + separate.substring(0, 8) + ")", c3 + ":" + MAIN);
    }

    /// Service 6.9: what a trusted proxy says, else that whoever came without one used none.
    @Test
    void hintNamesTheAddressByWhichTheClientCame() throws IOException {
        var separate =
                git.ok(work, "commit-tree", "-m", "separate", c1 + "^{tree}").strip();
        sign(11, Map.of(MAIN, c3, DEV, separate));
        assertRefused("hint: git push http://", c3 + ":" + MAIN);
        var words = git.run(
                        work, "-c", "http.extraHeader=X-Forwarded-Proto: https", "push", url(ANN, "x"), c3 + ":" + MAIN)
                .orSucceed();
        assertTrue(words.contains("hint: git push https://"), words);
    }

    @Test
    void whatIsNotPushedMayBeHereAsAnObject() throws IOException {
        sign(11, Map.of(MAIN, c3, DEV, c1));
        push(ANN, "x", c3 + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, c3, DEV, c1));
    }

    @Test
    void annotatedTagComesWithItsPeeledEntryIgnored() throws IOException {
        git.ok(work, "tag", "-a", "-m", "one", "v1", c3);
        var tag = git.ok(work, "rev-parse", "refs/tags/v1").strip();
        sign(11, Map.of(MAIN, c3, "refs/tags/v1", tag, "refs/tags/v1^{}", c3));
        push(ANN, "x", c3 + ":" + MAIN, "refs/tags/v1").orFail();
        assertRefs(Map.of(MAIN, c3, "refs/tags/v1", tag, "refs/tags/v1^{}", c3));
    }

    @Test
    void olderStateNeverAuthorises() throws IOException {
        assertEquals(
                "duplicate: have a newer version",
                client.publish(state(ANN, "x", begin + 9, Map.of(MAIN, c3))).message());
        assertRefused("No state events in purgatory", c3 + ":" + MAIN);
    }

    @Test
    void olderOfTwoHeldStatesIsReleasedFirst() throws IOException {
        var older = sign(11, Map.of(MAIN, c3));
        var newer = sign(12, Map.of(MAIN, c4));
        push(ANN, "x", c3 + ":" + MAIN).orFail();
        assertServed(older);
        assertTrue(server.isHeld(newer));
        assertRefs(Map.of(MAIN, c3));
        push(ANN, "x", c4 + ":" + MAIN).orFail();
        assertServed(newer);
        assertFalse(server.isServed(older));
        assertRefs(Map.of(MAIN, c4));
    }

    @Test
    void outsidersStateIsRefusedAndSoIsThePush() throws IOException {
        assertFalse(
                client.publish(state(BOB, "x", begin + 11, Map.of(MAIN, c3))).accepted());
        assertRefused("No state events in purgatory", c3 + ":" + MAIN);
    }

    @Test
    void pushOfWhatIsThereNeedsNoState() {
        push(ANN, "x", c1 + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, c1, DEV, c2));
    }

    @Test
    void pushWithoutAnyStateIsRefused() {
        assertRefused("No state events in purgatory", c3 + ":" + MAIN);
    }

    @Test
    void headThatIsNotDeclaredIsIgnored() throws IOException {
        sign(11, Map.of(MAIN, c3, "HEAD", "ref: refs/heads/dev"));
        push(ANN, "x", c3 + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, c3));
    }

    @Test
    void emptyStateTakesRefsAwayAndTheNextBringsThemBack() throws IOException {
        assertEquals("", client.publish(state(ANN, "x", begin + 11, Map.of())).message());
        assertEquals("", git.ok(work, "ls-remote", url(ANN, "x")).replaceAll(".*HEAD\n", ""));
        assertRefused("No state events in purgatory", c3 + ":" + MAIN);
        assertEquals(
                "",
                client.publish(state(ANN, "x", begin + 12, Map.of(MAIN, c1))).message());
        assertRefs(Map.of(MAIN, c1));
    }

    @Test
    void invitedPersonsStateAndPushAreRefused() throws IOException {
        client.publishOk(server.announcementAt(begin + 11, ANN, "x", GraspUnderTest.maintainers(BOB)));
        var ok = client.publish(state(BOB, "x", begin + 12, Map.of(MAIN, c3)));
        assertTrue(ok.message().contains("(invited by "), ok.message());
        assertRefused("No state events in purgatory", c3 + ":" + MAIN);
    }

    /// A.4b: the lower id of one second governs, whoever signed it, in store, push and refs alike (row 181).
    @Test
    void lowerIdOfOneSecondGoverns() throws IOException {
        client.publishOk(server.announcementAt(begin + 11, ANN, "x", GraspUnderTest.maintainers(BOB)));
        client.publishOk(server.announcementAt(begin + 11, BOB, "x", GraspUnderTest.maintainers(ANN)));
        assertEquals(refs(ANN, "x"), refs(BOB, "x"));
        var anns = sign(20, Map.of(MAIN, c3));
        var bobs = state(BOB, "x", begin + 20, Map.of(MAIN, c4));
        client.publish(bobs);
        boolean isAnns = anns.id().compareTo(bobs.id()) < 0;
        var winner = isAnns ? c3 : c4;
        var loser = isAnns ? c4 : c3;
        push(ANN, "x", loser + ":" + MAIN).orFail();
        push(BOB, "x", "--force", winner + ":" + MAIN).orFail();
        assertRefs(Map.of(MAIN, winner));
        assertEquals(refs(ANN, "x"), refs(BOB, "x"));
        assertServed(anns);
        assertServed(bobs);
    }
}
