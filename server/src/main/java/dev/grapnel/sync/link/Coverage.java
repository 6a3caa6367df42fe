package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.util.OptionalLong;

/// Up to which moment everything that is confirmed at a relay is known to be complete (R4.7), in seconds of the wall
/// clock. It goes forward with what is heard, and stands still while something is missing.
final class Coverage {
    private final Scheduler loop;
    private OptionalLong until = OptionalLong.empty();

    Coverage(Scheduler loop) {
        this.loop = loop;
    }

    /// Everything before this moment is asked for anyway.
    void begin() {
        until = OptionalLong.of(loop.wall().getEpochSecond());
    }

    /// Complete up to when something was heard last.
    void advance(long heardAt) {
        long silent = Math.max(0, loop.nanos() - heardAt) / 1_000_000_000;
        long then = loop.wall().getEpochSecond() - silent;
        until = OptionalLong.of(Math.max(then, until.orElse(0)));
    }

    /// Complete up to this moment, because what was missed has come.
    void set(long second) {
        until = OptionalLong.of(Math.max(second, until.orElse(0)));
    }

    OptionalLong until() {
        return until;
    }

    void forget() {
        until = OptionalLong.empty();
    }
}
