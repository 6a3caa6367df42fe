package dev.grapnel.bench.hunt;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.hunt.Hunt;
import dev.grapnel.purgatory.hunt.HuntConfig;
import dev.grapnel.purgatory.hunt.Occasion;
import dev.grapnel.purgatory.hunt.TimedNaughtyList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// What one operation on the queue of identifiers costs when few and when many are in it.
final class QueueCosts {
    private static final int[] SIZES = {1_000, 10_000, 100_000};
    private static final int OPERATIONS = 20_000;
    private static final int ROUNDS = 7;
    private static final int AT_ONCE = 10; // that come within a millisecond

    private final VirtualClock clock = new VirtualClock();
    private final ManyDomains world = new ManyDomains(clock, Duration.ZERO);
    private final Random chance = new Random(1);
    private final List<Identifier> known = new ArrayList<>();
    private final List<Identifier> strangers = new ArrayList<>();
    private final Hunt hunt = new Hunt(
            HuntConfig.DEFAULTS,
            world,
            world::judge,
            new TimedNaughtyList(Duration.ofHours(12), clock::instant, () -> false),
            clock.timeline(),
            clock,
            _ -> {},
            new SplittableRandom(1),
            _ -> {});

    private QueueCosts(int size) {
        for (int i = 0; i < size + OPERATIONS; i++) {
            (i < size ? known : strangers).add(new Identifier("repository-" + i));
        }
        for (int i = 0; i < size; i++) {
            clock.advanceTo(i / AT_ONCE);
            hunt.notice(known.get(i), Occasion.DIRECT);
        }
    }

    static void print() {
        Report.line("%n## Operations on the queue, ns of CPU%n");
        var table = new LinkedHashMap<String, double[][]>();
        for (int round = -1; round < ROUNDS; round++) { // the first is for the compiler
            for (int i = 0; i < SIZES.length; i++) {
                int size = i;
                int counted = round;
                new QueueCosts(SIZES[i]).measure().forEach((name, cost) -> {
                    var costs = table.computeIfAbsent(name, _ -> new double[SIZES.length][ROUNDS]);
                    if (counted >= 0) {
                        costs[size][counted] = cost;
                    }
                });
            }
        }
        Report.line("| Identifiers in it | 1,000 | 10,000 | 100,000 | 100,000 against 1,000 |%n|---|--:|--:|--:|--:|");
        table.forEach((name, costs) -> Report.line(
                "| %s | %s | %s | %s | %.1f |",
                name,
                Rounds.of(costs[0]).shown(0),
                Rounds.of(costs[1]).shown(0),
                Rounds.of(costs[2]).shown(0),
                Rounds.of(costs[2]).median() / Rounds.of(costs[0]).median()));
    }

    private Map<String, Double> measure() {
        var costs = new LinkedHashMap<String, Double>();
        costs.put("a new one comes in", cost(strangers, one -> hunt.notice(one, Occasion.DIRECT)));
        costs.put("it goes again", cost(strangers, hunt::recheck));
        costs.put("a copy of one was met", cost(some(), hunt::refresh));
        costs.put("news about one that is in it", cost(some(), one -> hunt.notice(one, Occasion.SYNCED)));
        costs.put("how one stands", cost(some(), one -> {
            if (hunt.picture(one).isEmpty()) {
                throw new IllegalStateException(one + " is not there");
            }
        }));
        return costs;
    }

    /// Each once, so that each is moved.
    private List<Identifier> some() {
        var shuffled = new ArrayList<>(known);
        Collections.shuffle(shuffled, chance);
        return shuffled.subList(0, Math.min(OPERATIONS, shuffled.size()));
    }

    private static double cost(List<Identifier> identifiers, Consumer<Identifier> operation) {
        long begun = Report.cpuNanos();
        identifiers.forEach(operation);
        return (double) (Report.cpuNanos() - begun) / identifiers.size();
    }
}
