package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The identifiers that wait for one domain, asked in turn (P-640, P-645, P-649). Who gets its turn stands behind all
/// others from then on, and so does who comes: the cursor is the first place, and nobody is overtaken twice by the same
/// one, however often that leaves and comes again. With a cursor in a list whose newcomers stand at the end, two who do
/// so in turn would keep it from ever reaching the first.
///
/// Places are numbers that only grow, so that leaving the middle of ten thousand costs no more than leaving the end.
/// Guarded by the throttle.
final class DomainQueue {
    private final TreeMap<Long, Place> places = new TreeMap<>();
    private final Map<Identifier, Place> byIdentifier = new HashMap<>();
    private long nextNumber;

    /// Where an identifier stands.
    private static final class Place {
        private long number;
        private final Identifier identifier;
        private final Set<String> tried = new HashSet<>();
        private @Nullable Object holder; // whose turn it is now
        private boolean isLeaving;
        private boolean isFresh; // what the running turn tries counts no more

        Place(Identifier identifier) {
            this.identifier = identifier;
        }
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    int size() {
        return places.size();
    }

    /// Adds an identifier behind all others; one that is here keeps its place and its turn.
    void add(Identifier identifier, Set<String> tried) {
        var place = byIdentifier.computeIfAbsent(identifier, name -> {
            var added = new Place(name);
            stand(added);
            return added;
        });
        place.tried.addAll(tried);
        place.isLeaving = false;
    }

    private void stand(Place place) {
        place.number = nextNumber++;
        places.put(place.number, place);
    }

    /// The first whose turn is not running, if there is one.
    Optional<Identifier> next() {
        return Optional.ofNullable(nextPlace()).map(place -> place.identifier);
    }

    /// Gives the next one its turn, and its place behind all others.
    ///
    /// @param holder what names this turn when it ends
    /// @throws IllegalStateException if there is none
    Identifier take(Object holder) {
        var place = nextPlace();
        if (place == null) {
            throw new IllegalStateException("nobody waits for a turn");
        }
        place.holder = holder;
        places.remove(place.number);
        stand(place);
        return place.identifier;
    }

    /// What an identifier has tried here.
    Set<String> tried(Identifier identifier) {
        var place = byIdentifier.get(identifier);
        return place == null ? Set.of() : Set.copyOf(place.tried);
    }

    /// Ends a turn; an identifier that left meanwhile goes now.
    ///
    /// @param tried what it asked
    void endTurn(Identifier identifier, Object holder, Set<String> tried) {
        var place = byIdentifier.get(identifier);
        if (place != null && holder.equals(place.holder)) {
            place.holder = null;
            if (!place.isFresh) {
                place.tried.addAll(tried);
            }
            place.isFresh = false;
            if (place.isLeaving) {
                drop(place);
            }
        }
    }

    /// Ends a turn and takes its identifier out; without effect on a turn that has ended.
    void dropTurn(Identifier identifier, Object holder) {
        var place = byIdentifier.get(identifier);
        if (place != null && holder.equals(place.holder)) {
            drop(place);
        }
    }

    /// Takes an identifier out, or, while it has its turn, notes that it is to go (P-649).
    void leave(Identifier identifier) {
        var place = byIdentifier.get(identifier);
        if (place != null && place.holder == null) {
            drop(place);
        } else if (place != null) {
            place.isLeaving = true;
        }
    }

    /// Takes all out.
    List<Identifier> leaveAll() {
        var all = List.copyOf(byIdentifier.keySet());
        all.forEach(this::leave);
        return all;
    }

    /// Lets an identifier try everything again (P-601).
    void clearTried(Identifier identifier) {
        var place = byIdentifier.get(identifier);
        if (place != null) {
            place.tried.clear();
            place.isFresh = place.holder != null;
        }
    }

    boolean contains(Identifier identifier) {
        return byIdentifier.containsKey(identifier);
    }

    /// Passes at most as many as have their turn, which are few.
    private @Nullable Place nextPlace() {
        for (var place : places.values()) {
            if (place.holder == null) {
                return place;
            }
        }
        return null;
    }

    private void drop(Place place) {
        places.remove(place.number);
        byIdentifier.remove(place.identifier);
    }
}
