package dev.grapnel.sync.index;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Recomputes which repositories name which relay from the side of the repositories, and compares that with
/// what the relays have (R2.8, I6); and whether roots and their repositories agree. A step looks at one
/// repository or one relay. If the index changes in between, it begins again, and gives up after a few times.
final class IndexAudit implements Work {
    private static final int ATTEMPTS_MAX = 5;

    private final WantedIndex index;
    private final Pairs pairs;
    private final Map<Integer, Integer> named = new HashMap<>();
    private final Map<Integer, Integer> namedInFull = new HashMap<>();
    private Iterator<Integer> relays = List.<Integer>of().iterator();
    private long version;
    private int attempts;
    private int repo;
    private int differences;

    IndexAudit(WantedIndex index) {
        this.index = index;
        this.pairs = index.following().pairs();
        begin();
    }

    private void begin() {
        named.clear();
        namedInFull.clear();
        relays = index.following().relays().all().iterator();
        version = pairs.version();
        repo = 0;
        differences = 0;
        attempts++;
    }

    int differences() {
        return differences;
    }

    @Override
    public boolean advance() {
        if (version != pairs.version()) {
            begin();
            return attempts <= ATTEMPTS_MAX;
        }
        if (repo < index.repoCount()) {
            lookAtRepo(repo);
            repo++;
            return true;
        }
        if (relays.hasNext()) {
            lookAtRelay(relays.next());
            return true;
        }
        return false;
    }

    private void lookAtRepo(int ordinal) {
        boolean isFull = index.level(ordinal) == Level.FULL;
        boolean isFollowed = index.level(ordinal) != Level.NONE;
        for (int place = 0; place < pairs.sizeOf(ordinal); place++) {
            int pair = pairs.ofRepo(ordinal, place);
            expect(isFollowed && pairs.repo(pair) == ordinal);
            expect(pairs.find(pairs.relay(pair), ordinal) == pair);
            named.merge(pairs.relay(pair), 1, Integer::sum);
            namedInFull.merge(pairs.relay(pair), isFull ? 1 : 0, Integer::sum);
            expect(index.isKnown(pairs.relay(pair)));
        }
        for (int place = 0; place < index.rootCount(ordinal); place++) {
            int root = index.root(ordinal, place);
            expect(root < 0 || index.roots().isIn(root, ordinal));
        }
    }

    private void lookAtRelay(int ordinal) {
        var met = new BitSet();
        int[] full = {0};
        index.forEachPair(ordinal, pair -> {
            int ofPair = pairs.repo(pair);
            expect(met.length() <= ofPair); // ascending, each once
            met.set(ofPair);
            expect(pairs.relay(pair) == ordinal && pairs.find(ordinal, ofPair) == pair);
            full[0] += index.level(ofPair) == Level.FULL ? 1 : 0;
        });
        int expected = named.getOrDefault(ordinal, 0);
        int expectedInFull = namedInFull.getOrDefault(ordinal, 0);
        expect(met.cardinality() == expected && index.pairCount(ordinal) == expected);
        expect(full[0] == expectedInFull && index.fullCount(ordinal) == expectedInFull);
    }

    private void expect(boolean isSo) {
        differences += isSo ? 0 : 1;
    }
}
