package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Transport.Line;
import java.time.Duration;
import java.util.function.Consumer;

/// Asks a silent relay whether it is there, and gives it up if it is not (R4.25).
final class KeepAlive {
    private static final Duration PING_AFTER = Duration.ofSeconds(30);
    private static final Duration SILENCE = Duration.ofSeconds(90);

    private final Scheduler loop;
    private final Consumer<String> hangUp;
    private Runnable alarm = () -> {};

    KeepAlive(Scheduler loop, Consumer<String> hangUp) {
        this.loop = loop;
        this.hangUp = hangUp;
    }

    void start(Line line) {
        stop();
        alarm = loop.after(PING_AFTER, () -> look(line));
    }

    void stop() {
        alarm.run();
    }

    private void look(Line line) {
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
        alarm = loop.after(Duration.ofNanos(Math.min(next, PING_AFTER.toNanos())), () -> look(line));
    }
}
