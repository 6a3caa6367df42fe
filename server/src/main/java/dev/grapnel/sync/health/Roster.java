package dev.grapnel.sync.health;

import dev.grapnel.nostr.key.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which of the wanted relays are followed at all (R1.16). Announcements are anybody's: so there is a cap, within it
/// the relays that more repositories name go first, and those that only purgatory knows come slowly and stay few, their
/// owners in turn.
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
    private final TreeSet<Candidate> doubtful = new TreeSet<>(Candidate.TURN);
    private final OwnerTurns turns = new OwnerTurns();
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
        var forgotten = Optional.ofNullable(doubtful.isEmpty() ? waiting.pollLast() : doubtful.pollLast());
        forgotten.ifPresent(this::endTurn);
        return forgotten;
    }

    /// Somebody that only purgatory knows is named by these, and waits in the turn of the one who named fewest.
    void name(Candidate candidate, Collection<PublicKey> owners) {
        if (doubtful.contains(candidate)) {
            owners.stream()
                    .min(Comparator.comparingInt(turns::next))
                    .filter(owner -> candidate.turn() == 0 || turns.next(owner) < candidate.turn())
                    .ifPresent(owner -> {
                        doubtful.remove(candidate);
                        endTurn(candidate);
                        candidate.setTurn(owner, turns.take(owner));
                        doubtful.add(candidate);
                    });
        }
    }

    private void endTurn(Candidate candidate) {
        candidate.owner().ifPresent(turns::giveBack);
        candidate.clearTurn();
    }

    /// Takes somebody off, wherever it stands.
    void remove(Candidate candidate) {
        takeOff(candidate);
        endTurn(candidate);
    }

    private void takeOff(Candidate candidate) {
        if (followed.remove(candidate)) {
            count(candidate, -1);
        } else {
            queueOf(candidate).remove(candidate);
        }
    }

    /// Changes somebody's standing, wherever it stands.
    void change(Candidate candidate, Standing standing) {
        boolean isFollowed = followed.contains(candidate);
        takeOff(candidate);
        candidate.setStanding(standing);
        if (!standing.isDoubtful()) {
            endTurn(candidate);
        }
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
        takeOff(last);
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

    /// Whether nobody is followed but those that only purgatory knows.
    boolean hasOnlyDoubtful() {
        return followed.size() == doubtfulFollowed;
    }

    /// The first of those who are followed, as far as they go before others.
    Set<Candidate> foremost(int most) {
        var first = followed.stream().limit(most + 1L).toList();
        return first.stream()
                .filter(candidate -> candidate.outranks(first.getLast()))
                .collect(Collectors.toSet());
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
