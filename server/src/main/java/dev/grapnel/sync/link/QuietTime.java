package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;

/// Waits until nothing has happened for a while (R4.1).
final class QuietTime {
    private final Scheduler loop;
    private final Duration length;
    private final Runnable over;
    private Runnable cancel = () -> {};
    private boolean isArmed;

    /// @param over told when it was quiet that long
    QuietTime(Scheduler loop, Duration length, Runnable over) {
        this.loop = loop;
        this.length = length;
        this.over = over;
    }

    void look(boolean isQuiet) {
        if (isQuiet && !isArmed) {
            isArmed = true;
            cancel = loop.after(length, () -> {
                isArmed = false;
                over.run();
            });
        } else if (!isQuiet) {
            end();
        }
    }

    void end() {
        if (isArmed) {
            isArmed = false;
            cancel.run();
        }
    }
}
