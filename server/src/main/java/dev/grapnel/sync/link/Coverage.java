package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;

/// Up to which moment everything that is confirmed at a relay is known to be complete (R4.7), in seconds of the wall
/// clock. It goes forward with what is heard, and stands still while something is missing.
final class Coverage {
    /// A gap up to this is caught up; a longer one, and everything is compared (R4.10, R4.11).
    private static final Duration QUICK = Duration.ofMinutes(15);

    private static final long AGE_MAX = 24 * 3600;

    /// Clocks differ, and events take a while (R4.8).
    private static final int OVERLAP = 900;

    /// What is streamed is younger, if our clock is right.
    private static final int YOUNG = 60;

    private final Scheduler loop;
    private OptionalLong until = OptionalLong.empty();
    private OptionalLong before = OptionalLong.empty();
    private OptionalLong askedAt = OptionalLong.empty();
    private OptionalLong wholeFrom = OptionalLong.empty();
    private boolean isSure;
    private OptionalLong streamedFrom = OptionalLong.empty();
    private OptionalLong formerFrom = OptionalLong.empty();
    private OptionalLong formerUntil = OptionalLong.empty();
    private long youngest = Long.MAX_VALUE;

    Coverage(Scheduler loop) {
        this.loop = loop;
    }

    /// What a connection asks for that begins now.
    ///
    /// @param lostAt when the last one ended, if there was one
    /// @param isStale whether this moment is not to be trusted
    Strategy choose(OptionalLong lostAt, boolean isStale) {
        if (until.isEmpty() || lostAt.isEmpty()) {
            return Strategy.FRESH;
        }
        long age = loop.wall().getEpochSecond() - until.getAsLong();
        boolean isQuick = loop.nanos() - lostAt.getAsLong() <= QUICK.toNanos() && age < AGE_MAX && !isStale;
        return isQuick ? Strategy.QUICK : Strategy.STALE;
    }

    /// Everything before this moment is asked for anyway.
    void begin() {
        before = surely();
        isSure = false;
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

    /// Everything is asked for from now on (R4.9, R4.11, R4.12).
    void ask() {
        askedAt = OptionalLong.of(loop.wall().getEpochSecond());
    }

    /// All that was asked for has come, without doubt.
    void confirm() {
        isSure = true;
        wholeFrom = askedAt;
    }

    /// Up to when everything is surely here, also what is not confirmed yet: while a gap is not closed, up to where
    /// it begins; never before all was fetched once.
    OptionalLong surely() {
        return isSure ? until : before;
    }

    /// When all that came without doubt was last asked for.
    OptionalLong wholeFrom() {
        return wholeFrom;
    }

    /// A connection is up, and streams.
    void opened() {
        streamedFrom = OptionalLong.of(loop.wall().getEpochSecond());
    }

    /// It is over.
    void lost() {
        formerFrom = streamedFrom;
        formerUntil = until;
        streamedFrom = OptionalLong.empty();
    }

    /// Something was streamed. If the youngest of it is old by our clock, our clock is ahead, and what is new by the
    /// others' clocks would be left out of every window that begins by ours.
    void streamed(long createdAt) {
        youngest = Math.min(youngest, Math.max(0, loop.wall().getEpochSecond() - createdAt));
    }

    /// Where a window begins that is to leave nothing out that came after a moment.
    long since(long moment) {
        long ahead = youngest == Long.MAX_VALUE || youngest <= YOUNG ? 0 : Math.min(youngest, AGE_MAX);
        return Math.max(0, moment - OVERLAP - ahead);
    }

    /// Whether something of that date should have been streamed, by this connection or the one before.
    boolean wasStreamed(long second) {
        boolean isNow = streamedFrom.isPresent() && second >= streamedFrom.getAsLong();
        return isNow
                || (formerFrom.isPresent()
                        && formerUntil.isPresent()
                        && second >= formerFrom.getAsLong()
                        && second <= formerUntil.getAsLong());
    }

    void forget() {
        until = OptionalLong.empty();
    }
}
