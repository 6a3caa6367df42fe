package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// How one relay fares: its failures, its waits, what it was found to be able to do. Belongs to the loop; outlives
/// connections, restarts and, for a week, that anybody wants the relay (R4.35).
///
/// Each reason to wait has a deadline of its own, and a dial waits for the last of them (R4.30): so no failure shortens
/// what another reason asks for (R6.5).
public final class RelayRecord {
    /// A link that lived so long clears what was before (R6.2).
    static final Duration STABLE = Duration.ofMinutes(5);

    /// A link that lived so long shows that the relay is not dead.
    static final Duration ALIVE = Duration.ofMinutes(1);

    /// Who failed for so long is dead (6.1), and is tried once in such a time (R6.4).
    static final Duration DEAD = Duration.ofHours(24);

    /// No relay is parked for longer.
    static final Duration PARKED_MAX = Duration.ofHours(24);

    /// No relay waits longer for a place that somebody else has.
    static final Duration POSTPONED_MAX = MachinePlaces.PATIENCE;

    private final Learned learned = new Learned();
    private final Deadline retry = new Deadline();
    private final Deadline parked = new Deadline();
    private final Deadline ours = new Deadline();
    private final Cooldown cooldown = new Cooldown();
    private final ProtocolFault protocol = new ProtocolFault();
    private int streak;

    /// By the clock that counts, while there is a streak.
    private long failingSince;

    private boolean isKnownDead;
    private boolean isUp;
    private boolean wasUp;
    private long upSince;
    private int changes;

    RelayRecord() {}

    /// What the relay was found to be able to do.
    public Learned learned() {
        return learned;
    }

    /// Failures in a row (`relay_failures`).
    public int streak(long nanos) {
        return hasLived(nanos, STABLE) ? 0 : streak;
    }

    /// Whether nothing may be started at the relay, because it wants us to slow down (R4.29).
    public boolean isCooling(long nanos) {
        return cooldown.isRunning(nanos);
    }

    /// How long that still lasts; zero if it does not.
    public Duration coolingFor(long nanos) {
        return Duration.ofNanos(cooldown.left(nanos));
    }

    /// The relay wants us to slow down.
    ///
    /// @param atLeast for how long, if it said so
    /// @return whether that counts: not while it is cooling already
    public boolean coolDown(long nanos, Duration atLeast) {
        boolean begins = cooldown.begin(nanos, atLeast);
        if (begins) {
            changes++;
        }
        return begins;
    }

    /// The relay does not want us, or none of what we ask: it is left alone for a while, at most a day.
    public void park(long nanos, Duration wait) {
        parked.extend(Deadline.after(nanos, wait.compareTo(PARKED_MAX) < 0 ? wait : PARKED_MAX));
        changes++;
    }

    /// Something is accepted there after all.
    public void unpark() {
        parked.clear();
        changes++;
    }

    /// It is this server under another name, as far as this process knows: that is not written down.
    void callOurs(long nanos) {
        ours.extend(Deadline.after(nanos, PARKED_MAX));
    }

    /// Nanoseconds for which that is believed.
    long oursLeft(long nanos) {
        return ours.left(nanos);
    }

    public boolean isParked(long nanos) {
        return parked.isRunning(nanos);
    }

    /// How it fares (6.1), the first that fits.
    RelayStatus status(Moment now) {
        if (isCooling(now.nanos())) {
            return RelayStatus.RATE_LIMITED;
        }
        if (isParked(now.nanos())) {
            return RelayStatus.POLICY_LIMITED;
        }
        if (isDead(now)) {
            return RelayStatus.DEAD;
        }
        if (streak(now.nanos()) > 0) {
            return RelayStatus.DEGRADED;
        }
        return isUp ? RelayStatus.HEALTHY : RelayStatus.DISCONNECTED;
    }

    boolean isDead(Moment now) {
        return streak > 0 && !hasLived(now.nanos(), ALIVE) && now.counted() - failingSince >= DEAD.toNanos();
    }

