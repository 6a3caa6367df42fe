package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Who keeps a link and who takes turns, when there are more relays than links (R8.9). The relays that most
/// repositories name keep theirs; as many links are left to the others as it takes for each to have two hours within
/// six.
final class Rotation {
    /// How long a turn lasts at most.
    private static final Duration STAY_MAX = Duration.ofHours(2);

    /// Everybody gets a turn in such a time.
    private static final Duration ROUND = Duration.ofHours(6);

    private static final int TURNS = 3;

    /// What a change from one to the next takes: dialling, and waiting for a place in the queue.
    private static final Duration CHANGE = Duration.ofMinutes(2);

    private static final Duration STAY_MIN = Duration.ofMinutes(1);

    private final int linksMax;
    private final Moving moving;
    private final TreeSet<Seat> permanent = new TreeSet<>(Seat.RANK);
    private final TreeSet<Seat> rotating = new TreeSet<>(Seat.RANK);

    /// Carries out that a seat changes sides.
    @FunctionalInterface
    interface Moving {
        void move(Seat seat, boolean isPermanent);
    }

    Rotation(int linksMax, Moving moving) {
        this.linksMax = linksMax;
        this.moving = moving;
    }

    void add(Seat seat) {
        sideOf(seat).add(seat);
        settle();
    }

    void remove(Seat seat) {
        sideOf(seat).remove(seat);
        settle();
    }

    /// Changes what seats are sorted by.
    void change(Seat seat, Runnable change) {
        sideOf(seat).remove(seat);
        change.run();
        sideOf(seat).add(seat);
        settle();
    }

    private NavigableSet<Seat> sideOf(Seat seat) {
        return seat.isPermanent() ? permanent : rotating;
    }

    private void settle() {
        int max = permanentMax();
        while (permanent.size() > max) {
            move(permanent.last(), false);
        }
        while (permanent.size() < max && !rotating.isEmpty()) {
            move(rotating.first(), true);
        }
        while (isUnfair()) {
            move(permanent.last(), false);
            move(rotating.first(), true);
        }
    }

    private boolean isUnfair() {
        return !permanent.isEmpty()
                && !rotating.isEmpty()
                && rotating.first().candidate().outranks(permanent.last().candidate());
    }

    private void move(Seat seat, boolean isPermanent) {
        sideOf(seat).remove(seat);
        moving.move(seat, isPermanent);
        sideOf(seat).add(seat);
    }

    /// With p of n relays keeping their link, the others have links - p of them, each for [#TURNS] relays: the
    /// largest p with n - p <= TURNS * (links - p).
    private int permanentMax() {
        int all = permanent.size() + rotating.size();
        if (all <= linksMax) {
            return linksMax;
        }
        // one at least, for who is to be asked first
        return Math.clamp((TURNS * (long) linksMax - all) / (TURNS - 1), Math.min(1, linksMax - 1), linksMax - 1);
    }

    /// Links for those who take turns.
    int places() {
        return rotating.isEmpty() ? 0 : linksMax - permanentMax();
    }

    /// How long a turn lasts at most, so that everybody has one in time.
    Duration stay() {
        if (rotating.isEmpty()) {
            return STAY_MAX;
        }
        int turns = Math.ceilDiv(rotating.size(), places());
        var fair = ROUND.dividedBy(turns).minus(CHANGE);
        if (fair.compareTo(STAY_MIN) < 0) {
            return STAY_MIN;
        }
        return fair.compareTo(STAY_MAX) < 0 ? fair : STAY_MAX;
    }
}
