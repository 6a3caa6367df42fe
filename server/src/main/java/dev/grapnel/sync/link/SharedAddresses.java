package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// State addresses that several repositories of one name have, each told by its author. Whose states were brought to a
/// stage is read once for each name: owners who all name each other have each other's states, so comparing them one by
/// one would take the cube of their number. For use within one turn, while nobody else moves marks.
final class SharedAddresses {
    /// Of more namesakes than this, or more of their addresses, only the first are looked at; the worst that comes of
    /// it is a value asked twice.
    private static final int NAMESAKES_MAX = 100;

    private static final int ENTRIES_MAX = 30_000;

    private final int relay;
    private final Targets targets;
    private final int stage;
    private final Map<String, Set<Integer>> authors = new HashMap<>();
    private int looks;

    /// @param stage of [dev.grapnel.sync.index.PairMarks]
    SharedAddresses(int relay, Targets targets, int stage) {
        this.relay = relay;
        this.targets = targets;
        this.stage = stage;
    }

    /// How much was looked at since this was last asked.
    int takeLooks() {
        int taken = looks;
        looks = 0;
        return taken;
    }

    /// Whether another repository of the relay has brought a state address of this one to the stage already; if not,
    /// this one does.
    boolean isElsewhere(int repo, int place) {
        looks++;
        int author = targets.addressAuthor(repo, place);
        return author >= 0
                && !authors.computeIfAbsent(targets.identifier(repo), _ -> brought(repo))
                        .add(author);
    }

    private Set<Integer> brought(int repo) {
        var found = new HashSet<Integer>();
        var namesakes = new int[1];
        int enough = looks + ENTRIES_MAX;
        targets.hasAnyNamesake(repo, other -> {
            int pair = targets.level(other) == Level.FULL ? targets.findPair(relay, other) : -1;
            int count = pair < 0 ? 0 : targets.marks().addresses(pair, stage);
            for (int place = 0; place < Math.min(count, targets.addressCount(other)) && looks < enough; place++) {
                looks++;
                int author = targets.addressAuthor(other, place);
                if (author >= 0) {
                    found.add(author);
                }
            }
            return ++namesakes[0] >= NAMESAKES_MAX || looks >= enough;
        });
        return found;
    }
}
