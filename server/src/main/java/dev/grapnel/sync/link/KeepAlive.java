package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Transport.Line;
import java.time.Duration;
import java.util.function.Consumer;

/// Asks a silent relay whether it is there, and gives it up if it is not (R4.25). A look that comes late tells more of
/// us than of the relay: this process may have stood still, and what came meanwhile may not have been read. So it
/// judges nothing, and asks anew.
final class KeepAlive {
    private static final Duration PING_AFTER = Duration.ofSeconds(30);
    private static final Duration SILENCE = Duration.ofSeconds(90);

    /// How long a relay has for its answer.
    private static final Duration PONG = SILENCE.minus(PING_AFTER);

    private static final Duration LATE = Duration.ofSeconds(5);

    private final Scheduler loop;
    private final Consumer<String> hangUp;
    private Runnable alarm = () -> {};

    KeepAlive(Scheduler loop, Consumer<String> hangUp) {
        this.loop = loop;
        this.hangUp = hangUp;
    }

    void start(Line line) {
        stop();
        lookAfter(PING_AFTER, line);
    }

    private void lookAfter(Duration wait, Line line) {
        long due = loop.nanos() + wait.toNanos();
        alarm = loop.after(wait, () -> look(line, due));
    }

    void stop() {
        alarm.run();
    }

    private void look(Line line, long due) {
        if (loop.nanos() - due > LATE.toNanos()) {
            line.ping();
            lookAfter(PONG, line);
            return;
        }
        long silent = loop.nanos() - line.silentSince();
        if (silent >= SILENCE.toNanos()) {
            hangUp.accept(Link.SILENT);
            return;
        }
        boolean isQuiet = silent >= PING_AFTER.toNanos();
        if (isQuiet) {
            line.ping();
        }
        long next = isQuiet ? SILENCE.toNanos() - silent : PING_AFTER.toNanos() - silent;
        lookAfter(Duration.ofNanos(Math.min(next, PING_AFTER.toNanos())), line);
    }
}
