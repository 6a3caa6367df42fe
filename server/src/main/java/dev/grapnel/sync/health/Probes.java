package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Whom to try while we seem to be cut off (R6.6), one at a time. Anybody can name relays that are dead, faster than
/// they are tried. So every other turn is for those that were connected before or that the operator names, every fourth
/// for the few that most repositories name; and those that only purgatory knows have none while somebody else may be
/// tried. Within each of these sorts everybody has a turn.
final class Probes {
    /// How many are those that most repositories name.
    static final int FOREMOST = 8;

    private static final List<Sort> TURNS = List.of(Sort.PROVEN, Sort.FOREMOST, Sort.PROVEN, Sort.OTHER);
    private static final BinaryOperator<Seat> LONGEST_READY =
            BinaryOperator.minBy(Comparator.comparingLong(Seat::readySince));

    private static final Duration EVERY = Duration.ofSeconds(30);

    private final Deadline next = new Deadline();
    private int turn;

    private enum Sort {
        PROVEN,
        FOREMOST,
        OTHER,
        DOUBTFUL
    }

    /// Nobody is to be probed.
    void clear() {
        next.clear();
    }

    /// Nanoseconds until the next one.
    long left(long now) {
        return next.left(now);
    }

    /// Who is probed now, if it is time.
    ///
    /// @param able who may be dialled
    Optional<Seat> findNext(long now, Stream<Seat> able, Supplier<Set<Candidate>> foremost) {
        if (next.left(now) > 0) {
            return Optional.empty();
        }
        var found = next.isSet() ? choose(able, foremost.get()) : Optional.<Seat>empty();
        next.extend(Deadline.after(now, EVERY));
        return found;
    }

    private Optional<Seat> choose(Stream<Seat> able, Set<Candidate> foremost) {
        var first = new EnumMap<Sort, Seat>(Sort.class);
        able.forEach(seat -> first.merge(sort(seat, foremost), seat, LONGEST_READY));
        for (int tried = 0; tried < TURNS.size(); tried++) {
            var found = first.get(TURNS.get(turn));
            turn = (turn + 1) % TURNS.size();
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.ofNullable(first.get(Sort.DOUBTFUL));
    }

    private static Sort sort(Seat seat, Set<Candidate> foremost) {
        if (seat.isDoubtful()) {
            return Sort.DOUBTFUL;
        }
        if (seat.isProven()) {
            return Sort.PROVEN;
        }
        return foremost.contains(seat.candidate()) ? Sort.FOREMOST : Sort.OTHER;
    }
}
