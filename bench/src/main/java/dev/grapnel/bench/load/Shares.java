package dev.grapnel.bench.load;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/// Divides events among connections. All of one author go the same way, so that versions and deletions arrive
/// in order; whoever writes most is placed first, on the connection that has least to do.
final class Shares {
    private Shares() {}

    /// The events from one number to another, each share in ascending order.
    static int[][] of(EventFile events, int from, int to, int connections) {
        var sizes = new HashMap<Long, Integer>();
        for (int event = from; event < to; event++) {
            sizes.merge(events.author(event), 1, Integer::sum);
        }
        var loads = new int[connections];
        var ways = new HashMap<Long, Integer>();
        var free = new PriorityQueue<Integer>(
                Comparator.<Integer>comparingInt(way -> loads[way]).thenComparing(Comparator.naturalOrder()));
        for (int way = 0; way < connections; way++) {
            free.add(way);
        }
        sizes.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Long, Integer> author) -> -author.getValue())
                        .thenComparing(Map.Entry::getKey))
                .forEach(author -> {
                    int way = free.remove();
                    ways.put(author.getKey(), way);
                    loads[way] += author.getValue();
                    free.add(way);
                });
        var shares = new int[connections][];
        Arrays.setAll(shares, way -> new int[loads[way]]);
        var filled = new int[connections];
        for (int event = from; event < to; event++) {
            int way = ways.getOrDefault(events.author(event), 0);
            shares[way][filled[way]++] = event;
        }
        return shares;
    }
}
