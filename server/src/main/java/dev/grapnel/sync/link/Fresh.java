package dev.grapnel.sync.link;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// What has changed at a relay and was not looked at yet: repositories of which more is wanted, threads with other
/// members.
final class Fresh {
    private final Set<Integer> pairs = new LinkedHashSet<>();
    private final Set<Integer> threads = new LinkedHashSet<>();

    boolean isEmpty() {
        return pairs.isEmpty() && threads.isEmpty();
    }

    int pairCount() {
        return pairs.size();
    }

    void addPair(int pair) {
        pairs.add(pair);
    }

    void removePair(int pair) {
        pairs.remove(pair);
    }

    void addThread(int root) {
        threads.add(root);
    }

    void addAll(Collection<Integer> morePairs, Collection<Integer> moreThreads) {
        pairs.addAll(morePairs);
        threads.addAll(moreThreads);
    }

    void clear() {
        pairs.clear();
        threads.clear();
    }

    /// Hands all of it over.
    void take(BiConsumer<List<Integer>, List<Integer>> taker) {
        var somePairs = List.copyOf(pairs);
        var someThreads = List.copyOf(threads);
        clear();
        taker.accept(somePairs, someThreads);
    }
}
