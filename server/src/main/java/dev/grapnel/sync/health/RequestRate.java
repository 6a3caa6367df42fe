package dev.grapnel.sync.health;

import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How fast one relay is asked (R3.15): a bucket that fills at a rate which rises while work waits and falls when the
/// relay complains. One for each relay, however often it is connected; what was learned outlives restarts.
///
/// Rates are requests in a thousand seconds, as [Trait#RATE] has them, and all of it is whole numbers: one request is
/// as much as a rate of 1 gives in a thousand seconds.
public final class RequestRate {
    private static final long REQUEST = Duration.ofSeconds(1000).toNanos();
    private static final int BURST = 10;
    private static final int START = 2_000;
    private static final int MIN = 100;
    private static final int PER_SECOND = 1_000;

    /// Frames are bounded long before that.
    private static final int PER_SECOND_MAX = 1_000;

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final Duration MODESTY = Duration.ofHours(1);
    private static final Duration MEMORY = Duration.ofHours(24);

    private final Learned learned;
    private final int max;
    private int rate;

    /// Of a request, times [#REQUEST].
    private long credit = BURST * REQUEST;

    private long filledAt;
    private long minuteSince;
    private boolean hasWaited;
    private final Deadline modest = new Deadline();
    private final Deadline forgiven = new Deadline();

    /// @param learned of this relay
    /// @param perSecondMax the highest rate
    public RequestRate(Learned learned, int perSecondMax, long nanos, Instant wall) {
        this.learned = learned;
        this.max = Math.min(perSecondMax, PER_SECOND_MAX) * PER_SECOND;
        this.filledAt = nanos;
        this.minuteSince = nanos;
        long known = learned.find(Trait.RATE, wall).orElse(START);
        this.rate = Math.clamp(known, MIN, max);
        // for how long it was to stay low does not get lost with the process
        entry().filter(entry -> wall.isBefore(entry.until())).ifPresent(entry -> {
            var refusedAt = entry.until().minus(MEMORY);
            modest.extend(Deadline.after(nanos, Duration.between(wall, refusedAt.plus(MODESTY))));
        });
    }

    /// Begins a request now, if it may.
    public boolean tryTake(long nanos) {
        fill(nanos);
        if (credit < REQUEST) {
            hasWaited = true;
            return false;
        }
        credit -= REQUEST;
        return true;
    }

    /// How long until a request may begin; zero if it may.
    public Duration untilNext(long nanos) {
        fill(nanos);
        long missing = Math.max(0, REQUEST - credit);
        return Duration.ofNanos(Math.ceilDiv(missing, rate) + Math.max(0, filledAt - nanos));
    }

    /// The relay complained of too many requests: half as many from now on, and none while it rests. Several
    /// complaints within a minute are one.
    ///
    /// @param rest for which nothing is asked; no requests are saved up meanwhile
    public void refused(long nanos, Duration rest, Instant wall) {
        fill(nanos);
        credit = 0;
        filledAt = Math.max(filledAt, Deadline.after(nanos, rest));
        if (forgiven.isRunning(nanos)) {
            return;
        }
        rate = Math.max(MIN, rate / 2);
        forgiven.extend(nanos + MINUTE);
        modest.extend(Deadline.after(nanos, MODESTY));
        learned.learn(Trait.RATE, rate, wall.plus(MEMORY));
    }

    /// Requests in a thousand seconds.
    public int perThousandSeconds() {
        return rate;
    }

    private void fill(long nanos) {
        long passed = nanos - filledAt;
        if (passed > 0) {
            long full = BURST * REQUEST;
            // a long time would overflow, and no more than a full bucket comes of it
            credit = passed > full / rate ? full : Math.min(full, credit + passed * rate);
            filledAt = nanos;
        }
        turnMinute(nanos);
    }

    private void turnMinute(long nanos) {
        if (nanos - minuteSince < MINUTE) {
            return;
        }
        if (hasWaited && !modest.isRunning(nanos) && rate < max) {
            rate = Math.min(max, rate * 2);
            entry().ifPresent(entry -> learned.learn(Trait.RATE, rate, entry.until()));
        }
        hasWaited = false;
        minuteSince = nanos;
    }

    private Optional<Learned.Entry> entry() {
        return Optional.ofNullable(learned.entries().get(Trait.RATE));
    }
}
