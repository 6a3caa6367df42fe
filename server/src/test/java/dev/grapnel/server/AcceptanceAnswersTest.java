package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.DOMAIN;
import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every answer of service 4.2 to the byte, and the order of 4.1 in which they are found.
final class AcceptanceAnswersTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final String NOT_AUTHORIZED = "restricted: author not authorized for this repository";
    private static final String UNRELATED = "restricted: event must reference an accepted repository or accepted event";

    private static String npub(int author) {
        return new Npub(StoreSamples.author(author)).text();
    }

    @Test
    void i16ServedEventsAreAnsweredWithoutAWordAndThenAsDuplicates() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var issue = server.event(CAROL, 1621, List.of("a", coordinate(ANN, "x")));
        assertTaken(client, issue);
        assertAnswer(client, issue, true, "duplicate: already have this event");
    }

    /// Row 11.
    @Test
    void stateWithoutAnyAnnouncement() throws Exception {
        assertHeld(client, server.announcement(ANN, "y"));
        assertAnswer(client, server.state(ANN, "x"), false, "invalid: no announcement exists for this repository");
    }

    /// Row 11.
    @Test
    void stateOfAStranger() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        assertAnswer(client, server.state(BOB, "x"), false, NOT_AUTHORIZED);
    }

    /// Cases 1 and 2 before 3: whoever has left and is invited by somebody else is told about leaving.
    @Test
    void causesComeInTheOrderOfTheirTable() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        var left = List.of("m", StoreSamples.author(BOB).toHex(), "100", "200");
        assertHeld(client, server.announcement(BOB, "x", left));
        assertAnswer(client, server.state(BOB, "x"), false, NOT_AUTHORIZED + " (you have ended your own role)");
    }

    /// Case 3 names the member with the lowest key; there may be several.
    @Test
    void invitedAreToldBySomebodyWithTheLowestKey() throws Exception {
        var members = new ArrayList<>(List.of(ANN, BOB));
        members.sort((one, other) -> StoreSamples.author(one).compareTo(StoreSamples.author(other)));
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB, CAROL)));
        assertHeld(client, server.announcement(BOB, "x", maintainers(ANN, CAROL)));
        assertAnswer(
                client,
                server.state(CAROL, "x"),
                false,
                NOT_AUTHORIZED + " (invited by " + npub(members.getFirst())
                        + ": announce this repository and list them to accept)");
    }

    /// Case 5: every set is empty, the first owner's reason is told to strangers.
    @Test
    void strangersAreToldWhyNobodyIsAuthorised() throws Exception {
        assertHeld(
                client,
                server.announcement(
                        ANN, "x", List.of("M", StoreSamples.author(BOB).toHex())));
        assertAnswer(
                client,
                server.state(CAROL, "x"),
                false,
                NOT_AUTHORIZED + " (lead " + npub(BOB) + " has no announcement here)");
    }

    @Test
    void unrelatedEvents() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        assertAnswer(client, server.event(CAROL, 1), false, UNRELATED);
        assertAnswer(client, server.pullRequest(CAROL, ANN, "other"), false, UNRELATED);
        assertAnswer(client, server.pullRequest(CAROL, BOB, "x"), false, UNRELATED);
    }

    /// Service 4.6.2: any identifier names a repository, if none that can be here.
    @Test
    void pullRequestsForIdentifiersThatNobodyCanAnnounce() throws Exception {
        for (int kind : List.of(1618, 1619)) {
            assertAnswer(
                    client,
                    server.event(BOB, kind, List.of("a", coordinate(ANN, "a/b")), List.of("c", "2".repeat(40))),
                    false,
                    "restricted: event must reference an accepted repository or accepted event");
            for (var other : List.of(coordinate(ANN, ""), coordinate(ANN, "x").replace("30617", "30618"))) {
                assertAnswer(
                        client,
                        server.event(BOB, kind, List.of("a", other), List.of("c", "2".repeat(40))),
                        false,
                        "invalid: no repository named");
            }
        }
    }

    /// Row 11.
    @Test
    void pullRequestsWithoutACommit() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var target = List.of("a", coordinate(ANN, "x"));
        assertAnswer(client, server.event(CAROL, Kinds.PULL_REQUEST, target), false, "invalid: no c tag");
        for (var bad : List.of("", "main", "1".repeat(39), "1".repeat(63), "g".repeat(40))) {
            assertAnswer(
                    client,
                    server.event(CAROL, Kinds.PULL_REQUEST, target, List.of("c", bad)),
                    false,
                    "invalid: c tag is not a commit id");
        }
        assertHeld(client, server.event(CAROL, Kinds.PULL_REQUEST, target, List.of("c", "a".repeat(64))));
    }

    /// Rows 11 and 14.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "refs/heads/a..b|1111111111111111111111111111111111111111|||invalid: bad ref name",
                "refs/heads/a.lock|1111111111111111111111111111111111111111|||invalid: bad ref name",
                "refs/heads/HEAD|1111111111111111111111111111111111111111|||invalid: bad ref name",
                "refs/heads/a|0000000000000000000000000000000000000000|||invalid: zero object id for refs/heads/a",
                "refs/heads/a|1111111111111111111111111111111111111111|refs/heads/a"
                        + "|2222222222222222222222222222222222222222|invalid: conflicting values for refs/heads/a",
                "refs/heads/a|1111111111111111111111111111111111111111|refs/heads/a/b"
                        + "|2222222222222222222222222222222222222222|invalid: conflicting ref names"
            })
    void malformedStates(String first, String one, String second, String other, String message) throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = second == null
                ? server.stateAt(server.now(), ANN, "x", List.of(first, one))
                : server.stateAt(server.now(), ANN, "x", List.of(first, one), List.of(second, other));
        assertAnswer(client, state, false, message);
    }

    /// Row 11.
    @ParameterizedTest
    @ValueSource(strings = {"abc123", "1111111111111111111111111111111111111111111111111111111111111111", "ref: x"})
    void valuesThatNameNoObjectAreTakenAndWait(String value) throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        assertHeld(client, server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", value)));
    }

    @Test
    void olderVersions() throws Exception {
        var served = server.announcement(ANN, "x");
        server.serve(served);
        assertAnswer(
                client, server.announcementAt(server.now() - 1, ANN, "x"), false, "duplicate: have a newer version");
        server.serve(server.state(ANN, "x"));
        assertAnswer(
                client,
                server.stateAt(server.now() - 1, ANN, "x", List.of("refs/heads/main", "3".repeat(40))),
                false,
                "duplicate: have a newer version");
        assertHeld(client, server.stateAt(server.now() + 1, ANN, "x", List.of("refs/heads/main", "4".repeat(40))));
    }

    @Test
    void malformedFutureAndExpired() throws Exception {
        var good = server.announcement(ANN, "x");
        assertRefused(client, good.id(), good.toString().replace("30617", "30618"), "invalid: ");
        var signature = good.toString().replaceFirst("\"sig\":\"..", "\"sig\":\"00");
        assertRefused(client, good.id(), signature, "invalid: ");
        assertRefused(client, server.announcementAt(server.now() + 901, ANN, "x"), "invalid: ");
        assertHeld(client, server.announcementAt(server.now() + 900, ANN, "x"));
        assertAnswer(
                client,
                server.announcement(BOB, "x", List.of("expiration", Long.toString(server.now()))),
                false,
                "invalid: event has expired");
        assertRefused(client, server.announcement(BOB, "x", List.of("expiration", "soon")), "invalid: ");
        assertRefused(client, server.event(ANN, 22_242), "invalid: ");
        assertRefused(client, server.event(ANN, 27_235), "invalid: ");
    }

    @Test
    void announcementsOfBadForm() throws Exception {
        var url = GraspUnderTest.cloneUrl(ANN, "x");
        assertAnswer(
                client,
                server.announcement(ANN, "x", List.of("clone", "https://other.example.org/x.git")),
                false,
                "invalid: multiple clone tags found, use one clone tag with several values");
        assertRefused(
                client,
                server.event(ANN, Kinds.ANNOUNCEMENT, List.of("clone", url), List.of("relays", "wss://" + DOMAIN)),
                "invalid: ");
        for (var bad : List.of("", "a/b", "..", "a\nb")) {
            assertRefused(client, server.announcement(ANN, bad), "invalid: ");
        }
        assertAnswer(
                client,
                server.announcement(ANN, "x", List.of("private", "true")),
                false,
                "blocked: repository is marked private, this service is public");
    }

    @Test
    void announcementsThatDoNotListTheService() throws Exception {
        assertAnswer(
                client,
                server.elsewhere(ANN, "x"),
                false,
                "blocked: announcement must list this service in both 'clone' and 'relays' tags"
                        + " (clone: https://other.example.org/r.git; relays: wss://other.example.org)");
        assertAnswer(
                client,
                server.event(ANN, Kinds.ANNOUNCEMENT, List.of("d", "x")),
                false,
                "blocked: announcement must list this service in both 'clone' and 'relays' tags"
                        + " (clone: none; relays: none)");
        var many = new ArrayList<>(List.of("clone"));
        IntStream.range(0, 12).forEach(i -> many.add("https://" + i + ".example.org/" + "r".repeat(300)));
        var shown = IntStream.range(0, 10)
                .mapToObj(i -> many.get(i + 1).substring(0, 200))
                .toList();
        assertAnswer(
                client,
                server.event(ANN, Kinds.ANNOUNCEMENT, List.of("d", "x"), many),
                false,
                "blocked: announcement must list this service in both 'clone' and 'relays' tags (clone: "
                        + String.join(", ", shown) + ", …; relays: none)");
        assertEquals(0, server.onDisk());
    }

    @Test
    void deletedAndProtectedEvents() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        assertTaken(client, server.deletion(ANN, announcement));
        assertAnswer(client, announcement, false, "blocked: deletion of this event was requested by its author");
        assertEquals(
                "blocked: event is marked as protected",
                server.sync(server.announcement(BOB, "x", List.of("-"))).message());
        try (var other = GraspUnderTest.start("AUTH", "off");
                var speaker = other.connect()) {
            assertAnswer(
                    speaker,
                    server.announcement(BOB, "x", List.of("-")),
                    false,
                    "blocked: event is marked as protected");
        }
    }

    /// Row 34 has the rest.
    @Test
    void syncedAgainAfterItsTimeWasOver() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        server.pass(Duration.ofMinutes(31));
        var answer = server.sync(state);
        assertEquals(false, answer.isAccepted());
        assertEquals("invalid: previously expired from purgatory without git data", answer.message());
    }

    /// A known event is known whoever signed this copy; an unknown one needs its signature (4.1.3, 4.1.4).
    @Test
    void knownIsSaidBeforeTheSignatureIsChecked() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        var forged = announcement.toString().replaceFirst("\"sig\":\"..", "\"sig\":\"00");
        assertEquals(
                "[\"OK\",\"" + announcement.id() + "\",true,\"duplicate: in purgatory\"]",
                client.ask(Replies.publishing(forged)));
    }

    /// 4.1.5 before 4.1.6 and 4.1.7.
    @Test
    void thatItWasTakenBackIsSaidBeforeThatItsDateIsWrong() throws Exception {
        assertHeld(client, server.announcement(ANN, "y"));
        var future = server.announcementAt(server.now() + 10_000, ANN, "x");
        var over = server.announcement(ANN, "z", List.of("expiration", Long.toString(server.now())));
        assertTaken(client, server.deletion(ANN, future, over));
        for (var event : List.of(future, over)) {
            assertAnswer(client, event, false, "blocked: deletion of this event was requested by its author");
        }
    }

    /// 4.1.9: before the kind's own rule, for every kind but a request to vanish.
    @Test
    void blacklistedAuthorsAreRefusedWhateverTheySend() throws Exception {
        try (var strict = GraspUnderTest.start("EVENT_BLACKLIST", npub(BOB) + "," + npub(GraspUnderTest.OPERATOR));
                var speaker = strict.connect()) {
            var refusal = "blocked: Event author " + npub(BOB) + " is blacklisted";
            List<Event> events = List.of(
                    strict.announcement(BOB, "x"),
                    strict.state(BOB, "x"),
                    strict.pullRequest(BOB, ANN, "x"),
                    strict.event(BOB, 1),
                    strict.event(BOB, 10_317),
                    strict.event(BOB, 20_001),
                    strict.deletion(BOB, strict.event(BOB, 1)));
            for (var event : events) {
                assertAnswer(speaker, event, false, refusal);
            }
            assertTaken(speaker, strict.event(BOB, 62, List.of("relay", "ALL_RELAYS")));
            assertTaken(speaker, strict.event(GraspUnderTest.OPERATOR, 1));
        }
    }
}
