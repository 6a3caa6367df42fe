package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.purgatory.ClonePlaces;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.store.StoreSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Where git data of an event is looked for (P-620, P-621).
final class ClonePlacesTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final int MAX = 20;

    private final GraspUnderTest server = GraspUnderTest.start("HUNT_ENABLED", "false");

    @AfterEach
    void close() {
        server.close();
    }

    private static String place(String host) {
        return "https://" + host + ".example/x.git";
    }

    private static List<String> places(String... hosts) {
        return Arrays.stream(hosts).map(ClonePlacesTest::place).toList();
    }

    private static List<String> cloneTag(String... hosts) {
        return Stream.concat(Stream.of("clone"), places(hosts).stream()).toList();
    }

    private static List<String> lead(int person) {
        return List.of("M", StoreSamples.author(person).toHex());
    }

    /// Announces with a repository here, and places elsewhere.
    @SafeVarargs
    private Event announcement(int author, List<String> hosts, List<String>... more) {
        var clone = new ArrayList<>(List.of("clone", GraspUnderTest.cloneUrl(author, "x")));
        hosts.forEach(host -> clone.add(place(host)));
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                server.now(),
                Stream.concat(
                                Stream.of(
                                        List.of("d", "x"), clone, List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                                Stream.of(more))
                        .toList(),
                "");
    }

    @SafeVarargs
    private void announce(int author, String host, List<String>... more) {
        announce(announcement(author, List.of(host), more));
    }

    private void announce(Event announcement) {
        assertTrue(server.direct(announcement).isAccepted());
    }

    /// The places of states of somebody, but this server.
    private List<String> ofStates(int author) {
        var pool = server.purgatory().of(Identifier.parse("x").require());
        return withoutOwn(
                server.store().read(view -> ClonePlaces.ofStates(StoreSamples.author(author), pool, view, MAX)));
    }

    private List<String> ofProposal(Event event, int... owners) {
        Proposal proposal = Targets.read(event).require();
        var pool = server.purgatory().of(Identifier.parse("x").require());
        var keys = IntStream.of(owners).mapToObj(StoreSamples::author).toList();
        return withoutOwn(server.store().read(view -> ClonePlaces.ofProposal(proposal, keys, pool, view, MAX)));
    }

    private static List<String> withoutOwn(List<String> urls) {
        return urls.stream().filter(url -> !url.contains(GraspUnderTest.DOMAIN)).toList();
    }

    private Event proposal(List<String> clone) {
        return StoreSamples.event(
                CAROL,
                Kinds.PULL_REQUEST,
                server.now(),
                List.of(List.of("a", GraspUnderTest.coordinate(ANN, "x")), List.of("c", "7".repeat(40)), clone),
                "");
    }

    @Test
    void allThatAnAnnouncementNamesCountsInItsOrder() {
        announce(announcement(ANN, List.of("one", "two", "one", "three")));
        assertEquals(places("one", "two", "three"), ofStates(ANN));
    }

    @Test
    void ownersComeBeforeOtherMaintainersOfTheSameSet() {
        announce(ANN, "ann", GraspUnderTest.maintainers(BOB));
        announce(BOB, "bob", GraspUnderTest.maintainers(ANN));
        assertEquals(places("ann", "bob"), sorted(ofStates(ANN)));
        assertEquals(ofStates(ANN), ofStates(BOB));
        assertEquals(places("bob", "ann"), ofProposal(proposal(cloneTag()), BOB));
        assertEquals(places("ann", "bob"), ofProposal(proposal(cloneTag()), ANN));
    }

    /// Service 4.4.4: an announcement that is kept only because its author was invited.
    @Test
    void maintainersWithoutARepositoryHereAreAskedToo() {
        announce(ANN, "ann", GraspUnderTest.maintainers(BOB));
        announce(server.elsewhere(BOB, "x", GraspUnderTest.maintainers(ANN)));
        assertEquals(List.of(place("ann"), "https://other.example.org/r.git"), ofStates(BOB));
    }

    @Test
    void nobodyWhoOnlyWasInvitedIsAsked() {
        announce(ANN, "ann", GraspUnderTest.maintainers(BOB));
        announce(BOB, "bob");
        assertEquals(places("ann"), ofStates(ANN));
        assertEquals(places("bob"), ofStates(BOB));
    }

    /// Row 117.
    @Test
    void unrelatedOwnersOfTheSameNameAreNotAsked() {
        announce(ANN, "ann");
        announce(CAROL, "carol");
        assertEquals(places("ann"), ofStates(ANN));
        assertEquals(places("ann"), ofProposal(proposal(cloneTag()), ANN));
    }

    /// Service 5.1: Ann follows Bob, and Bob follows Carol, who leads and lists neither.
    @Test
    void thoseOnTheWayToTheLeadAreAskedThoughTheyAreNoMaintainers() {
        announce(CAROL, "carol", lead(CAROL));
        announce(BOB, "bob", lead(CAROL));
        announce(ANN, "ann", lead(BOB));
        var asked = ofProposal(proposal(cloneTag()), ANN);
        assertEquals(place("ann"), asked.getFirst());
        assertEquals(places("ann", "bob", "carol"), sorted(asked));
    }

    private static List<String> sorted(List<String> urls) {
        return urls.stream().sorted().toList();
    }

    @Test
    void theNewestAnnouncementOfEachCounts() throws Exception {
        server.serve(announcement(ANN, List.of("before")));
        assertEquals(places("before"), ofStates(ANN));
        server.clock().advance(Duration.ofSeconds(1));
        announce(ANN, "after");
        assertEquals(places("after"), ofStates(ANN));
    }

    @Test
    void aPullRequestsOwnPlacesComeLastAndAlwaysHaveRoom() {
        var many = IntStream.range(0, 30).mapToObj(i -> "ann" + i).toArray(String[]::new);
        announce(announcement(ANN, List.of(many)));
        var asked = ofProposal(proposal(cloneTag("carol", "carol", "dave")), ANN);
        var expected = new ArrayList<>(places(many).subList(0, MAX - 3)); // one is this server's
        expected.addAll(places("carol", "dave"));
        assertEquals(expected, asked);
    }

    /// P-623.
    @Test
    void anEventNamesAtMostTwentyPlaces() {
        var many = IntStream.range(0, 30).mapToObj(i -> "ann" + i).toArray(String[]::new);
        announce(announcement(ANN, List.of(many)));
        assertEquals(places(many).subList(0, MAX - 1), ofStates(ANN));
        assertEquals(
                places(many).subList(0, MAX / 2),
                ofProposal(proposal(cloneTag(many)), CAROL).subList(0, MAX / 2));
    }
}
