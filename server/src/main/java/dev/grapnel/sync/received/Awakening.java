package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// Looks at refused events again when something they waited for has come (R7.22, R7.23). All of them are taken out
/// first, so that each verdict counts anew; those that are still whole are judged in the order of their dates, the
/// others asked for. Work of strangers' making, so it is done in turns, and what is refused again is not looked at
/// twice for one key.
final class Awakening {
    private static final int TURN_MAX = 2_000;
    private static final Comparator<Woken.Whole> BY_DATE = Comparator.comparingLong(
                    (Woken.Whole whole) -> whole.event().createdAt())
            .thenComparing(whole -> whole.event().id());

    private final Scheduler loop;
    private final Refusals refusals;
    private final RelayNames relays;
    private final Refetches refetches;
    private final PastAttempts attempts;
    private final IntakeNotes notes;
    private final Consumer<Woken.Whole> readmit;
    private final Deque<Key> keys = new ArrayDeque<>();
    private final List<Woken> woken = new ArrayList<>();
    private boolean isRunning;
    private boolean isPosted;

    /// Something that has come.
    ///
    /// @param before only what was refused before it came waits for it
    private record Key(long hash, long before) {}

    Awakening(
            Scheduler loop,
            Refusals refusals,
            RelayNames relays,
            Refetches refetches,
            PastAttempts attempts,
            IntakeNotes notes,
            Consumer<Woken.Whole> readmit) {
        this.loop = loop;
        this.refusals = refusals;
        this.relays = relays;
        this.refetches = refetches;
        this.attempts = attempts;
        this.notes = notes;
        this.readmit = readmit;
    }

    /// Something has come. Acted upon by [#run].
    void satisfy(long key) {
        if (refusals.isAwaited(key)) {
            keys.add(new Key(key, refusals.next()));
        }
    }

    /// A served event refers to another one. Acted upon by [#run].
    void mention(EventId id) {
        if (refusals.isOrphan(id)) {
            refusals.wake(id, woken::add);
        }
    }

    /// One event shall be looked at again, whatever it waits for. Acted upon by [#run].
    void wake(Event event) {
        refusals.wake(event.id(), woken::add);
    }

    /// Everything that waits in a chunk of the index is not to wait any more. What is not whole is not asked for: it
    /// may be very much, and comes with the next sync.
    void wakeChunk(int chunk) {
        refusals.wakeChunk(chunk, found -> {
            if (found instanceof Woken.Whole) {
                woken.add(found);
            }
        });
        run();
    }

    /// Events whose dates are near enough by now are asked for.
    void wakeDue() {
        refusals.wakeDue(woken::add);
        run();
    }

    /// Acts upon what has come.
    void run() {
        if (isRunning) {
            return; // an event that was judged at once; what it brought is seen below
        }
        isRunning = true;
        try {
            int budget = TURN_MAX;
            while (budget > 0 && (!keys.isEmpty() || !woken.isEmpty())) {
                budget -= collect(budget);
                act();
            }
        } finally { // what fails must not be the last that is looked at
            isRunning = false;
            if (!keys.isEmpty() && !isPosted) {
                isPosted = true;
                loop.post(this::goOn);
            }
        }
    }

    private void goOn() {
        isPosted = false;
        run();
    }

    private int collect(int budget) {
        int done = 1;
        while (!keys.isEmpty() && done < budget) {
            var key = keys.remove();
            int room = budget - done;
            int found = refusals.wake(key.hash(), key.before(), room, woken::add);
            done += found + 1;
            if (found >= room) {
                keys.addFirst(key);
            }
        }
        return done;
    }

    private void act() {
        var whole = new ArrayList<Woken.Whole>();
        var named = new ArrayList<Woken.Named>();
        for (var found : woken) {
            switch (found) {
                case Woken.Whole event -> whole.add(event);
                case Woken.Named event -> named.add(event);
            }
        }
        woken.clear();
        if (whole.size() + named.size() > 0) {
            notes.reprocessed(whole.size(), named.size());
        }
        whole.sort(BY_DATE);
        whole.forEach(readmit);
        named.forEach(this::refetch);
    }

    private void refetch(Woken.Named event) {
        var relay = RemoteUrl.parse(event.relay(), UrlShape.configuredRelay())
                .find()
                .map(relays::find);
        if (relay.isPresent() && relay.get().isPresent()) {
            attempts.note(event.id(), event.attempts());
            refetches.refetch(relay.get().getAsInt(), event.id());
        }
    }
}
