package dev.grapnel.sync.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// Who asks for roots that several repositories have, when the one that did leaves a relay (R8.2). The next one takes
/// over with its own marks; those passed over a root that another was to ask for, so if that never came to it they are
/// set back.
final class Succession {
    private static final int NOBODY = -1;

    private final Roots roots;
    private final Repos repos;
    private final Pairs pairs;
    private final PairMarks marks;

    /// A root that others have, too.
    ///
    /// @param place in the list of the one that leaves
    private record Shared(int root, int place) {}

    Succession(Roots roots, Repos repos, Pairs pairs, PairMarks marks) {
        this.roots = roots;
        this.repos = repos;
        this.pairs = pairs;
        this.marks = marks;
    }

    /// A repository that was wanted in full is about to leave relays.
    ///
    /// @param leaving its pairs with these
    void leave(int repo, List<Integer> leaving, IndexChange change) {
        var shared = shared(repo);
        if (shared.isEmpty()) {
            return;
        }
        for (int pair : leaving) {
            var heirs = new HashMap<Integer, Set<Integer>>();
            var others = others(repo, pairs.relay(pair));
            for (var one : shared) {
                if (one.place() >= marks.roots(pair, PairMarks.CONFIRMED)) {
                    findHeir(one.root(), repo, others, heirs);
                }
            }
            heirs.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(heir -> setBack(heir.getKey(), heir.getValue(), change));
        }
    }

    private List<Shared> shared(int repo) {
        var shared = new ArrayList<Shared>();
        for (int place = 0; place < roots.sizeOf(repo); place++) {
            int root = roots.isShared(repo, place) ? roots.get(repo, place) : -1;
            if (root >= 0) {
                shared.add(new Shared(root, place));
            }
        }
        return shared;
    }

    /// Pairs of a relay that may ask instead of a repository, by their own; -1 if there is none. Each is looked for
    /// once: thousands of roots may have the same two hundred repositories.
    private IntUnaryOperator others(int repo, int relay) {
        var found = new HashMap<Integer, Integer>();
        return home -> found.computeIfAbsent(
                home, other -> other == repo || repos.level(other) != Level.FULL ? NOBODY : pairs.find(relay, other));
    }

    /// The first of the others, unless one before the leaving one asks anyway.
    private void findHeir(int root, int repo, IntUnaryOperator others, Map<Integer, Set<Integer>> heirs) {
        int homeCount = roots.homeCount(root);
        for (int place = 0; place < homeCount; place++) {
            int home = roots.home(root, place);
            int pair = others.applyAsInt(home);
            if (pair >= 0) {
                if (home > repo) {
                    heirs.computeIfAbsent(pair, _ -> new HashSet<>()).add(root);
                }
                return;
            }
        }
    }

    private void setBack(int pair, Set<Integer> inherited, IndexChange change) {
        int repo = pairs.repo(pair);
        int place = 0;
        while (place < roots.sizeOf(repo) && !inherited.contains(roots.entry(repo, place))) {
            place++;
        }
        change.setBack(pair);
        for (int stage : new int[] {PairMarks.ASKED, PairMarks.CONFIRMED}) {
            marks.setRoots(pair, stage, Math.min(place, marks.roots(pair, stage)));
        }
    }
}
