package dev.grapnel.outbound;

import dev.grapnel.outbound.Failure.Limit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Decides when a peer has kept us waiting for too long. Pure: time is told, nothing is called.
///
/// Only time counts in which we wait: a peer whose bytes lie there while we are busy with earlier ones is not
/// silent. The clock of that time stands still while nobody waits; only the limit of everything runs on.
final class Pace {
    /// What is waited for.
    enum Phase {
        LOOKUP(Limit.LOOKUP),
        CONNECT(Limit.CONNECT),
        TLS(Limit.TLS),
        SEND(Limit.SILENCE),
        FIRST_BYTE(Limit.FIRST_BYTE),
        RECEIVE(Limit.SILENCE);

        private final Limit limit;

        Phase(Limit limit) {
            this.limit = limit;
        }
    }

    /// How many bytes there were at a moment of the clock of waiting.
    private record Sample(long waited, long bytes) {}

    /// Into how many parts the time is cut over which the rate is measured: so exactly is it measured.
    private static final int PARTS = 16;

    private final LineLimits limits;
    private final long begun;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private Phase phase = Phase.LOOKUP;
    private Duration silence;
    private long waitedBefore;
    private long waitingSince;
    private boolean isWaiting;
    private long mark;
    private long bytes;

    Pace(LineLimits limits, long now) {
        this.limits = limits;
        this.silence = limits.silence();
        this.begun = now;
    }

    /// Another thing is waited for from now on.
    void enter(Phase next, long now) {
        phase = next;
        mark = waited(now);
        if (next == Phase.RECEIVE) {
            samples.clear();
            samples.add(new Sample(mark, bytes));
        }
    }

    /// Another limit of silence than the usual one.
    void allowSilence(Duration limit) {
        silence = limit;
    }

    void beginWait(long now) {
        isWaiting = true;
        waitingSince = now;
    }

    /// @param moved bytes that came or went
    void endWait(long now, long moved) {
        waitedBefore = waited(now);
        isWaiting = false;
        if (moved > 0) {
            bytes += moved;
            if (phase != Phase.FIRST_BYTE) {
                mark = waitedBefore; // a beginning that drips is none
            }
        }
        sample(waitedBefore);
    }

    /// Which limit is exceeded.
    Optional<Limit> findExceeded(long now) {
        long waited = waited(now);
        if (now - begun >= limits.whole().toNanos()) {
            return Optional.of(Limit.WHOLE);
        }
        if (waited - mark >= phaseLimit().toNanos()) {
            return Optional.of(phase.limit);
        }
        sample(waited);
        return isTooSlow(waited) ? Optional.of(Limit.RATE) : Optional.empty();
    }

    /// How long no limit can be exceeded, as things are; less than that never shows anything new.
    long nanosUntilLook(long now) {
        long whole = limits.whole().toNanos() - (now - begun);
        long own = phaseLimit().toNanos() - (waited(now) - mark);
        long rate = phase == Phase.RECEIVE ? partNanos() : Long.MAX_VALUE;
        return Math.max(1, Math.min(whole, Math.min(own, rate)));
    }

    private Duration phaseLimit() {
        return switch (phase) {
            case LOOKUP, CONNECT -> limits.connect();
            case TLS -> limits.tls();
            case FIRST_BYTE -> limits.firstByte();
            case SEND, RECEIVE -> silence;
        };
    }

    private long waited(long now) {
        return isWaiting ? waitedBefore + (now - waitingSince) : waitedBefore;
    }

    private long partNanos() {
        return Math.max(1, limits.rateOver().toNanos() / PARTS);
    }

    private void sample(long waited) {
        if (phase != Phase.RECEIVE || waited - samples.getLast().waited() < partNanos()) {
            return;
        }
        samples.add(new Sample(waited, bytes));
        // Of those before the time that counts the newest is kept: from there it is measured.
        long from = waited - limits.rateOver().toNanos();
        samples.stream()
                .takeWhile(sample -> sample.waited() <= from)
                .reduce((_, later) -> later)
                .ifPresent(base -> samples.removeIf(sample -> sample.waited() < base.waited()));
    }

    private boolean isTooSlow(long waited) {
        if (phase != Phase.RECEIVE) {
            return false;
        }
        long from = waited - limits.rateOver().toNanos();
        Optional<Sample> base =
                samples.stream().takeWhile(sample -> sample.waited() <= from).reduce((_, later) -> later);
        return base.filter(sample -> {
                    double seconds = (waited - sample.waited()) / 1e9;
                    return bytes - sample.bytes() < limits.rateMin() * seconds;
                })
                .isPresent();
    }
}
