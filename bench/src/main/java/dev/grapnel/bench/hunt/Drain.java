package dev.grapnel.bench.hunt;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.Hunt;
import dev.grapnel.purgatory.hunt.HuntConfig;
import dev.grapnel.purgatory.hunt.Occasion;
import dev.grapnel.purgatory.hunt.TimedNaughtyList;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// How long it takes until everything that waits was fetched, beside the least time that the limits allow for it.
final class Drain {
    private static final HuntConfig CONFIG = HuntConfig.DEFAULTS;
    private static final long WINDOW = 60_000;
    private static final long MOMENT = Duration.ofSeconds(1).toMillis();
    private static final long END = Duration.ofDays(2).toMillis();

    private final Shape shape;
    private final VirtualClock clock = new VirtualClock();
    private final ManyDomains world;
    private final List<Identifier> identifiers = new ArrayList<>();

    /// Who waits for whom.
    ///
    /// @param each how many servers each identifier names; the last has what it waits for
    /// @param isUneven whether the first domains have most of them, the n-th a share of 1/n
    /// @param visit how long each conversation takes
    private record Shape(String name, int identifiers, int domains, int each, boolean isUneven, Duration visit) {}

    private Drain(Shape shape) {
        this.shape = shape;
        this.world = new ManyDomains(clock, shape.visit());
        var chance = new SplittableRandom(shape.identifiers());
        for (int i = 0; i < shape.identifiers(); i++) {
            var named = new int[shape.each()];
            for (int j = 0; j < named.length; j++) {
                named[j] = shape.isUneven() ? uneven(chance) : (i + (j * 7)) % shape.domains();
            }
            identifiers.add(world.add(i, named));
        }
    }

    /// Less a share of 1/n, by chance.
    private int uneven(SplittableRandom chance) {
        return (int) Math.pow(shape.domains(), chance.nextDouble()) - 1;
    }

    static void print() {
        Report.line("%n## Time to drain, virtual time, default limits%n");
        Report.line("| | visits | drained after, s | least the limits allow, s | ratio | CPU of a visit, µs "
                + "| heap while all wait, MB |");
        Report.line("|---|--:|--:|--:|--:|--:|--:|");
        new Drain(new Shape("", 1_000, 20, 1, false, Duration.ofMillis(100))).run(); // for the compiler
        for (var shape : shapes()) {
            Report.line("%s", new Drain(shape).run());
        }
    }

    private static List<Shape> shapes() {
        return List.of(
                new Shape("10,000 over 200 domains, visits of 0.1 s", 10_000, 200, 1, false, Duration.ofMillis(100)),
                new Shape("the same, visits of 1 s", 10_000, 200, 1, false, Duration.ofSeconds(1)),
                new Shape(
                        "the same, few domains have most, visits of 1 s", 10_000, 200, 1, true, Duration.ofSeconds(1)),
                new Shape(
                        "each names three, the last has it, visits of 0.1 s",
                        10_000,
                        200,
                        3,
                        false,
                        Duration.ofMillis(100)),
                new Shape("1,000 over 20 domains, visits of 0.1 s", 1_000, 20, 1, false, Duration.ofMillis(100)),
                new Shape(
                        "50,000 over 1,000 domains, visits of 0.1 s", 50_000, 1_000, 1, false, Duration.ofMillis(100)));
    }

    private String run() {
        double before = Report.heapMegabytes();
        var hunt = new Hunt(
                CONFIG,
                world,
                world::judge,
                new TimedNaughtyList(Duration.ofHours(12), clock::instant, () -> false),
                clock.timeline(),
                clock,
                clock,
                new SplittableRandom(1),
                _ -> {});
        long cpu = cpuNanos();
        hunt.start();
        identifiers.forEach(identifier -> hunt.notice(identifier, Occasion.SYNCED));
        // By now the first attempts have begun, and whoever found no place waits in the queue of its domain.
        clock.advanceTo(2 * MOMENT);
        cpu = cpuNanos() - cpu;
        double heap = Report.heapMegabytes() - before;
        long rest = cpuNanos();
        while (world.left() > 0 && clock.now() < END) {
            clock.advanceTo(clock.now() + MOMENT);
        }
        cpu += cpuNanos() - rest;
        if (world.left() > 0) {
            throw new IllegalStateException(world.left() + " were never fetched");
        }
        hunt.stop();
        int visits =
                world.visits().values().stream().mapToInt(Integer::intValue).sum();
        double took = world.lastReleased() / 1e3;
        double least = least(world.visits()) / 1e3;
        return "| %s | %,d | %,.1f | %,.1f | %.3f | %.0f | %.1f |"
                .formatted(shape.name(), visits, took, least, took / least, cpu / 1e3 / visits, heap);
    }

    /// The least time in which these visits can be made: whichever limit needs longest. What is left after so many
    /// windows of the rate cannot begin earlier, and then still needs its time below the limit of all domains
    /// together. Time that passes before the first of them may begin is not in it.
    private long least(Map<Host, Integer> visits) {
        var limits = CONFIG.limits();
        long visit = shape.visit().toMillis();
        long longest = 0;
        for (int count : visits.values()) {
            longest = Math.max(longest, rounds(count, limits.concurrent()) * visit);
        }
        long left = Long.MAX_VALUE;
        for (int window = 0; left > 0; window++) {
            int before = window * limits.perMinute();
            left = visits.values().stream()
                    .mapToLong(count -> Math.max(0, count - before))
                    .sum();
            if (left > 0) {
                longest = Math.max(longest, (window * WINDOW) + (rounds(left, limits.fetches()) * visit));
            }
        }
        return longest;
    }

    private static long rounds(long count, int atOnce) {
        return (count + atOnce - 1) / atOnce;
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
