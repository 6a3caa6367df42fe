package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What is going on with one domain (P-640). Guarded by the throttle.
final class Domain {
    /// A start counts for so long (P-641).
    static final long WINDOW_MILLIS = 60_000;

    final Host host;
    final DomainQueue queue = new DomainQueue();
    int inFlight;
    long pausedUntil;
    /// The machine that had no connection left when it was asked last.
    @Nullable
    InetAddress busyAddress;
    /// When the window timer rings, and how it is taken back.
    OptionalLong alarmAt = OptionalLong.empty();
    Runnable alarmOff = () -> {};

    private final ArrayDeque<Long> starts = new ArrayDeque<>();
    private final ArrayDeque<Long> guesses = new ArrayDeque<>();

    Domain(Host host) {
        this.host = host;
    }

    /// Starts that count now.
    int starts(long now) {
        forget(starts, now);
        return starts.size();
    }

    int guesses(long now) {
        forget(guesses, now);
        return guesses.size();
    }

    void start(long now) {
        starts.addLast(now);
    }

    void guess(long now) {
        guesses.addLast(now);
    }

    /// Takes back a start that led to no request.
    void refund(long startedAt) {
        boolean _ = starts.removeLastOccurrence(startedAt); // gone already if it left the window
    }

    /// When a start leaves the window, so that one more is possible.
    ///
    /// @param perMinute as many as may be in it
    OptionalLong roomAt(long now, int perMinute) {
        int tooMany = starts(now) - perMinute;
        return starts.stream()
                .skip(Math.max(0, tooMany))
                .mapToLong(start -> start + WINDOW_MILLIS)
                .findFirst();
    }

    /// What stands in the way of a conversation, as far as it is this domain's own.
    Optional<Obstacle> findObstacle(long now, Rate rate) {
        if (pausedUntil > now) {
            return Optional.of(Obstacle.PAUSED);
        }
        if (inFlight >= rate.concurrent()) {
            return Optional.of(Obstacle.CONCURRENT);
        }
        return starts(now) >= rate.perMinute() ? Optional.of(Obstacle.RATE) : Optional.empty();
    }

    /// Whether nothing is left to remember (P-652).
    boolean isIdle(long now) {
        return inFlight == 0 && queue.isEmpty() && pausedUntil <= now && starts(now) == 0 && guesses(now) == 0;
    }

    private static void forget(ArrayDeque<Long> times, long now) {
        for (var first = times.peekFirst(); first != null && now - first >= WINDOW_MILLIS; first = times.peekFirst()) {
            long _ = times.removeFirst();
        }
    }

    /// How much a domain bears.
    record Rate(int concurrent, int perMinute) {
        /// The most specific override, or what holds for all (P-653).
        static Rate of(Host host, HuntConfig.Limits limits) {
            var rate = new Rate(limits.concurrent(), limits.perMinute());
            return limits.overrides().stream()
                    .filter(override -> override.covers(host))
                    .reduce((a, b) -> a.isMoreSpecificThan(b) ? a : b) // of two equal ones the later counts
                    .map(override -> new Rate(override.concurrent(), override.perMinute()))
                    .orElse(rate);
        }
    }
}
