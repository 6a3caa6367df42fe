package dev.grapnel.sync.link;

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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// How much is looked at for comments that stand below many roots each (R1.21, sync 8.3).
final class SharedLooksTest {
    private static final int ROOTS = 60;
    private static final int COMMENTS = 400;
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

    private final WantedIndex index = new WantedIndex(
            IndexLimits.DEFAULTS,
            new HeapTables(),
            new ScriptedArchive(new VirtualScheduler(Instant.EPOCH)),
            new Random(1));
    private final Targets counted = counted();
    private final int relay = commented();
    private int looks;

    private Targets counted() {
        return (Targets) Proxy.newProxyInstance(
                Targets.class.getClassLoader(), new Class<?>[] {Targets.class}, (_, method, arguments) -> {
                    looks++;
                    return method.invoke(index, arguments);
                });
    }

    /// A relay with one repository, whose roots have all comments in common.
    private int commented() {
        var relay = new OneRelay().relay.url;
        var repository = OneRelay.repo(1);
        var all = new ArrayList<Mutation>();
        all.add(new Mutation.Announced(repository, OneRelay.id(1), List.of(relay)));
        var roots =
                LongStream.range(0, ROOTS).mapToObj(n -> OneRelay.id(100 + n)).toList();
        for (EventId root : roots) {
            all.add(new Mutation.RootServed(root, 1, List.of(repository)));
        }
        for (int n = 0; n < COMMENTS; n++) {
            all.add(new Mutation.MemberServed(OneRelay.id(1_000 + n), n, Optional.empty(), roots, List.of()));
        }
        index.apply(all, NOBODY);
        return index.internRelay(relay);
    }

    @Test
    void whetherAMemberIsElsewhereIsFoundOutByAThousandLooks() {
        var shared = new SharedValues(relay, counted);
        looks = 0;
        assertFalse(shared.isMemberElsewhere(0, COMMENTS - 1, root -> COMMENTS - 1));
        assertTrue(looks <= 1_000 + 10 * ROOTS, () -> looks + " looks");
    }

    @Test
    void theFirstOtherThreadThatHasAMemberEndsTheSearch() {
        var shared = new SharedValues(relay, counted);
        looks = 0;
        assertTrue(shared.isMemberElsewhere(0, COMMENTS - 1, root -> COMMENTS));
        assertTrue(looks <= 20, () -> looks + " looks");
    }

    @Test
    void aRepositoryThatSharesMembersIsKnownByTheFirst() {
        var shared = new SharedValues(relay, counted);
        looks = 0;
        assertTrue(shared.hasHeirs(0));
        assertTrue(looks <= 20, () -> looks + " looks");
    }

    @Test
    void membersThatOthersAskForEndATurn() {
        var demand = new Demand(relay, counted, Room.endless(), _ -> Integer.MAX_VALUE);
        index.marks().set(index.findPair(relay, 0), PairMarks.LIVE, Level.FULL, ROOTS, 0);
        demand.forget();
        int most = 0;
        for (int turn = 0; !demand.isExhausted(); turn++) {
            assertTrue(turn < 10_000, "it ends");
            looks = 0;
            demand.next(new Sizes(100, 32_000));
            most = Math.max(most, looks);
        }
        int looksOfATurn = most;
        assertTrue(looksOfATurn < 100_000, () -> looksOfATurn + " looks in one turn");
    }
}
