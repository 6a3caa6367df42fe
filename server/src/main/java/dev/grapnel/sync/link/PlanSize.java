package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.function.Predicate;

/// How much is wanted of a relay: values of states, tags, roots and threads, counted when somebody asks.
///
/// @param states identifiers, each repository its own
record PlanSize(long states, long tags, long roots, long threads) {
    /// Of threads no more are counted, and none once there are so many roots: so much is never streamed.
    private static final int MEMBERS_MAX = 200_000;

    static final PlanSize NOTHING = new PlanSize(0, 0, 0, 0);

    static PlanSize of(int relay, Targets targets) {
        var counts = new long[4];
        targets.forEachPair(relay, pair -> {
            int repo = targets.repo(pair);
            counts[0]++;
            if (targets.level(repo) == Level.FULL) {
                counts[1] += 1 + targets.addressCount(repo);
                counts[2] += targets.rootCount(repo);
                counts[3] += countMembers(repo, counts[2] + counts[3], targets);
            }
        });
        return new PlanSize(counts[0], counts[1], counts[2], counts[3]);
    }

    private static long countMembers(int repo, long sofar, Targets targets) {
        long count = 0;
        for (int place = 0; place < targets.rootCount(repo) && sofar + count < MEMBERS_MAX; place++) {
            int root = targets.threadAt(repo, place);
            count += root < 0 ? 0 : targets.memberCount(root);
        }
        return count;
    }

    /// Values of some layers.
    long values(Predicate<Layer> which) {
        return (which.test(Layer.ANNOUNCEMENTS) ? 1 : 0)
                + (which.test(Layer.STATES) ? states : 0)
                + (which.test(Layer.TAGS) ? tags : 0)
                + (which.test(Layer.ROOTS) ? roots : 0)
                + (which.test(Layer.THREADS) ? threads : 0);
    }

    /// Filters that everything would need at a width, announcements included.
    long filters(int width) {
        return 1
                + chunks(states, width)
                + 3 * chunks(tags, width)
                + 3 * chunks(roots, width)
                + 2 * chunks(threads, width);
    }

    private static long chunks(long count, int width) {
        return (count + width - 1) / width;
    }
}
