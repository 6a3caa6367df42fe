package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexChange;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.VirtualScheduler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// How much is looked at to find out what is streamed and asked for, whatever people make up (R1.21, sync 8.3).
final class GatheringTest {
    private static final Sizes SIZES = new Sizes(450, 32_000);
    private static final long VALUES_MAX = 90_000;
    private static final IndexChange NOBODY = new IndexChange() {
        @Override
        public void grown(int pair) {}

        @Override
        public void shrunk(int pair) {}

        @Override
        public void ended(int pair) {}

        @Override
        public void threadChanged(int root) {}
    };

    private final ScriptedArchive archive = new ScriptedArchive(new VirtualScheduler(Instant.EPOCH));
    private final WantedIndex index = new WantedIndex(IndexLimits.DEFAULTS, new HeapTables(), archive, new Random(1));
    private final FarRelay far = new OneRelay().relay;
    private final int relay = index.internRelay(far.url);
    private final IntPairMap members = new IntPairMap(Room.endless());
    private int looks;
    private final Targets counted = (Targets) Proxy.newProxyInstance(
            Targets.class.getClassLoader(), new Class<?>[] {Targets.class}, (_, method, arguments) -> {
                looks++;
                return method.invoke(index, arguments);
            });

    private Gathering gathering(Targets targets) {
        return new Gathering(relay, targets, members, SIZES);
    }

    private static boolean addAll(Gathering gathering, int givenUp) {
        return gathering.addAll(layer -> GivenUp.letters(layer, givenUp), VALUES_MAX);
    }

    private List<EventId> roots(int count) {
        var repository = OneRelay.repo(1);
        var all = new ArrayList<Mutation>();
        all.add(new Mutation.Announced(repository, OneRelay.id(1), List.of(far.url)));
        var roots = LongStream.range(0, count)
                .mapToObj(n -> OneRelay.id(100_000 + n))
                .toList();
        roots.forEach(root -> all.add(new Mutation.RootServed(root, 1, List.of(repository))));
        index.apply(all, NOBODY);
        return roots;
    }

    /// So many that stand below all of some roots.
    private void comments(int from, int count, List<EventId> roots) {
        var all = new ArrayList<Mutation>();
        for (int n = from; n < from + count; n++) {
            all.add(new Mutation.MemberServed(OneRelay.id(1_000 + n), n, Optional.empty(), roots, List.of()));
        }
        index.apply(all, NOBODY);
    }

    @Test
    void aCommentBelowManyRootsIsLookedForInNoList() {
        comments(0, 300, roots(60));
        assertTrue(addAll(gathering(counted), 0));
        assertTrue(looks <= 15 * 300 * 60, () -> looks + " looks");
    }

    @Test
    void threadsThatTakeTooManyLooksAreLeftToSweeps() {
        comments(0, 3_200, roots(64));
        assertFalse(addAll(gathering(index), 0));
        assertTrue(addAll(gathering(index), 1), "without threads");
    }

    /// What was streamed before and what comes now is told from the same lists, in another order.
    @Test
    void whatIsAddedBitByBitIsStreamedOnce() {
        var roots = roots(20);
        var streamed = new ArrayList<String>();
        add(List.of(index.findPair(relay, 0)), streamed);
        for (int n = 0; n < 200; n += 10) {
            comments(n, 5, roots.subList(0, 1 + n / 10));
            comments(n + 5, 5, roots.subList(n / 20, 20));
            add(List.of(), streamed);
        }
        assertEquals(200, streamed.size());
        assertEquals(200, new HashSet<>(streamed).size());
    }

    private void add(List<Integer> pairs, List<String> streamed) {
        var gathering = gathering(index);
        var roots = IntStream.range(0, 20).boxed().toList();
        assertTrue(gathering.add(pairs, roots, layer -> GivenUp.letters(layer, 0), VALUES_MAX));
        gathering.questions(layer -> GivenUp.letters(layer, 0)).stream()
                .filter(question -> question.chunk().layer() == Layer.THREADS && question.letter() == 'e')
                .forEach(question -> streamed.addAll(question.chunk().values(index)));
    }

    @Test
    void moreThanCanBeStreamedIsNotLookedAtToTheEnd() {
        roots(30_000);
        var gathering = gathering(counted);
        var pairs = List.of(index.findPair(relay, 0));
        assertFalse(gathering.add(pairs, List.of(), layer -> GivenUp.letters(layer, 0), 3_000));
        assertTrue(looks <= 10_000, () -> looks + " looks");
        gathering.undo();
        assertEquals(Level.NONE, index.marks().level(pairs.getFirst(), PairMarks.LIVE));
    }

    /// Owners who all name each other, each with a state.
    private void namesakes(int count) {
        var all = new ArrayList<Mutation>();
        var owners = IntStream.rangeClosed(1, count)
                .mapToObj(owner -> OneRelay.repo(owner, "same"))
                .toList();
        for (var one : owners) {
            owners.forEach(other -> archive.state(one, other.owner(), true));
            all.add(new Mutation.Announced(one, OneRelay.id(one.hashCode()), List.of(far.url)));
        }
        index.apply(all, NOBODY);
        assertEquals(count, index.addressCount(0));
    }

    @Test
    void ownersWhoAllNameEachOtherAreNotComparedWithEachOther() {
        namesakes(60);
        assertTrue(addAll(gathering(counted), 0));
        assertTrue(looks <= 15 * 60 * 60, () -> looks + " looks");
    }

    @Test
    void theirStatesAreAskedForWithFewLooksToo() {
        namesakes(60);
        var demand = new Demand(relay, counted, Room.endless(), _ -> Integer.MAX_VALUE);
        index.forEachPair(relay, pair -> index.marks().set(pair, PairMarks.LIVE, Level.FULL, 0, 60));
        demand.forget();
        looks = 0;
        var asked = new ArrayList<String>();
        for (int turn = 0; !demand.isExhausted(); turn++) {
            assertTrue(turn < 100, "it ends");
            demand.next(SIZES).stream()
                    .flatMap(portion -> portion.chunks().stream())
                    .filter(chunk -> chunk.layer() == Layer.TAGS)
                    .forEach(chunk -> asked.addAll(chunk.values(index)));
        }
        assertTrue(looks <= 20 * 60 * 60, () -> looks + " looks");
        assertEquals(2 * 60, asked.size(), "each repository, and each state once");
    }

    @Test
    void aLargeRepositoryIsTakenToHaveHeirs() {
        roots(30_000);
        assertTrue(new SharedValues(relay, counted).hasHeirs(0));
        assertTrue(looks <= 200_000, () -> looks + " looks");
    }

    @Test
    void aSmallOneOnlyIfItHas() {
        comments(0, 100, roots(1));
        assertFalse(new SharedValues(relay, index).hasHeirs(0));
    }
}
