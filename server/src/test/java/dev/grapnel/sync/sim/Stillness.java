package dev.grapnel.sync.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Worlds in which nothing goes wrong and everybody has fallen silent: comparing everything once more brings nothing
/// (I12), and nodes tell each other nothing (second half of I20).
final class Stillness {
    private static final Story STORY =
            new Story(3, 2, 5, 3, 25, Duration.ofHours(1), Duration.ZERO, 0, Story.DAY.multipliedBy(2));

    private Stillness() {}

    /// Tells a world; what was wrong is thrown.
    ///
    /// @param cast tells which acts are played
    static void run(long seed, CoreFactory cores, Predicate<Act> cast) {
        STORY.run(seed, cores, RelayModels::random, cast, Stillness::lastDay);
    }

    private static void lastDay(SimWorld world) {
        var before = deliveries(world);
        world.run(Story.DAY);
        var problems = new ArrayList<String>();
        deliveries(world).forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            if (more > 0) {
                problems.add("I12: " + name + " sent " + more + " events, though nothing was new");
            }
        });
        if (!problems.isEmpty()) {
            throw new Violation(world, List.copyOf(problems));
        }
    }

    /// How many events were sent by those that can compare; others must be asked for everything each day.
    private static Map<String, Long> deliveries(SimWorld world) {
        var counts = new TreeMap<String, Long>();
        world.relays().stream()
                .filter(relay -> relay.model().negentropy instanceof RelayModel.Negentropy.Spoken)
                .forEach(relay ->
                        counts.put(relay.url().toString(), relay.record().deliveries()));
        world.nodes().stream()
                .filter(SimNode::isAlive)
                .forEach(node ->
                        counts.put(node.name(), node.life().relay().record().deliveries()));
        return counts;
    }
}
