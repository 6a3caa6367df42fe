package dev.grapnel.sync.sim;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.sim.Core.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// I6: what was made by many small changes is what one finds by reading everything once. [CoreWatch] has the index
/// compare itself; here it is compared with what the node serves.
final class Inversion implements Invariant {
    private final SimWorld world;

    Inversion(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "I6";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        if (moment == Moment.QUIET) {
            for (var node : world.nodes()) {
                world.findCore(node.name())
                        .ifPresent(core -> compare(node, core.core().index(), problems));
            }
        }
        return problems;
    }

    private static void compare(SimNode node, WantedIndex index, List<String> problems) {
        var wanted = new Wanted(node);
        var relays = new LinkedHashSet<>(wanted.relays());
        index.forEachRelay(relay -> relays.add(index.relay(relay)));
        for (var relay : relays) {
            var known = index.findRelay(relay);
            var indexed = known.isPresent() ? full(index, known.getAsInt()) : Set.<String>of();
            expectSame(wanted.full(relay), indexed, node + " wants of " + relay, problems);
        }
        wanted.repositories().forEach(repository -> compareRoots(node, index, wanted, repository, problems));
    }

    private static Set<String> full(WantedIndex index, int relay) {
        var full = new TreeSet<String>();
        index.forEachPair(relay, pair -> {
            int repo = index.repo(pair);
            if (index.level(repo) == Level.FULL) {
                full.add(index.reference(repo));
            }
        });
        return full;
    }

    private static void compareRoots(
            SimNode node, WantedIndex index, Wanted wanted, RepositoryAddress repository, List<String> problems) {
        var indexed = new TreeSet<String>();
        int repo = index.findRepo(repository);
        for (int place = 0; repo >= 0 && place < index.rootCount(repo); place++) {
            if (index.root(repo, place) >= 0) {
                indexed.add(index.rootId(index.root(repo, place)).toHex());
            }
        }
        expectSame(wanted.roots(repository), indexed, node + " knows of " + repository, problems);
    }

    private static void expectSame(Set<String> due, Set<String> found, String what, List<String> problems) {
        if (!due.equals(found)) {
            problems.add(what + " " + found + " instead of " + due);
        }
    }
}
