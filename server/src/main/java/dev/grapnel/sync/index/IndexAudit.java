package dev.grapnel.sync.index;

import java.util.BitSet;

/// Recomputes which repositories name which relay from the side of the repositories, and compares that with
/// what the relays have (R2.8, I6); and whether roots and their repositories agree. A step looks at one
/// repository or one relay. If the index changes in between, it begins again, and gives up after a few times.
final class IndexAudit implements Work {
    private static final int ATTEMPTS_MAX = 5;

    private final WantedIndex index;
    private final Pairs pairs;
    private int[] named = {};
    private int[] namedInFull = {};
    private long version;
    private int attempts;
    private int repo;
    private int relay;
    private int differences;

    IndexAudit(WantedIndex index) {
        this.index = index;
        this.pairs = index.following().pairs();
        begin();
    }

    private void begin() {
        named = new int[index.relayCount()];
        namedInFull = new int[index.relayCount()];
        version = pairs.version();
        repo = 0;
        relay = 0;
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
        if (relay < named.length) {
            lookAtRelay(relay);
            relay++;
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
            named[pairs.relay(pair)]++;
            namedInFull[pairs.relay(pair)] += isFull ? 1 : 0;
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
        expect(met.cardinality() == named[ordinal] && index.pairCount(ordinal) == named[ordinal]);
        expect(full[0] == namedInFull[ordinal] && index.fullCount(ordinal) == namedInFull[ordinal]);
    }

    private void expect(boolean isSo) {
        differences += isSo ? 0 : 1;
    }
}
