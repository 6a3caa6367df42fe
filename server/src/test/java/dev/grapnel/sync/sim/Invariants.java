package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import java.util.ArrayList;
import java.util.List;

/// Everything that must be true of a world (sync 10.3).
///
/// | Invariant | Seen by |
/// |---|---|
/// | I1, I3 | [Convergence], when quiet; for I3 before the daily resync |
/// | I2 | [Sight] |
/// | I4 to I7, I18 | the core itself, [CoreWatch] |
/// | I8 | [Politeness] for requests, [Backoff] for dials; what is asked twice in an epoch only the core can tell (I4) |
/// | I9 | [Sight] for what is undecided, the core for its own tables |
/// | I10, I14 | [Genuine] |
/// | I11 | two runs with and without a bad relay, compared by [Experiments#timeToConverge] |
/// | I12 | [Experiments#deliveriesDuring] |
/// | I13, I15 | [Experiments#directly], [Convergence] |
/// | I16 | [Sight] |
/// | I17 | [Backoff] |
/// | I19 | the loop has one thread: a turn that waits never ends, and the run with it |
/// | I20 | [Agreement] |
/// | I21, I22 | [Politeness] |
final class Invariants {
    private final SimWorld world;
    private final List<Invariant> all;
    private final List<String> problems = new ArrayList<>();

    /// To be made when all relays and nodes are there, and before the first one runs.
    Invariants(SimWorld world) {
        this.world = world;
        this.all = List.of(
                new Convergence(world),
                new Genuine(world),
                new Agreement(world),
                new Politeness(world),
                new Backoff(world),
                new Sight(world),
                new CoreWatch(world));
    }

    /// Looks while the world runs, every so many steps.
    void watchEvery(int steps) {
        world.time().afterStep(() -> {
            if (world.time().steps() % steps == 0) {
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
            throw new AssertionError(world + ":\n"
                    + String.join("\n", problems.stream().limit(20).toList())
                    + (problems.size() > 20 ? "\nand " + (problems.size() - 20) + " more" : ""));
        }
    }
}
