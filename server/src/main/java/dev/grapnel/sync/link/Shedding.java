package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.function.Supplier;

/// Lets go of what is wanted no more as soon as everything may be packed anew: whoever lets something go every few
/// seconds would otherwise have us send all of it as often (R2.6, R3.20).
final class Shedding {
    private final Scheduler loop;
    private final Surplus surplus;
    private final Supplier<Duration> untilPacked;
    private final Runnable replan;
    private boolean isArmed;
    private int generation;

    /// @param untilPacked how long nothing may be packed anew
    /// @param replan packs everything anew
    Shedding(Scheduler loop, Surplus surplus, Supplier<Duration> untilPacked, Runnable replan) {
        this.loop = loop;
        this.surplus = surplus;
        this.untilPacked = untilPacked;
        this.replan = replan;
    }

    /// A connection began or ended.
    void clear() {
        isArmed = false;
        generation++;
    }

    void arm() {
        if (isArmed) {
            return;
        }
        isArmed = true;
        var at = generation;
        loop.after(untilPacked.get(), () -> {
            if (at == generation) {
                isArmed = false;
                shed();
            }
        });
    }

    private void shed() {
        if (!surplus.isAny()) {
            return; // everything was packed meanwhile
        }
        if (untilPacked.get().isPositive()) {
            arm();
        } else {
            replan.run();
        }
    }
}