    /// There is a link. That alone changes nothing (R6.2).
    void opened(long nanos) {
        isUp = true;
        upSince = nanos;
        if (!wasUp) {
            wasUp = true;
            changes++;
        }
    }

    /// Whether there ever was a link, as far as anybody remembers.
    boolean wasUp() {
        return wasUp;
    }

    /// When the last link was made, if there was one.
    long upSince() {
        return upSince;
    }

    /// The link is no more. How long it lived decides what it was worth; whether that it ended counts as a failure
    /// is said by [#failed].
    void ended(Moment now) {
        settle(now.nanos());
        if (streak > 0 && hasLived(now.nanos(), ALIVE)) {
            failingSince = now.counted();
        }
        isUp = false;
        changes++;
    }

    /// A link that lives long enough clears what was before also while it lives.
    void settle(long nanos) {
        if (streak > 0 && hasLived(nanos, STABLE)) {
            streak = 0;
            changes++;
        }
    }

    private boolean hasLived(long nanos, Duration time) {
        return isUp && nanos - upSince >= time.toNanos();
    }

    /// An attempt or a link failed, and is over.
    ///
    /// @param deadWait how long the dead wait
    /// @return whether it has just been found dead
    boolean failed(Moment now, Backoff backoff, Duration deadWait) {
        if (streak == 0) {
            failingSince = now.counted();
        }
        streak = Math.min(streak + 1, Integer.MAX_VALUE - 1);
        boolean isDead = isDead(now);
        boolean isNews = isDead && !isKnownDead;
        isKnownDead = isDead;
        retry.extend(Deadline.after(now.nanos(), isDead ? deadWait : backoff.after(streak)));
        changes++;
        return isNews;
    }

    /// Not now, but nobody failed.
    void postpone(long nanos, Duration wait) {
        retry.extend(Deadline.after(nanos, wait));
    }

    /// No failure keeps us away for longer.
    void waitAtMost(long nanos, Duration max) {
        long latest = Deadline.after(nanos, max);
        if (retry.left(nanos) > max.toNanos()) {
            retry.clear();
            retry.extend(latest);
            changes++;
        }
    }

    /// What it was postponed for is there.
    void hasten() {
        retry.clear();
    }

    /// The URL does not lead to a WebSocket.
    ///
    /// @return whether that is new
    boolean addProtocolFault(long nanos, Duration period) {
        changes++;
        return protocol.add(nanos, period);
    }

    void forgiveProtocolFault() {
        protocol.clear();
        changes++;
    }

    /// Nanoseconds until it may be tried as far as protocol faults go.
    long protocolLeft(long nanos) {
        return protocol.left(nanos);
    }

    /// Nanoseconds until the relay may be dialled, the naughty list apart; 0 if it may.
    long left(long nanos) {
        return Collections.max(List.of(retry.left(nanos), parked.left(nanos), ours.left(nanos), cooldown.left(nanos)));
    }

    /// Whether there is nothing worth remembering.
    boolean isBlank(long nanos) {
        return streak(nanos) == 0
                && left(nanos) == 0
                && cooldown.isForgotten(nanos)
                && protocol.count() == 0
                && learned.isBlank()
                && !wasUp;
    }

    /// Grows whenever there is something new to write down.
    int changes() {
        return changes + learned.changes();
    }

    // ---- for writing down

    Deadline retry() {
        return retry;
    }

    Deadline parked() {
        return parked;
    }

    Cooldown cooldown() {
        return cooldown;
    }

    ProtocolFault protocol() {
        return protocol;
    }

    long failingSince() {
        return failingSince;
    }

    /// Takes back that there was a link.
    void restoreUp(long nanos) {
        wasUp = true;
        upSince = nanos;
    }

    /// Takes back failures that were written down.
    void restoreStreak(int streakThen, long failingSinceThen, Moment now) {
        streak = streakThen;
        failingSince = failingSinceThen;
        isKnownDead = isDead(now);
    }
}
