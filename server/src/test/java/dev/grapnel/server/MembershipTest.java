package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.store.StoreSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may speak follows every announcement at once, served or held (P-216). Numbers are rows of purgatory
/// 11; MaintainerRowsTest has the rows of service A.2.
final class MembershipTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private static final String NOT = "restricted: author not authorized for this repository";

    private static List<String> role(String letter, int person, String... times) {
        var tag = new ArrayList<>(List.of(letter, StoreSamples.author(person).toHex()));
        tag.addAll(List.of(times));
        return tag;
    }

    private Pool pool() {
        return server.purgatory().of(new Identifier("x"));
    }

    private Set<PublicKey> members(int owner) {
        return Set.copyOf(pool().maintainers(StoreSamples.author(owner)).members());
    }

    private static Set<PublicKey> people(Integer... numbers) {
        return Set.copyOf(List.of(numbers).stream().map(StoreSamples::author).toList());
    }

    private Event state(int author, long later) {
        return server.stateAt(
                server.now() + later, author, "x", List.of("refs/heads/main", "%040x".formatted(later + 1)));
    }

    /// Row 12.
    @Test
    void ownerConfirmedAndConfirmedThroughASecondAreTakenThoughAllIsHeld() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        assertRefused(client, state(BOB, 0), NOT + " (invited by ");
        assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN, CAROL)));
        assertHeld(client, server.elsewhere(CAROL, "x", maintainers(BOB)));
        assertHeld(client, state(ANN, 1));
        assertHeld(client, state(BOB, 2));
        assertHeld(client, state(CAROL, 3));
        assertEquals(3, pool().states().size());
    }

    /// Row 175: as a hosted, a reference or a held announcement, in both orders.
    @ParameterizedTest
    @ValueSource(strings = {"hosted", "reference", "held"})
    void refusedStateIsTakenOnceItsAuthorHasAccepted(String how) throws Exception {
        var invitation = server.announcement(ANN, "x", maintainers(BOB));
        if (how.equals("held")) {
            assertHeld(client, invitation);
        } else {
            server.serve(invitation);
        }
        var state = state(BOB, 1);
        var synced = state(BOB, 2);
        assertRefused(client, state, NOT + " (invited by ");
        assertFalse(server.sync(synced).isAccepted());
        if (how.equals("hosted")) {
            server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        } else {
            assertTrue(
                    client.publish(server.elsewhere(BOB, "x", maintainers(ANN))).accepted());
        }
        assertHeld(client, state);
        assertTrue(server.sync(synced).isAccepted());
    }

    /// Row 175: the acceptance may come before the invitation.
    @Test
    void acceptanceBeforeTheInvitationCountsAsWell() throws Exception {
        assertHeld(client, server.announcement(BOB, "x", maintainers(ANN)));
        assertHeld(client, server.announcement(ANN, "x"));
        assertEquals(people(ANN), members(ANN));
        assertHeld(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(BOB)));
        assertEquals(people(ANN, BOB), members(ANN));
        assertEquals(people(ANN, BOB), members(BOB));
    }

    /// Row 176.
    @Test
    void removalByAHeldAnnouncementTakesEffectAtOnce() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        assertHeld(client, state(BOB, 0));
        assertHeld(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(CAROL)));
        assertEquals(people(ANN), members(ANN));
        assertRefused(client, state(BOB, 1), NOT);
    }

    /// Row 176.
    @Test
    void departureByAHeldAnnouncementTakesEffectAtOnce() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        assertHeld(client, server.announcement(BOB, "x", maintainers(ANN)));
        assertEquals(people(ANN, BOB), members(ANN));
        assertHeld(client, server.announcementAt(server.now() + 1, BOB, "x", role("m", BOB, "100", "200")));
        assertEquals(people(ANN), members(ANN));
        assertAnswer(client, state(BOB, 1), false, NOT + " (you have ended your own role)");
    }

    /// Row 176.
    @Test
    void changeOfLeadTakesEffectAtOnce() throws Exception {
        server.serve(server.announcement(ANN, "x", role("M", ANN), role("m", BOB)));
        server.serve(server.announcement(BOB, "x", role("M", ANN), role("m", BOB)));
        assertTaken(client, server.announcementAt(server.now() + 1, BOB, "x", role("M", BOB), role("m", CAROL)));
        assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x", role("M", BOB), role("m", ANN)));
        assertEquals(people(BOB), members(ANN));
        assertAnswer(
                client,
                state(ANN, 1),
                false,
                NOT + " (lead " + new Npub(StoreSamples.author(BOB)) + " does not list you)");
    }

    /// Row 177.
    @Test
    void heldReferenceConfirmsItsAuthorUntilItIsDropped() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        var carols = server.announcement(CAROL, "x");
        assertHeld(client, anns);
        assertHeld(client, carols);
        var reference = server.elsewhere(BOB, "x", maintainers(ANN));
        assertHeld(client, reference);
        assertTrue(pool().authorises(StoreSamples.author(BOB)));
        assertTaken(client, server.deletion(BOB, reference));
        assertFalse(pool().authorises(StoreSamples.author(BOB)));
        assertRefused(client, state(BOB, 1), NOT + " (invited by ");
    }

    /// Row 178.
    @Test
    void changeOfMaintainersBySomebodyServedIsServedAndLasts() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        assertTaken(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        var newer = server.announcementAt(server.now() + 1, ANN, "x", maintainers(CAROL));
        assertTaken(client, newer);
        server.pass(Duration.ofMinutes(31));
        server.pass(Duration.ofDays(2));
        assertTrue(server.isServed(newer));
        assertEquals(people(ANN), members(ANN));
        assertRefused(client, state(BOB, 1), NOT);
    }

    /// Row 179: pull requests work though nobody may sign a state.
    @Test
    void pullRequestsWorkThoughNobodyIsAuthorised() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", role("M", BOB), role("M", CAROL)));
        var npub = new Npub(StoreSamples.author(ANN));
        assertAnswer(client, state(ANN, 1), false, NOT + " (several leads at " + npub + ")");
        assertHeld(client, server.pullRequest(CAROL, ANN, "x"));
    }

    /// Row 180: as far as the proposal waits for this owner.
    @Test
    void pullRequestReachesAnOwnerWhoIsNoMemberOfItsOwnSet() throws Exception {
        server.serve(server.announcement(ANN, "x", role("M", BOB)));
        server.serve(server.announcement(BOB, "x", role("M", BOB)));
        assertEquals(people(BOB), members(ANN));
        assertHeld(client, server.pullRequest(CAROL, ANN, "x"));
        assertTrue(pool().carriesProposalsFor(StoreSamples.author(ANN)));
    }

    /// Row 181, A.4b, README I-9: as far as the store and purgatory order events.
    @Test
    void lowerIdOfOneSecondWinsEverywhere() {
        var random = new Random(5);
        var states = new ArrayList<Event>();
        for (int i = 0; i < 60; i++) {
            states.add(server.stateAt(
                    server.now() + random.nextInt(3),
                    random.nextInt(4),
                    "x",
                    List.of("refs/heads/a", "%040x".formatted(i + 1))));
        }
        for (int round = 0; round < 1_000; round++) {
            var one = states.get(random.nextInt(states.size()));
            var other = states.get(random.nextInt(states.size()));
            boolean isNewer = one.createdAt() != other.createdAt()
                    ? one.createdAt() > other.createdAt()
                    : one.id().toHex().compareTo(other.id().toHex()) < 0;
            assertEquals(isNewer, one.version().isNewerThan(other.version()));
            assertEquals(one.isOlderThan(other.version()), other.version().isNewerThan(one.version()));
        }
    }

    /// A.4b: of two states of one author and second the store keeps the lower id, whichever comes first.
    @Test
    void storeKeepsTheLowerIdOfOneSecond() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var one = state(ANN, 1);
        var other = server.stateAt(one.createdAt(), ANN, "x", List.of("refs/heads/main", "f".repeat(40)));
        var lower = one.id().toHex().compareTo(other.id().toHex()) < 0 ? one : other;
        var higher = lower.equals(one) ? other : one;
        server.serve(higher);
        server.serve(lower);
        assertTrue(server.isServed(lower));
        assertFalse(server.isServed(higher));
        assertAnswer(client, higher, false, "duplicate: have a newer version");
    }

    /// A.4b: what governs is the newest of those whose authors are members.
    @Test
    void newestStateOfAMemberGoverns() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        assertTaken(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        var states = new ArrayList<Event>();
        for (int author : new int[] {ANN, BOB}) {
            for (long later : new long[] {10, 11}) {
                states.add(state(author, later));
            }
        }
        states.forEach(state -> assertTrue(server.direct(state).isAccepted()));
        var newest = states.stream()
                .map(Event::version)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        var waiting = pool().states().stream()
                .map(found -> found.version())
                .max(Comparator.<Version>naturalOrder())
                .orElseThrow();
        assertEquals(newest, waiting);
    }

    /// Row 174, README I-9: sets do not depend on the order of arrival, nor on what is served or held.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void i9SetsDependOnNothingButTheAnnouncements(int seed) throws Exception {
        var random = new Random(seed);
        var events = new ArrayList<Event>();
        for (int author = 0; author < 5; author++) {
            var others = random.ints(0, 5).limit(3).distinct().toArray();
            events.add(server.announcement(author, "x", maintainers(others)));
        }
        var expected = new ArrayList<Set<PublicKey>>();
        for (int order = 0; order < 2; order++) {
            Collections.shuffle(events, random);
            try (var other = GraspUnderTest.start()) {
                for (var event : events) {
                    if (random.nextBoolean()) {
                        other.serve(event);
                    } else {
                        assertTrue(other.direct(event).isAccepted());
                    }
                }
                var sets = new ArrayList<Set<PublicKey>>();
                for (int author = 0; author < 5; author++) {
                    sets.add(Set.copyOf(other.purgatory()
                            .of(new Identifier("x"))
                            .maintainers(StoreSamples.author(author))
                            .members()));
                }
                if (expected.isEmpty()) {
                    expected.addAll(sets);
                }
                assertEquals(expected, sets);
            }
        }
    }
}
