package dev.grapnel.sync.index;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The targets of an index in words, to be compared: for each relay what is asked of it (R2.1).
record Picture(Map<String, Set<String>> items) {
    static Picture of(WantedIndex index) {
        var items = new TreeMap<String, Set<String>>();
        index.forEachRelay(relay -> {
            var ofRelay = new TreeSet<String>();
            index.forEachPair(relay, pair -> addPair(index, pair, ofRelay));
            items.put(index.relay(relay).text(), ofRelay);
        });
        return new Picture(items);
    }

    private static void addPair(WantedIndex index, int pair, Set<String> items) {
        int repo = index.repo(pair);
        items.add("STATE " + index.reference(repo));
        if (index.level(repo) == Level.FULL) {
            items.add("TAGS " + index.reference(repo));
            for (int place = 0; place < index.addressCount(repo); place++) {
                index.address(repo, place).ifPresent(address -> items.add("ADDR " + address));
            }
            for (int place = 0; place < index.rootCount(repo); place++) {
                int root = index.root(repo, place);
                if (root >= 0 && index.asksFor(pair, root)) {
                    addRoot(index, root, items);
                }
                int thread = index.threadAt(repo, place);
                if (thread >= 0 && index.asksForThread(pair, thread)) {
                    addThread(index, thread, items);
                }
            }
        }
    }

    private static void addRoot(WantedIndex index, int root, Set<String> items) {
        if (!items.add("ROOT " + index.rootId(root))) {
            items.add("TWICE " + index.rootId(root));
        }
    }

    private static void addThread(WantedIndex index, int root, Set<String> items) {
        for (int place = 0; place < index.memberCount(root); place++) {
            int member = index.member(root, place);
            if (member >= 0) {
                items.add("THREAD " + index.memberId(member));
                index.memberAddress(member).ifPresent(address -> items.add("THREAD " + address));
            }
        }
    }

    Set<String> of(int relay) {
        return items.getOrDefault(Samples.url(relay).text(), Set.of());
    }
}
