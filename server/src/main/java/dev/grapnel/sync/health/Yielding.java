package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Who gives way where more relays want a place than there are (R1.16). All places but one go by rank, so that whoever
/// is named by strangers only cannot keep others out; at the last one the others take turns, so that nobody waits for
/// ever.
final class Yielding {
    /// So long a link stays before another has its turn; coming again then is still a quick one (R4.10).
    static final Duration TURN = Duration.ofMinutes(10);

    private Yielding() {}

    /// Who makes room, if somebody does by now.
    ///
    /// @param inUse who has all places that there are
    static Optional<Seat> findYielding(Collection<Seat> inUse, Seat wanting, long now) {
        if (inUse.isEmpty() || inUse.stream().anyMatch(seat -> seat.stage() == Seat.Stage.LEAVING)) {
            return Optional.empty();
        }
        var ranked = inUse.stream().sorted(Seat.RANK).toList();
        var last = ranked.getLast();
        boolean isNew = wanting.turn() == 0 && wanting.outranks(last);
        boolean isOver =
                last.stage() == Seat.Stage.UP && now - last.openedAt() >= TURN.toNanos() && !last.isBootstrap();
        return isNew || isOver || belongs(ranked, wanting) ? Optional.of(last) : Optional.empty();
    }

    /// Whether it goes before one of those who do not take turns.
    private static boolean belongs(List<Seat> ranked, Seat wanting) {
        return ranked.size() == 1
                ? wanting.outranks(ranked.getFirst())
                : wanting.outranks(ranked.get(ranked.size() - 2));
    }

    /// Who gets a place that became free.
    ///
    /// @param inUse who has the others
    static Optional<Seat> findNext(Collection<Seat> inUse, Collection<Seat> waiting) {
        var best = waiting.stream().min(Seat.RANK);
        var last = inUse.stream().max(Seat.RANK);
        return best.filter(seat -> last.isEmpty() || seat.outranks(last.get()))
                .or(() -> waiting.stream().min(Seat.TURN));
    }
}
