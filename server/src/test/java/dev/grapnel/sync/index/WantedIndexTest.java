package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.PurgatoryView.Waiting;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WantedIndexTest {
    private static final RepositoryAddress A = Samples.repo(1, "a");
    private static final RepositoryAddress B = Samples.repo(2, "b");
    private static final RepositoryAddress C = Samples.repo(3, "c");

    private final VirtualScheduler loop = new VirtualScheduler(Instant.EPOCH);
    private final ScriptedArchive archive = new ScriptedArchive(loop);
    private final RecordedChanges changes = new RecordedChanges();
    private final WantedIndex index = new WantedIndex(IndexLimits.DEFAULTS, new HeapTables(), archive, new Random(1));

    private void apply(Mutation... window) {
        changes.forget();
        index.apply(List.of(window), changes);
        assertEquals(0, index.audit());
    }

    private Set<String> target(int relay) {
        return Picture.of(index).of(relay);
    }

    private int pair(int relay, RepositoryAddress repository) {
        return index.findPair(index.findRelay(Samples.url(relay)).orElseThrow(), index.findRepo(repository));
    }

    @Test
    void servedAnnouncementIsWantedInFullFromItsRelays() {
        apply(Samples.announced(A, 1, 2));
        assertEquals(Set.of("STATE " + A, "TAGS " + A), target(1));
        assertEquals(target(1), target(2));
        assertEquals(Set.of(pair(1, A), pair(2, A)), changes.grown);
    }

    @Test
    void rootBeforeItsAnnouncementInOneWindowIsTracked() {
        apply(Samples.root(7, A), Samples.announced(A, 1));
        assertTrue(target(1).contains("ROOT " + Samples.id(7)));
    }

    @Test
    void rootIsTrackedForAllRepositoriesItNames() {
        apply(Samples.announced(A, 1), Samples.announced(B, 2), Samples.announced(C, 3), Samples.root(7, A, B, C));
        for (int relay = 1; relay <= 3; relay++) {
            assertTrue(target(relay).contains("ROOT " + Samples.id(7)), "relay " + relay);
        }
    }

    @Test
    void rootThatNamesNoFollowedRepositoryIsIgnored() {
        apply(Samples.announced(A, 1), Samples.root(7), Samples.root(8, B));
        assertEquals(Set.of("STATE " + A, "TAGS " + A), target(1));
        assertEquals(0, index.figures().roots());
    }

    @Test
    void memberIsNoRoot() {
        apply(Samples.announced(A, 1), Samples.root(7, A), Samples.member(8, 1, 7));
        assertEquals(1, index.figures().roots());
        assertEquals(1, index.figures().members());
    }

    @Test
    void identifierWithColonsIsKeptWhole() {
        var odd = Samples.repo(1, "a:b:c ☃");
        apply(Samples.announced(odd, 1));
        assertEquals("a:b:c ☃", index.identifier(index.findRepo(odd)));
        assertEquals("30617:" + Samples.key(1) + ":a:b:c ☃", index.reference(index.findRepo(odd)));
    }

    @Test
    void newVersionReplacesTheRelays() {
        apply(Samples.announced(A, 1, 2));
        int kept = pair(2, A);
        apply(Samples.announced(A, 2, 3));
        assertEquals(Set.of(), target(1));
        assertEquals(kept, pair(2, A));
        assertEquals(Set.of("STATE " + A, "TAGS " + A), target(3));
        assertEquals(1, changes.ended.size());
        assertEquals(Set.of(pair(3, A)), changes.grown, "what stays has not grown");
    }

    @Test
    void deletedAnnouncementRemovesTheRepositoryFromAllTargets() {
        apply(Samples.announced(A, 1, 2), Samples.announced(B, 2));
        apply(new Mutation.Unannounced(A));
        assertEquals(Set.of(), target(1));
        assertEquals(Set.of("STATE " + B, "TAGS " + B), target(2));
        assertEquals(2, changes.ended.size());
        assertEquals(1, index.figures().relays());
        assertEquals(2, index.figures().relaysMet());
    }

    @Test
    void endedPairCanStillBeReadWhenItIsTold() {
        apply(Samples.announced(A, 1));
        int repo = index.findRepo(A);
        var levels = new ArrayList<Level>();
        index.apply(List.of(new Mutation.Unannounced(A)), new IndexChange() {
            @Override
            public void grown(int pair) {}

            @Override
            public void shrunk(int pair) {}

            @Override
            public void ended(int pair) {
                levels.add(index.level(index.repo(pair)));
                assertEquals(pair, index.findPair(index.relayOf(pair), repo));
            }

            @Override
            public void threadChanged(int root) {}
        });
        assertEquals(List.of(Level.FULL), levels);
    }

    /// Each may have a hundred thousand roots to let go of, in one turn of the loop.
    @Test
    void relaysAreLeftOneByOneByALargeRepository() {
        apply(Samples.announced(A, IntStream.rangeClosed(1, 20).toArray()));
        IntStream.range(0, 1_001).forEach(root -> apply(Samples.root(root, A)));
        assertLeftOneByOne(19, Samples.announced(A, 20, 21));
        assertTrue(target(21).containsAll(Set.of("STATE " + A, "TAGS " + A)));
        apply(Samples.announced(A, IntStream.rangeClosed(1, 20).toArray()));
        assertLeftOneByOne(20, new Mutation.Unannounced(A));
        assertEquals(Level.NONE, index.level(index.findRepo(A)));
        assertEquals(0, index.audit());
    }

    private void assertLeftOneByOne(int count, Mutation mutation) {
        changes.forget();
        var work = index.applying(List.of(mutation), changes);
        boolean goesOn = true;
        for (int before = 0; goesOn; before = changes.ended.size()) {
            goesOn = work.advance();
            assertTrue(changes.ended.size() <= before + 1, "one in a step");
        }
        assertEquals(count, changes.ended.size());
    }

    @Test
    void repositoryThatReturnsHasItsOrdinalItsRootsAndBlankMarks() {
        apply(Samples.announced(A, 1), Samples.root(7, A));
        int repo = index.findRepo(A);
        index.marks().set(pair(1, A), PairMarks.CONFIRMED, Level.FULL, 1, 0);
        apply(new Mutation.Unannounced(A));
        apply(Samples.root(8, A));
        apply(Samples.announced(A, 1));
        assertEquals(repo, index.findRepo(A));
        assertEquals(Level.NONE, index.marks().level(pair(1, A), PairMarks.CONFIRMED));
        assertTrue(target(1).containsAll(Set.of("ROOT " + Samples.id(7), "ROOT " + Samples.id(8))));
    }

    @Test
    void deletedRootLeavesAGap() {
        apply(Samples.announced(A, 1), Samples.root(7, A), Samples.root(8, A));
        apply(Samples.left(7));
        int repo = index.findRepo(A);
        assertEquals(2, index.rootCount(repo));
        assertEquals(-1, index.root(repo, 0));
        assertEquals(Samples.id(8), index.rootId(index.root(repo, 1)));
        assertEquals(Set.of(pair(1, A)), changes.shrunk);
        assertFalse(target(1).contains("ROOT " + Samples.id(7)));
    }

    @Test
    void rootThatReturnsHasANewPlace() {
        apply(Samples.announced(A, 1), Samples.root(7, A));
        apply(Samples.left(7));
        apply(Samples.root(7, A));
        int repo = index.findRepo(A);
        assertEquals(2, index.rootCount(repo));
        assertEquals(-1, index.root(repo, 0));
        assertEquals(Samples.id(7), index.rootId(index.root(repo, 1)));
        assertEquals(Set.of(pair(1, A)), changes.grown);
    }

    @Test
    void lastOfSeveralMutationsCounts() {
        apply(
                Samples.announced(A, 1),
                new Mutation.Unannounced(A),
                new Mutation.Unannounced(B),
                Samples.announced(B, 1),
                Samples.root(7, B),
                Samples.left(7),
                Samples.left(8),
                Samples.root(8, B));
        assertEquals(Set.of("STATE " + B, "TAGS " + B, "ROOT " + Samples.id(8)), target(1));
    }

    @Test
    void twentyFirstRelayOfAnAnnouncementIsIgnored() {
        apply(Samples.announced(A, IntStream.rangeClosed(1, 25).toArray()));
        assertEquals(20, index.figures().pairs());
        assertTrue(index.findRelay(Samples.url(20)).isPresent());
        assertTrue(index.findRelay(Samples.url(21)).isEmpty());
    }

    @Test
    void relayNamedTwiceIsOneOfTheTwenty() {
        var numbers = IntStream.concat(IntStream.of(1, 1), IntStream.rangeClosed(2, 20))
                .toArray();
        apply(Samples.announced(A, numbers));
        assertEquals(20, index.figures().pairs());
    }

    @Test
    void relaysBeyondTheLimitAreCountedAndThoseOfWaitingAnnouncementsEarlier() {
        var small = new WantedIndex(
                new IndexLimits(20, 4, 100, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        small.register(List.of(new Waiting(A, Samples.id(1))), _ -> Samples.urls(1, 2, 3, 4, 5), changes);
        assertEquals(3, small.figures().relays());
        assertEquals(2, small.figures().refusedRelays());
        small.apply(List.of(Samples.announced(B, 3, 4, 5)), changes);
        assertEquals(4, small.figures().relays());
        assertEquals(3, small.figures().refusedRelays());
    }

    @Test
    void aRelayForWhichThereWasNoPlaceIsTakenWhenOneIsFree() {
        var small = new WantedIndex(
                new IndexLimits(20, 4, 100, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        var waiting = List.of(new Waiting(A, Samples.id(1)));
        small.apply(List.of(Samples.announced(B, 1, 2)), changes);
        small.register(waiting, _ -> Samples.urls(3, 4), changes);
        assertEquals(3, small.figures().pairs());
        small.register(waiting, _ -> Samples.urls(3, 4), changes);
        assertEquals(1, small.figures().refusedRelays(), "while nothing is free, nothing is tried");
        small.apply(List.of(Samples.announced(B, 1)), changes);
        small.forgetRelays(_ -> false);
        small.register(waiting, _ -> Samples.urls(3, 4), changes);
        assertEquals(3, small.figures().pairs());
        assertEquals(1, small.pairCount(small.findRelay(Samples.url(4)).orElseThrow()));
    }

    @Test
    void relaysThatNobodyNamesGiveTheirPlacesBack() {
        var small = new WantedIndex(
                new IndexLimits(20, 12, 100, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        small.apply(List.of(Samples.announced(B, 1)), changes);
        long bytes = 0;
        for (int round = 1; round <= 1_000; round++) {
            int first = round * 10;
            small.apply(List.of(Samples.announced(A, first, first + 1)), changes); // replaces the one before
            small.register(
                    List.of(new Waiting(C, Samples.id(round))), _ -> Samples.urls(first + 2, first + 3), changes);
            if (round % 2 == 0) {
                small.apply(List.of(new Mutation.Unannounced(A)), changes);
                small.register(List.of(), _ -> List.of(), changes);
                small.register(List.of(), _ -> List.of(), changes);
            }
            small.forgetRelays(_ -> false);
            assertEquals(0, small.audit());
            bytes = round == 100 ? small.figures().bytes() : bytes;
        }
        assertEquals(0, small.figures().refusedRelays());
        assertEquals(1, small.figures().relaysMet());
        long rested = 500L * 3 * Integer.BYTES; // the places of repositories that waited and are gone
        assertTrue(small.figures().bytes() - bytes <= rested, "tables do not grow");
    }

    @Test
    void relayThatSomebodyUsesIsNotForgottenAndOneThatComesBackIsAnother() {
        apply(Samples.announced(A, 1, 2));
        int used = index.findRelay(Samples.url(1)).orElseThrow();
        int unused = index.findRelay(Samples.url(2)).orElseThrow();
        apply(new Mutation.Unannounced(A));
        index.forgetRelays(relay -> relay == used);
        assertEquals(Samples.url(1), index.relay(used));
        assertFalse(index.isKnown(unused));
        apply(Samples.announced(A, 1, 2));
        index.forgetRelays(_ -> false);
        assertEquals(used, index.findRelay(Samples.url(1)).orElseThrow());
        assertTrue(index.findRelay(Samples.url(2)).orElseThrow() > unused, "ordinals are not given twice");
        assertEquals(0, index.pairCount(unused));
        assertEquals(2, index.figures().pairs());
    }

    @Test
    void sharedRootIsAskedOnceOfEachRelayThroughItsLowestRepository() {
        apply(Samples.announced(A, 1, 2), Samples.announced(B, 1, 3), Samples.root(7, A, B));
        int root = index.findRoot(Samples.id(7));
        assertTrue(index.asksFor(pair(1, A), root));
        assertFalse(index.asksFor(pair(1, B), root));
        assertTrue(index.asksFor(pair(2, A), root));
        assertTrue(index.asksFor(pair(3, B), root));
        apply(new Mutation.Unannounced(A));
        assertTrue(index.asksFor(pair(1, B), root), "the next one takes over");
    }

    @Test
    void sharedRootThatWasNotDeliveredYetIsAskedForByTheNextRepository() {
        apply(Samples.announced(A, 1, 2), Samples.announced(B, 1, 2));
        apply(Samples.root(6, B), Samples.root(7, A), Samples.root(8, A, B), Samples.root(9, B));
        for (int relay = 1; relay <= 2; relay++) {
            for (var repository : List.of(A, B)) {
                int count = index.rootCount(index.findRepo(repository));
                index.marks().set(pair(relay, repository), PairMarks.ASKED, Level.FULL, count, 0);
                index.marks().set(pair(relay, repository), PairMarks.CONFIRMED, Level.FULL, count, 0);
            }
        }
        index.marks().setRoots(pair(1, A), PairMarks.CONFIRMED, 1); // 8 is on its way
        changes.forget();
        apply(new Mutation.Unannounced(A));
        assertEquals(Set.of(pair(1, B)), changes.grown);
        assertEquals(1, index.marks().roots(pair(1, B), PairMarks.ASKED), "from 8 on");
        assertEquals(1, index.marks().roots(pair(1, B), PairMarks.CONFIRMED));
        assertEquals(3, index.marks().roots(pair(2, B), PairMarks.ASKED), "there it was delivered");
    }

    @Test
    void heirOfASharedRootIsToldWhenOneRelayIsLeft() {
        apply(Samples.announced(A, 1, 2), Samples.announced(B, 1, 2), Samples.root(8, A, B));
        for (int relay = 1; relay <= 2; relay++) {
            index.marks().set(pair(relay, B), PairMarks.ASKED, Level.FULL, 1, 0);
        }
        changes.forget();
        apply(Samples.announced(A, 2));
        assertEquals(Set.of(pair(1, B)), changes.grown);
        assertEquals(0, index.marks().roots(pair(1, B), PairMarks.ASKED));
        assertEquals(1, index.marks().roots(pair(2, B), PairMarks.ASKED));
    }

    @Test
    void stateOnlyRepositoryDoesNotTakeASharedRootAway() {
        index.register(List.of(new Waiting(A, Samples.id(1))), _ -> Samples.urls(1), changes);
        apply(Samples.announced(B, 1), Samples.root(7, A, B));
        int root = index.findRoot(Samples.id(7));
        assertFalse(index.asksFor(pair(1, A), root));
        assertTrue(index.asksFor(pair(1, B), root));
        assertEquals(Set.of("STATE " + A, "STATE " + B, "TAGS " + B, "ROOT " + Samples.id(7)), target(1));
    }

    @Test
    void stateAddressesFollowTheStoreAndLeaveGaps() {
        var state = "ADDR 30618:" + Samples.key(1) + ":a";
        apply(Samples.announced(A, 1));
        archive.state(A, Samples.key(1), true);
        apply(new Mutation.StatesChanged(Samples.key(1), "a"));
        assertTrue(target(1).contains(state));
        assertEquals(Set.of(pair(1, A)), changes.grown);
        archive.state(A, Samples.key(1), false);
        apply(new Mutation.StatesChanged(Samples.key(1), "a"));
        assertFalse(target(1).contains(state));
        assertEquals(Set.of(pair(1, A)), changes.shrunk);
        assertEquals(1, index.addressCount(index.findRepo(A)));
    }

    @Test
    void announcementOfAnotherOwnerMayChangeWhoseStatesCount() {
        apply(Samples.announced(A, 1));
        archive.state(A, Samples.key(9), true);
        apply(Samples.announced(Samples.repo(9, "a"), 1));
        assertTrue(target(1).contains("ADDR 30618:" + Samples.key(9) + ":a"));
    }

    @Test
    void namesakesAreAscending() {
        var first = Samples.repo(9, "same");
        var second = Samples.repo(1, "same");
        apply(Samples.announced(first, 1), Samples.announced(A, 1), Samples.announced(second, 1));
        var found = new ArrayList<Integer>();
        index.forEachNamesake(index.findRepo(second), found::add);
        assertEquals(List.of(index.findRepo(first), index.findRepo(second)), found);
    }

    @Test
    void fullCountFollowsLevels() {
        index.register(List.of(new Waiting(A, Samples.id(1))), _ -> Samples.urls(1), changes);
        int relay = index.findRelay(Samples.url(1)).orElseThrow();
        assertEquals(0, index.fullCount(relay));
        apply(Samples.announced(A, 1), Samples.announced(B, 1));
        assertEquals(2, index.fullCount(relay));
        apply(new Mutation.Unannounced(A));
        assertEquals(1, index.fullCount(relay));
        assertEquals(1, index.pairCount(relay));
    }

    @Test
    void repositoriesThatOnlyWaitAreBounded() {
        var small = new WantedIndex(
                new IndexLimits(20, 100, 1, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        small.register(
                List.of(new Waiting(A, Samples.id(1)), new Waiting(B, Samples.id(2))), _ -> Samples.urls(1), changes);
        assertEquals(1, small.figures().stateOnlyRepos());
        assertEquals(1, small.figures().refusedRepos());
        small.apply(List.of(Samples.announced(C, 1)), changes);
        assertEquals(1, small.figures().fullRepos(), "what is served is always followed");
    }

    @Test
    void rowsOfEndedPairsAreUsedAgain() {
        for (int round = 0; round < 1000; round++) {
            apply(Samples.announced(A, 1, 2, 3));
            apply(Samples.announced(A, 4));
        }
        assertTrue(pair(4, A) < 300, "pair " + pair(4, A));
    }

    /// A stranger can have announcements held and expire all day long.
    @Test
    void placesOfRepositoriesThatWaitNoMoreAreUsedAgain() {
        var small = new WantedIndex(
                new IndexLimits(20, 100, 3_000, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        for (int round = 0; round < 100; round++) {
            int first = round * 1_000;
            var held = IntStream.range(first, first + 1_000)
                    .mapToObj(n -> new Waiting(Samples.repo(n, n % 2 == 0 ? "x" : "r" + n), Samples.id(n)))
                    .toList();
            small.register(held, _ -> Samples.urls(1), changes);
        }
        assertEquals(0, small.figures().refusedRepos());
        assertTrue(small.repoCount() < 55_000, () -> "ordinals: " + small.repoCount());
        assertEquals(-1, small.findRepo(Samples.repo(0, "x")));
        int last = small.findRepo(Samples.repo(99_998, "x"));
        var namesakes = new ArrayList<Integer>();
        small.forEachNamesake(last, namesakes::add);
        assertEquals(1_000, namesakes.size());
        assertEquals(namesakes.stream().sorted().toList(), namesakes);
        assertEquals(0, small.audit());
    }

    @Test
    void repositoryThatIsPromotedKeepsItsOrdinal() {
        apply(Samples.announced(B, 1));
        index.register(List.of(new Waiting(A, Samples.id(1))), _ -> Samples.urls(1), changes);
        int repo = index.findRepo(A);
        apply(Samples.announced(A, 1));
        assertEquals(repo, index.findRepo(A));
        apply(new Mutation.Unannounced(A));
        index.register(List.of(), _ -> List.of(), changes);
        index.register(List.of(), _ -> List.of(), changes);
        assertEquals(repo, index.findRepo(A), "what is known of it stays right");
    }

    @Test
    void rootsOfARepositoryThatOnlyWaitsAreLookedForWhenItIsPromoted() {
        apply(Samples.announced(B, 1));
        index.register(List.of(new Waiting(A, Samples.id(1))), _ -> Samples.urls(1), changes);
        apply(Samples.root(7, A, B));
        assertEquals(0, index.rootCount(index.findRepo(A)));
        index.takeRootLoads(10);
        apply(Samples.announced(A, 1));
        assertEquals(List.of(A.toString()), index.takeRootLoads(10));
    }
}
