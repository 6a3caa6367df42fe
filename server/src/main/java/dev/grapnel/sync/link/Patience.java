package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How long a relay is still asked that refuses what can be made no smaller (R4.20, 6.1): so many refusals in a row of
/// one kind of request, from which nothing is learned, and that kind rests. What is new of it waits with the rest, and
/// one answer ends it all. If nothing at all is answered, everything rests. It lasts longer than connections do.
final class Patience {
    /// Refusals in a row of one kind.
    private static final int KIND_MAX = 6;
    /// Refusals in a row of whatever kind, while nothing is answered.
    private static final int ALL_MAX = 12;
    /// Many may be refused at once for one limit, before anything can be answered.
    private static final Duration AT_LEAST = Duration.ofSeconds(5);
    /// What was refused so soon after something was learned may have been sent before.
    private static final Duration SETTLING = Duration.ofSeconds(10);
    /// Want of room may be over soon; it is asked about less and less.
    private static final Duration ROOM_REST = Duration.ofHours(1);

    private final Scheduler loop;
    private final Map<Kind, Streak> kinds = new HashMap<>();
    private final Streak all = new Streak(ALL_MAX);
    private long settledAt;
    private long silentSince;

    /// What is asked for in the same way, so that one refusal tells something of the next.
    record Kind(String word) {
        static final Kind LIVE = new Kind("live");
        static final Kind IDS = new Kind("ids");
        static final Kind CATCHUP = new Kind("catch-up");

        static Kind of(Question question) {
            return new Kind(question.chunk().layer() + " " + question.letter());
        }
    }

    /// Refusals without an answer between them.
    private static final class Streak {
        private final int most;
        private int count;
        private int rests;
        private long until;

        private Streak(int most) {
            this.most = most;
        }

        private void refused(long now, boolean isRoom) {
            if (left(now) > 0 || ++count < most) {
                return; // what comes meanwhile was sent before
            }
            until = now + (isRoom ? roomRest(rests++) : Refusals.POLICY_TIME.toNanos());
        }

        private static long roomRest(int before) {
            var time = ROOM_REST.multipliedBy(1L << Math.min(before, 5));
            return Math.min(time.toNanos(), Refusals.POLICY_TIME.toNanos());
        }

        private long left(long now) {
            return count < most ? 0 : Math.max(0, until - now);
        }

        private void end() {
            count = 0;
            rests = 0;
        }
    }

    Patience(Scheduler loop) {
        this.loop = loop;
        this.settledAt = loop.nanos();
    }

    /// A limit was found; what is sent from now on is smaller.
    void learned() {
        settledAt = loop.nanos() + SETTLING.toNanos();
    }

    /// Something of a kind was refused, and nothing is to be learned from it.
    void refused(Kind kind, RefusalLine line) {
        long now = loop.nanos();
        if (now - settledAt >= 0) {
            kinds.computeIfAbsent(kind, _ -> new Streak(KIND_MAX)).refused(now, line.isAboutRoom());
        }
    }

    /// Something was refused, whether anything is learned from it or not.
    ///
    /// @param isAnswering whether the relay streams something just now
    void refused(RefusalLine line, boolean isAnswering) {
        long now = loop.nanos();
        if (isAnswering || all.count == 0) {
            all.end();
            silentSince = now;
        }
        if (!isAnswering && (all.count < ALL_MAX - 1 || now - silentSince >= AT_LEAST.toNanos())) {
            all.refused(now, line.isAboutRoom());
        }
    }

    /// Something of a kind was answered.
    ///
    /// @return whether that ends a rest
    boolean answered(Kind kind) {
        boolean rested = rests(kind);
        all.end();
        kinds.remove(kind);
        return rested;
    }

    /// How long nothing of a kind is asked for; zero if it is.
    Duration left(Kind kind) {
        var streak = kinds.get(kind);
        long now = loop.nanos();
        return Duration.ofNanos(Math.max(all.left(now), streak == null ? 0 : streak.left(now)));
    }

    boolean rests(Kind kind) {
        return left(kind).isPositive();
    }

    /// How long nothing at all is asked for; zero if something is.
    Duration left() {
        return Duration.ofNanos(all.left(loop.nanos()));
    }

    boolean rests() {
        return left().isPositive();
    }
}
