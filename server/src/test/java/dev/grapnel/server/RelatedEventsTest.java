package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.OPERATOR;
import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that belong to something served, and events that do not (service 4.7, 4.8, 4.11).
final class RelatedEventsTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private void assertUnrelated(Event event) throws IOException {
        assertAnswer(client, event, false, "restricted: event must reference an accepted repository or accepted event");
    }

    private Event serve() throws IOException {
        return server.serve(server.announcement(ANN, "x"));
    }

    private Event issue() throws IOException {
        serve();
        var issue = server.event(CAROL, 1621, List.of("a", coordinate(ANN, "x")));
        assertTaken(client, issue);
        return issue;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "q"})
    void addressOfAnAnchorRelates(String tag) throws Exception {
        serve();
        assertTaken(client, server.event(CAROL, 1111, List.of(tag, coordinate(ANN, "x"))));
        for (var other : List.of(
                coordinate(BOB, "x"),
                coordinate(ANN, "y"),
                coordinate(ANN, "x").replace("30617", "30618"),
                coordinate(ANN, ""),
                "30617:" + StoreSamples.author(ANN))) {
            assertUnrelated(server.event(CAROL, 1111, List.of(tag, other)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"e", "E", "q"})
    void idOfAnAnchorRelates(String tag) throws Exception {
        var announcement = serve();
        assertTaken(
                client, server.event(CAROL, 1, List.of(tag, announcement.id().toHex())));
        assertUnrelated(server.event(CAROL, 1, List.of(tag, "1".repeat(64))));
        assertUnrelated(server.event(CAROL, 1, List.of(tag)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"p", "r", "t", "i", "Q"})
    void otherTagsRelateNothing(String tag) throws Exception {
        var announcement = serve();
        for (var value : List.of(
                announcement.id().toHex(),
                coordinate(ANN, "x"),
                StoreSamples.author(ANN).toHex())) {
            assertUnrelated(server.event(CAROL, 1, List.of(tag, value)));
        }
    }

    @Test
    void addressesBelongToATagsAndIdsToETags() throws Exception {
        var announcement = serve();
        assertUnrelated(server.event(CAROL, 1, List.of("e", coordinate(ANN, "x"))));
        assertUnrelated(server.event(CAROL, 1, List.of("a", announcement.id().toHex())));
    }

    /// Threads: comments on comments on issues.
    @Test
    void relationIsPassedOn() throws Exception {
        var issue = issue();
        var comment = server.event(BOB, 1111, List.of("E", issue.id().toHex()));
        assertTaken(client, comment);
        var reaction = server.event(5, 7, List.of("e", comment.id().toHex()));
        assertTaken(client, reaction);
        assertTaken(client, server.event(6, 1985, List.of("e", reaction.id().toHex())));
    }

    @Test
    void statesAndPullRequestsThatAreServedAreAnchors() throws Exception {
        serve();
        var state = server.serve(server.state(ANN, "x"));
        var request = server.serve(server.pullRequest(CAROL, ANN, "x"));
        assertTaken(client, server.event(BOB, 1, List.of("e", state.id().toHex())));
        assertTaken(client, server.event(BOB, 1, List.of("a", "30618:" + StoreSamples.author(ANN) + ":x")));
        assertTaken(client, server.event(BOB, 1632, List.of("e", request.id().toHex())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"e", "E", "q"})
    void whatAnAnchorNamesIsTakenWhenItComesLater(String tag) throws Exception {
        serve();
        var note = server.event(BOB, 1);
        assertUnrelated(note);
        assertTaken(
                client,
                server.event(
                        CAROL,
                        1621,
                        List.of("a", coordinate(ANN, "x")),
                        List.of(tag, note.id().toHex())));
        assertTaken(client, note);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "q"})
    void addressThatAnAnchorNamesIsTakenWhenItComesLater(String tag) throws Exception {
        serve();
        var article = server.event(BOB, 30_023, List.of("d", "text"));
        var list = server.event(BOB, 10_002);
        assertUnrelated(article);
        assertUnrelated(list);
        assertTaken(
                client,
                server.event(
                        CAROL,
                        1621,
                        List.of("a", coordinate(ANN, "x")),
                        List.of(tag, "30023:" + StoreSamples.author(BOB) + ":text"),
                        List.of(tag, "10002:" + StoreSamples.author(BOB) + ":")));
        assertTaken(client, article);
        assertTaken(client, list);
        assertUnrelated(server.event(BOB, 30_023, List.of("d", "other")));
    }

    /// `kind:pubkey` and `kind:pubkey:` are both understood.
    @ParameterizedTest
    @ValueSource(strings = {"", ":"})
    void replaceableKindsAreNamedWithAndWithoutTheLastColon(String end) throws Exception {
        serve();
        assertTaken(client, server.event(BOB, 10_063, List.of("a", coordinate(ANN, "x"))));
        assertTaken(client, server.event(CAROL, 1, List.of("a", "10063:" + StoreSamples.author(BOB) + end)));
    }

    /// Kind, author and identifier together: a replaceable event has no identifier.
    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "q"})
    void replaceableKindsAreNotNamedByAnIdentifier(String tag) throws Exception {
        assertTaken(client, server.event(OPERATOR, 10_003));
        assertUnrelated(server.event(CAROL, 1, List.of(tag, "10003:" + StoreSamples.author(OPERATOR) + ":zz")));
        assertTaken(client, server.event(CAROL, 1, List.of(tag, "10003:" + StoreSamples.author(OPERATOR) + ":")));
    }

    /// Kinds 0, 5, 62, 10002 and 10317.
    @Test
    void someKindsAreNeverAnchors() throws Exception {
        var issue = issue();
        var tag = List.of("e", issue.id().toHex());
        var never = List.of(
                server.event(CAROL, 0, tag),
                server.event(CAROL, 10_002, tag),
                server.event(CAROL, 10_317, tag),
                server.deletion(CAROL, server.event(CAROL, 1)));
        for (var event : never) {
            assertTaken(client, event);
            assertUnrelated(server.event(BOB, 1, List.of("e", event.id().toHex())));
        }
        assertUnrelated(server.event(BOB, 1, List.of("a", "10002:" + StoreSamples.author(CAROL) + ":")));
        var vanish = server.event(7, 62, List.of("relay", "ALL_RELAYS"));
        assertTaken(client, vanish);
        assertUnrelated(server.event(BOB, 1, List.of("e", vanish.id().toHex())));
    }

    /// Nor do they relate what they name.
    @Test
    void whatOnlyAGraspListNamesIsUnrelated() throws Exception {
        var note = server.event(BOB, 1);
        assertTaken(client, server.event(CAROL, 10_317, List.of("e", note.id().toHex())));
        assertUnrelated(note);
    }

    @Test
    void referencesToHeldEventsDoNotSuffice() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        var comment = server.event(CAROL, 1111, List.of("a", coordinate(ANN, "x")));
        var other = server.event(CAROL, 1111, List.of("e", announcement.id().toHex()));
        var named = server.event(CAROL, 1);
        assertHeld(client, server.announcement(BOB, "x", List.of("e", named.id().toHex())));
        for (var event : List.of(comment, other, named)) {
            assertUnrelated(event);
        }
        server.serve(announcement);
        assertTaken(client, comment);
        assertTaken(client, other);
        assertUnrelated(named);
    }

    @Test
    void onlyTheFirstTwoHundredReferencesCount() throws Exception {
        serve();
        for (int before : new int[] {199, 200}) {
            var tags = new ArrayList<List<String>>();
            tags.add(List.of("e"));
            for (int i = 0; i < before; i++) {
                tags.add(List.of("e", "%064x".formatted(i + 1)));
                tags.add(List.of("p", StoreSamples.author(i).toHex()));
            }
            tags.add(List.of("a", coordinate(ANN, "x")));
            var event = StoreSamples.event(CAROL, 1, server.now(), tags, "text");
            if (before < 200) {
                assertTaken(client, event);
            } else {
                assertUnrelated(event);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 1059, 21_059})
    void privateMessagesAreNotKept(int kind) throws Exception {
        var issue = issue();
        assertAnswer(
                client,
                server.event(CAROL, kind, List.of("e", issue.id().toHex())),
                false,
                "blocked: private messages are not kept here");
        assertAnswer(client, server.event(OPERATOR, kind), false, "blocked: private messages are not kept here");
    }

    @Test
    void operatorNeedsNoAnchorAndItsEventsAreAnchors() throws Exception {
        var note = server.event(OPERATOR, 1);
        assertTaken(client, note);
        assertTaken(client, server.event(OPERATOR, 0));
        assertTaken(client, server.event(OPERATOR, 10_002));
        assertTaken(client, server.event(CAROL, 1, List.of("e", note.id().toHex())));
    }

    /// Announcements and states never enter through this section.
    @Test
    void operatorsAnnouncementsAndStatesAreJudgedLikeOthers() throws Exception {
        Replies.assertRefused(client, server.elsewhere(OPERATOR, "x"), "blocked: announcement must list this service");
        assertAnswer(client, server.state(OPERATOR, "x"), false, "invalid: no announcement exists for this repository");
        var other = server.serve(server.announcement(ANN, "x"));
        Replies.assertRefused(
                client,
                server.elsewhere(BOB, "y", List.of("e", other.id().toHex())),
                "blocked: announcement must list this service");
    }

    @Test
    void graspListsAreTakenFromAnybodyAndReplaced() throws Exception {
        var first = server.event(CAROL, 10_317, List.of("g", "wss://one.example.org"));
        assertTaken(client, first);
        var second = StoreSamples.event(CAROL, 10_317, server.now() + 1, List.of(), "");
        assertTaken(client, second);
        assertEquals(List.of(second.id()), client.query("{\"kinds\":[10317]}"));
    }

    /// Thousands of versions of one address come from a relay that has them all.
    @Test
    void olderVersionIsRefusedWithoutAWrite() throws Exception {
        assertTaken(client, StoreSamples.event(CAROL, 10_317, server.now(), List.of(), ""));
        var older = StoreSamples.event(CAROL, 10_317, server.now() - 1, List.of(), "");
        assertEquals(
                new Admitted.Refused(new Refusal(Prefix.DUPLICATE, "have a newer version"), Cause.SUPERSEDED),
                server.sync(older));
        assertAnswer(client, older, false, "duplicate: have a newer version");
    }

    @Test
    void profilesOfOthersNeedAnAnchor() throws Exception {
        var issue = issue();
        assertUnrelated(server.event(CAROL, 0));
        assertUnrelated(server.event(CAROL, 10_002));
        assertTaken(client, server.event(CAROL, 0, List.of("e", issue.id().toHex())));
    }

    @Test
    void ephemeralEventsArePassedOnAndNeverKeptOrAnchors() throws Exception {
        var issue = issue();
        var event = server.event(CAROL, 20_001, List.of("e", issue.id().toHex()));
        try (var listener = server.connect()) {
            listener.subscribe("s", "{\"kinds\":[20001]}");
            assertTaken(client, event);
            assertEquals(event, listener.live("s"));
            assertUnrelated(server.event(CAROL, 20_001));
            listener.expectNothing();
        }
        assertFalse(server.isServed(event));
        assertEquals(List.of(), client.query("{\"kinds\":[20001]}"));
        assertUnrelated(server.event(BOB, 1, List.of("e", event.id().toHex())));
    }

    /// An anchor that is gone relates nothing new; what it had related stays.
    @Test
    void deletedAnchorsRelateNothing() throws Exception {
        var issue = issue();
        var comment = server.event(BOB, 1111, List.of("e", issue.id().toHex()));
        assertTaken(client, comment);
        assertTaken(client, server.deletion(CAROL, issue));
        assertUnrelated(server.event(5, 1111, List.of("e", issue.id().toHex())));
        assertTaken(client, server.event(5, 1111, List.of("e", comment.id().toHex())));
    }
}
