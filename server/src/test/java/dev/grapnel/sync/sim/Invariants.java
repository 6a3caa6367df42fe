package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Everything that must be true of a world (sync 10.3).
///
/// | Invariant | Seen by |
/// |---|---|
/// | I1, I3 | [Convergence], when quiet; for I3 before the daily resync, without faults after a minute |
/// | I2 | [Sight] |
/// | I4 | [LiveOnce] for what is streamed, the core itself for what is asked, [CoreWatch] |
/// | I5, I7 | the core itself, [CoreWatch] |
/// | I6 | [Inversion] by what is stored, [CoreWatch] by what the core finds itself |
/// | I8 | [Requests] for what nodes ask, [Politeness] for what relays see of it, [Backoff] for dials |
/// | I9 | [Sight] for what is undecided, [CoreWatch] for what was refused and for relays that are gone |
/// | I10, I14 | [Genuine] |
/// | I11 | [Isolation]: two runs with and without a bad relay |
/// | I12 | [Stillness] |
/// | I13, I15 | [Parity], [Convergence] |
/// | I16 | [Levels] |
/// | I17 | [Backoff], also for the relay to begin with |
/// | I18 | [Progress] |
/// | I19 | the loop has one thread: a turn that waits never ends, and the run with it |
/// | I20 | [Agreement]; [Stillness] for what is exchanged afterwards |
/// | I21 | [Slots] |
/// | I22 | [Learning] for cooldowns, [Politeness] for how often something is refused |
final class Invariants {
    private final SimWorld world;
    private final List<Invariant> all;
    private final Set<String> problems = new LinkedHashSet<>();

    /// To be made when all relays and nodes are there, and before the first one runs.
    Invariants(SimWorld world) {
        this.world = world;
        this.all = List.of(
                new Convergence(world),
                new Genuine(world),
                new Agreement(world),
                new Parity(world),
                new Inversion(world),
                new Politeness(world),
                new Backoff(world),
                new Sight(world),
                new LiveOnce(world),
                new Requests(world),
                new Levels(world),
                new Progress(world),
                new Slots(world),
                new Learning(world),
                new CoreWatch(world));
    }

    /// Looks while the world runs, every so many steps and at least every so often.
    void watchEvery(int steps, Duration time) {
        var next = new long[2];
        world.time().afterStep(() -> {
            if (world.time().steps() >= next[0] || world.time().nanos() >= next[1]) {
                next[0] = world.time().steps() + steps;
                next[1] = world.time().nanos() + time.toNanos();
                look(Moment.STEP);
            }
        });
    }

    /// Looks at everything.
    void look(Moment moment) {
        for (var invariant : all) {
            invariant.problems(moment).forEach(problem -> problems.add(invariant.name() + ": " + problem));
        }
    }

    /// What was wrong so far.
    List<String> problems() {
        return List.copyOf(problems);
    }

    /// Fails if anything was.
    void require() {
        if (!problems.isEmpty()) {
            throw new Violation(world, List.copyOf(problems));
        }
    }
}
