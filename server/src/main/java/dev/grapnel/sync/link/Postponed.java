package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// What shall be streamed and cannot be yet: repositories and threads that wait until live filters may be packed anew
/// (R3.20).
final class Postponed {
    private final Scheduler loop;
    private final BiConsumer<List<Integer>, List<Integer>> retry;
    private final Set<Integer> pairs = new LinkedHashSet<>();
    private final Set<Integer> roots = new LinkedHashSet<>();
    private boolean isTimed;
    private int generation;

    /// @param retry takes what waited
    Postponed(Scheduler loop, BiConsumer<List<Integer>, List<Integer>> retry) {
        this.loop = loop;
        this.retry = retry;
    }

    boolean isEmpty() {
        return pairs.isEmpty() && roots.isEmpty();
    }

    void add(Collection<Integer> morePairs, Collection<Integer> moreRoots, Duration wait) {
        pairs.addAll(morePairs);
        roots.addAll(moreRoots);
        if (!isTimed) {
            isTimed = true;
            var at = generation;
            loop.after(wait, () -> {
                if (at == generation) {
                    isTimed = false;
                    take();
                }
            });
        }
    }

    private void take() {
        var somePairs = List.copyOf(pairs);
        var someRoots = List.copyOf(roots);
        pairs.clear();
        roots.clear();
        retry.accept(somePairs, someRoots);
    }

    void remove(int pair) {
        pairs.remove(pair);
    }

    /// A connection began or ended: nothing waits any more.
    void clear() {
        pairs.clear();
        roots.clear();
        isTimed = false;
        generation++;
    }
}
