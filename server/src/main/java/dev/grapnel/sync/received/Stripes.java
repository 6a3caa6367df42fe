package dev.grapnel.sync.received;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps events apart that depend on each other (R7.9): each stripe is a queue, and an event goes when it is its turn
/// in all stripes of what it names. What an event *is* must be its own (its id, its address, an identifier whose
/// announcements or states it changes); what it only refers to may be shared by those who do no more, or the thousand
/// comments of one repository would wait for a commit each.
final class Stripes {
    /// How many there are.
    static final int COUNT = 1 << 12;

    private final @Nullable Place[] firsts = new Place[COUNT];
    private final @Nullable Place[] lasts = new Place[COUNT];
    private final Consumer<Passage> clear;

    /// @param clear told whose turn it is
    Stripes(Consumer<Passage> clear) {
        this.clear = clear;
    }

    /// An event's places.
    static final class Claim {
        private final Passage passage;
        private final List<Place> places = new ArrayList<>();
        private int missing;

        private Claim(Passage passage) {
            this.passage = passage;
        }
    }

    private static final class Place {
        private final Claim claim;
        private final int stripe;
        private final boolean isAlone;
        private boolean isGranted;
        private @Nullable Place before;
        private @Nullable Place after;

        Place(Claim claim, int stripe, boolean isAlone) {
            this.claim = claim;
            this.stripe = stripe;
            this.isAlone = isAlone;
        }
    }

    /// Lines an event up; it may be its turn at once.
    ///
    /// @param own stripes it must have for itself
    /// @param shared stripes it may share; those in both are its own
    Claim enter(Passage passage, BitSet own, BitSet shared) {
        var claim = new Claim(passage);
        own.stream().forEach(stripe -> append(new Place(claim, stripe, true)));
        shared.stream().filter(stripe -> !own.get(stripe)).forEach(stripe -> append(new Place(claim, stripe, false)));
        if (claim.missing == 0) {
            clear.accept(passage);
        }
        return claim;
    }

    private void append(Place place) {
        place.claim.places.add(place);
        var last = lasts[place.stripe];
        place.before = last;
        lasts[place.stripe] = place;
        if (last == null) {
            firsts[place.stripe] = place;
        } else {
            last.after = place;
        }
        place.isGranted = last == null || (!place.isAlone && last.isGranted && !last.isAlone);
        place.claim.missing += place.isGranted ? 0 : 1;
    }

    /// An event is through: others may go.
    void leave(Claim claim) {
        claim.places.forEach(this::unlink);
        claim.places.forEach(this::grant);
    }

    private void unlink(Place place) {
        if (place.before == null) {
            firsts[place.stripe] = place.after;
        } else {
            place.before.after = place.after;
        }
        if (place.after == null) {
            lasts[place.stripe] = place.before;
        } else {
            place.after.before = place.before;
        }
    }

    /// After one that was alone all that share go; after one that shared, nobody but one that waits to be alone.
    private void grant(Place gone) {
        var place = firsts[gone.stripe];
        if (place != null && place.isAlone) {
            grantOne(place);
        } else if (gone.isAlone) {
            for (; place != null && !place.isAlone; place = place.after) {
                grantOne(place);
            }
        }
    }

    private void grantOne(Place place) {
        if (!place.isGranted) {
            place.isGranted = true;
            place.claim.missing--;
            if (place.claim.missing == 0) {
                clear.accept(place.claim.passage);
            }
        }
    }
}
