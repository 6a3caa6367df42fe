package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/// Which of the wanted relays are followed at all (R1.16). Announcements are anybody's: so there is a cap, within it
/// the relays that more repositories name go first, and those that only purgatory knows come slowly and stay few.
final class Roster {
    /// Beyond so many that wait, the least of them is forgotten until it is told of again.
    static final int WAITING_MAX = 100_000;

    /// Hears who is followed from now on, and who is no more.
    interface Listener {
        void followed(Candidate candidate);

        void dropped(Candidate candidate);

        /// Somebody new has to wait until others go.
        void waits(Candidate candidate);
    }

    private static final int DOUBTFUL_PER_MINUTE = 30;
    private static final int DOUBTFUL_SHARE = 4;

    private final int max;
    private final int waitingMax;
    private final TreeSet<Candidate> followed = new TreeSet<>(Candidate.RANK);
    private final TreeSet<Candidate> waiting = new TreeSet<>(Candidate.RANK);
    private final TreeSet<Candidate> doubtful = new TreeSet<>(Candidate.RANK);
    private final SlidingLimit doubtfulPace = new SlidingLimit(DOUBTFUL_PER_MINUTE, Duration.ofMinutes(1));
    /// Those who came since it was last decided.
    private final List<Candidate> newcomers = new ArrayList<>();

    private int doubtfulFollowed;

    Roster(int max, int waitingMax) {
        this.max = max;
        this.waitingMax = waitingMax;
    }

    /// Lets somebody wait.
    ///
    /// @return who was forgotten for it
    Optional<Candidate> add(Candidate candidate) {
        queueOf(candidate).add(candidate);
        newcomers.add(candidate);
        if (waitingCount() <= waitingMax) {
            return Optional.empty();
        }
        return Optional.ofNullable(doubtful.isEmpty() ? waiting.pollLast() : doubtful.pollLast());
    }

    /// Takes somebody off, wherever it stands.
    void remove(Candidate candidate) {
        if (followed.remove(candidate)) {
            count(candidate, -1);
        } else {
            queueOf(candidate).remove(candidate);
        }
    }

    /// Changes somebody's standing, wherever it stands.
    void change(Candidate candidate, Standing standing) {
        boolean isFollowed = followed.contains(candidate);
        remove(candidate);
        candidate.setStanding(standing);
        if (isFollowed) {
            enter(candidate);
        } else {
            queueOf(candidate).add(candidate);
        }
    }

    private NavigableSet<Candidate> queueOf(Candidate candidate) {
        return candidate.standing().isDoubtful() ? doubtful : waiting;
    }

    /// Decides anew who is followed, and tells what changed.
    void settle(long now, Listener listener) {
        while (!waiting.isEmpty() && makeRoom(waiting.first(), listener)) {
            follow(take(waiting), listener);
        }
        while (mayDoubtfulFollow() && doubtfulPace.tryTake(now)) {
            follow(take(doubtful), listener);
        }
        var fresh = List.copyOf(newcomers);
        newcomers.clear();
        fresh.stream().filter(this::isKeptWaiting).forEach(listener::waits);
    }

    /// Whether there is no place, so that time alone does not help.
    private boolean isKeptWaiting(Candidate candidate) {
        return !followed.contains(candidate)
                && (isFull() || (candidate.standing().isDoubtful() && doubtfulFollowed >= doubtfulMax()));
    }

    /// Whether there is a place for somebody; if somebody lesser has it, it is taken away.
    private boolean makeRoom(Candidate next, Listener listener) {
        if (!isFull()) {
            return true;
        }
        var last = followed.last();
        if (!next.outranks(last)) {
            return next.standing().isBootstrap();
        }
        remove(last);
        queueOf(last).add(last);
        listener.dropped(last);
        return true;
    }

    private boolean mayDoubtfulFollow() {
        return !doubtful.isEmpty() && !isFull() && doubtfulFollowed < doubtfulMax();
    }

    private int doubtfulMax() {
        return Math.max(1, max / DOUBTFUL_SHARE);
    }

    private boolean isFull() {
        return followed.size() >= max;
    }

    private static Candidate take(NavigableSet<Candidate> queue) {
        return Objects.requireNonNull(queue.pollFirst());
    }

    private void follow(Candidate candidate, Listener listener) {
        enter(candidate);
        listener.followed(candidate);
    }

    private void enter(Candidate candidate) {
        followed.add(candidate);
        count(candidate, 1);
    }

    private void count(Candidate candidate, int by) {
        if (candidate.standing().isDoubtful()) {
            doubtfulFollowed += by;
        }
    }

    /// Nanoseconds until [#settle] may change something by itself; empty if only others' doing will.
    OptionalLong left(long now) {
        return mayDoubtfulFollow() ? OptionalLong.of(doubtfulPace.left(now)) : OptionalLong.empty();
    }

    boolean isFollowed(Candidate candidate) {
        return followed.contains(candidate);
    }

    int followedCount() {
        return followed.size();
    }

    int waitingCount() {
        return waiting.size() + doubtful.size();
    }
}
