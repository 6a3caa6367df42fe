package dev.grapnel.sync.received;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Events that wait for the gate. Those that depend on each other go one after the other (R7.9), and relays take
/// turns: of each relay its events go in the order in which they came, as far as they can.
///
/// Who waits has nothing: an event takes all it needs when it goes, so that a thousand versions of one address keep
/// nobody out but each other. What many share for ever would then never be free for one that needs it alone; so one at
/// a time has what it needs reserved, again by turns of the relays.
final class Line {
    /// How many of a relay's events are looked at. If none of these can go, those behind them wait, too.
    private static final int LOOKS_MAX = 16;

    /// By relay; whose turn it was longest ago comes first.
    private final Map<Integer, Lane> lanes = new LinkedHashMap<>();

    private final Occupied occupied = new Occupied();
    private final Occupied reserved = new Occupied();
    private @Nullable Passage favourite;
    private boolean hasStuck;
    private long releases;
    private long reservations;

    /// What one relay brought.
    private static final class Lane {
        private final Set<Passage> passages = new LinkedHashSet<>();
        /// The last one who had something reserved, when this relay had its turn.
        private long reservation;

        /// The last release that its events have been tried after: until the next none of them can go.
        private long triedAfter = -1;

        private boolean isStuck;

        Lane(long reservation) {
            this.reservation = reservation;
        }
    }

    /// Lines an event up that a relay has brought, perhaps not the first one.
    void add(Passage passage, int relay) {
        var lane = lanes.computeIfAbsent(relay, _ -> new Lane(reservations));
        lane.passages.add(passage);
        if (lane.passages.size() <= LOOKS_MAX) {
            lane.triedAfter = -1;
        }
    }

    /// The next one that can go, which now has what it needs, until it is through.
    ///
    /// @param isAdmitted who may go as far as others say
    Optional<Passage> poll(Predicate<Passage> isAdmitted) {
        var found = find(isAdmitted);
        found.ifPresent(this::take);
        if (favourite == null && hasStuck) {
            reserve();
        }
        return found;
    }

    private Optional<Passage> find(Predicate<Passage> isAdmitted) {
        for (var entry : lanes.entrySet()) {
            var lane = entry.getValue();
            if (lane.triedAfter < releases) {
                var found = find(lane, isAdmitted);
                if (found.isPresent()) {
                    lanes.remove(entry.getKey()); // others' turns come first now
                    lanes.put(entry.getKey(), lane);
                    return found;
                }
                lane.triedAfter = releases;
            }
        }
        return Optional.empty();
    }

    private Optional<Passage> find(Lane lane, Predicate<Passage> isAdmitted) {
        var waiting = lane.passages.iterator();
        for (int looks = 0; looks < LOOKS_MAX && waiting.hasNext(); looks++) {
            var passage = waiting.next();
            boolean isFree = isFree(passage);
            if (looks == 0) {
                lane.isStuck = !isFree;
                hasStuck |= !isFree;
            }
            if (isFree && isAdmitted.test(passage)) {
                return Optional.of(passage);
            }
        }
        return Optional.empty();
    }

    private boolean isFree(Passage passage) {
        return occupied.isFree(passage.claims()) && (passage.equals(favourite) || reserved.isFree(passage.claims()));
    }

    private void take(Passage passage) {
        passage.relays().forEach(relay -> remove(passage, relay));
        if (passage.equals(favourite)) {
            reserved.release(passage.claims());
            favourite = null;
        }
        occupied.take(passage.claims());
    }

    private void remove(Passage passage, int relay) {
        var lane = lanes.get(relay);
        if (lane != null && lane.passages.remove(passage)) {
            lane.triedAfter = -1; // another one is looked at instead
            if (lane.passages.isEmpty()) {
                lanes.remove(relay);
            }
        }
    }

    /// Keeps what the first event of a relay needs from others, if there is one that could not go: of the relay for
    /// which that was done longest ago.
    private void reserve() {
        Lane next = null;
        for (var lane : lanes.values()) {
            if (lane.isStuck && (next == null || lane.reservation < next.reservation)) {
                next = lane;
            }
        }
        hasStuck = next != null;
        if (next != null) {
            next.reservation = ++reservations;
            favourite = next.passages.iterator().next();
            reserved.take(favourite.claims());
        }
    }

    /// An event is through: what it had can be taken.
    void leave(Passage passage) {
        occupied.release(passage.claims());
        releases++;
    }
}
