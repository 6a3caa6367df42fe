package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.purgatory.hunt.Need;
import dev.grapnel.purgatory.hunt.Pending;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which objects an identifier needs, and for which events (P-610).
final class LacksTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final String MAIN = "refs/heads/main";
    private static final String DEV = "refs/heads/dev";
    private static final Oid NOWHERE = oid('7');
    private static final Oid NOWHERE_EITHER = oid('8');

    private final GraspUnderTest server = GraspUnderTest.start("HUNT_ENABLED", "false");

    @AfterEach
    void close() {
        server.close();
    }

    private static Oid oid(char digit) {
        return Oid.parse(String.valueOf(digit).repeat(40)).require();
    }

    private Pending look() {
        return server.service().hunting().world().look(Identifier.parse("x").require());
    }

    private static List<Oid> ids(Need need) {
        return need.tips().stream().map(Need.Tip::oid).toList();
    }

    private static List<String> ref(String name, Oid target) {
        return List.of(name, target.toString());
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private Event state(int author, long later, List<String>... refs) {
        return server.stateAt(server.now() + later, author, "x", refs);
    }

    private Event proposal(Oid commit, String... places) {
        return StoreSamples.event(
                CAROL,
                Kinds.PULL_REQUEST,
                server.now(),
                List.of(
                        List.of("a", GraspUnderTest.coordinate(ANN, "x")),
                        List.of("c", commit.toString()),
                        Stream.concat(Stream.of("clone"), Stream.of(places)).toList()),
                "");
    }

    /// Ann's repository is served, and her state of its branch.
    ///
    /// @return what the branch is at
    private Oid serve() throws Exception {
        server.serve(server.announcement(ANN, "x", GraspUnderTest.maintainers(BOB)));
        Oid main;
        try (var lease = server.service()
                .repositories()
                .find(GraspUnderTest.address(ANN, "x"))
                .orElseThrow()) {
            main = lease.refs().current().target(new RefName(MAIN));
        }
        var state = state(ANN, 0, ref(MAIN, main));
        server.direct(state);
        server.awaitReconciled();
        assertTrue(server.isServed(state));
        return main;
    }

    private void loseRepository() throws IOException {
        assertTrue(server.service().repositories().remove(GraspUnderTest.address(ANN, "x")));
    }

    /// P-612.
    @Test
    void anAnnouncementAloneNeedsNothing() {
        server.direct(server.announcement(ANN, "x"));
        assertTrue(look().isEmpty());
    }

    /// No object of ours ever has such an id, so there is nothing to look for and nothing to wait for.
    @Test
    void stateThatCanNeverBeAppliedIsNotHuntedFor() {
        server.direct(server.announcement(ANN, "x"));
        server.direct(state(ANN, 0, List.of(MAIN, "a".repeat(64))));
        assertTrue(look().isEmpty());
    }

    @Test
    void anEmptyStateNeedsNothing() {
        server.direct(server.announcement(ANN, "x"));
        server.direct(state(ANN, 0));
        assertEquals(List.of(), look().needs());
    }

    @Test
    void aHeldStateNeedsWhatIsNotHereAndTheBranchOfHeadFirst() throws Exception {
        var main = serve();
        var state = state(
                ANN,
                1,
                ref(DEV, NOWHERE_EITHER),
                ref("refs/heads/old", main),
                ref(MAIN, NOWHERE),
                ref("refs/tags/same", NOWHERE),
                List.of("HEAD", "ref: " + MAIN));
        server.sync(state);
        var pending = look();
        assertTrue(pending.holdsEvents());
        assertFalse(pending.isReady());
        var need = pending.needs().getFirst();
        assertEquals(1, pending.needs().size());
        assertEquals(state.id(), need.event());
        assertEquals(Source.SYNC, need.source());
        assertFalse(need.isServed());
        assertEquals(List.of(NOWHERE, NOWHERE_EITHER), ids(need));
        assertEquals(
                List.of(true, false), need.tips().stream().map(Need.Tip::isHead).toList());
        assertEquals(
                List.of(MAIN, "refs/tags/same"),
                need.tips().getFirst().refs().stream()
                        .map(RefName::text)
                        .sorted()
                        .toList());
    }

    /// P-112: the data of an older one may come first.
    @Test
    void allHeldStatesAreNeededForIfSomebodyAuthorisesThemTheNewestFirst() {
        server.direct(server.announcement(ANN, "x"));
        var older = state(ANN, 0, ref(MAIN, NOWHERE));
        server.direct(older);
        var newer = state(ANN, 1, ref(MAIN, NOWHERE_EITHER));
        server.direct(newer);
        server.direct(state(BOB, 2, ref(MAIN, NOWHERE)));
        assertEquals(
                List.of(newer.id(), older.id()),
                look().needs().stream().map(Need::event).toList());
        assertEquals(Source.DIRECT, look().needs().getFirst().source());
    }

    /// P-667.
    @Test
    void whatHasWaitedLongEnoughIsToldApart() {
        server.direct(server.announcement(ANN, "x"));
        server.direct(state(ANN, 0, ref(MAIN, NOWHERE)));
        assertFalse(look().needs().getFirst().isOverdue());
        server.clock().advance(Duration.ofMinutes(30));
        assertTrue(look().needs().getFirst().isOverdue());
    }

    @Test
    void aPullRequestNeedsItsCommitOnceItsRepositoryIsServed() throws Exception {
        server.direct(server.announcement(ANN, "x"));
        server.direct(proposal(NOWHERE));
        assertTrue(look().holdsEvents());
        assertEquals(List.of(), look().needs());
        server.clock().advance(Duration.ofSeconds(1));
        serve();
        var needs = look().needs();
        assertEquals(
                List.of(List.of(NOWHERE)), needs.stream().map(LacksTest::ids).toList());
        assertEquals(List.of(), needs.getFirst().tips().getFirst().refs());
    }

    @Test
    void servedDataIsNeededOnlyForRepositoriesInTheLedger() throws Exception {
        var main = serve();
        var proposal = proposal(main);
        server.direct(proposal);
        server.awaitReconciled();
        assertTrue(server.isServed(proposal));
        loseRepository();
        assertTrue(look().isEmpty(), "nobody has noticed yet");
        var now = server.clock().instant();
        server.write(transaction -> {
            transaction.put(Repair.due(GraspUnderTest.address(ANN, "x"), now.plus(Duration.ofDays(1))));
            return true;
        });
        var needs = look().needs();
        assertEquals(2, needs.size());
        assertTrue(needs.stream().allMatch(Need::isServed));
        assertTrue(look().isRepair());
        assertEquals(
                List.of(List.of(main), List.of(main)),
                needs.stream().map(LacksTest::ids).toList());
        assertEquals(proposal.id(), needs.getLast().event());
    }

    @Test
    void servedDataIsNeededForAnAnnouncementThatIsNewHere() throws Exception {
        var main = serve();
        var theirs = server.announcement(BOB, "x", GraspUnderTest.maintainers(ANN));
        loseRepository();
        server.direct(theirs);
        var needs = look().needs();
        assertEquals(List.of(List.of(main)), needs.stream().map(LacksTest::ids).toList());
        assertTrue(needs.getFirst().isServed());
    }

    @Test
    void whatIsHereNeedsNobody() throws Exception {
        serve();
        server.direct(server.announcement(BOB, "x", GraspUnderTest.maintainers(ANN)));
        server.awaitReconciled();
        assertEquals(List.of(), look().needs());
    }

    /// P-620, P-621: the first is whoever the state concerns.
    @Test
    void everyEventHasItsOwnPlaces() throws Exception {
        serve();
        var elsewhere = "https://carol.example/x.git";
        server.direct(proposal(NOWHERE, elsewhere));
        server.direct(state(ANN, 1, ref(MAIN, NOWHERE_EITHER)));
        var own = GraspUnderTest.cloneUrl(ANN, "x");
        assertEquals(
                List.of(List.of(own), List.of(own, elsewhere)),
                look().needs().stream().map(Need::cloneUrls).toList());
    }
}
