package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
}
