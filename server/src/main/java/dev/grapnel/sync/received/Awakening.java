package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.References;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// Looks at refused events again when something they waited for has come (R7.22, R7.23). All of them are taken out
/// first, so that each verdict counts anew; those that are still whole are judged in the order of their dates, the
/// others asked for. Work of strangers' making, so each turn has a budget, and what is refused again is not looked at
/// twice for one key.
final class Awakening {
    /// What a turn may cost: about a microsecond each.
    private static final int TURN_MAX = 8_000;

    /// What an event costs that is judged again, or asked for, whatever it refers to.
    private static final int EVENT_COST = 8;

    /// So many bytes of an event may be one more reference, of which the first few hundred count.
    private static final int REFERENCE_BYTES = 64;

    private static final int REFERENCES_MAX = 2 * References.MAX;
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
    private final Deque<Woken> woken = new ArrayDeque<>();
    private final Deque<Woken.Whole> whole = new ArrayDeque<>();
    private final Deque<Woken.Named> named = new ArrayDeque<>();
    /// Where those are asked that a turn has found.
    private final Map<String, OptionalInt> found = new HashMap<>();

    /// Whether dates may have come near enough.
    private boolean isDue;

    /// Where everything that waits is taken out next, and up to which refusal.
    private int sweepAt = Integer.MAX_VALUE;

    private long sweepBefore;
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
    ///
    /// @return what it has cost, if that is much
    int mention(EventId id) {
        return refusals.isOrphan(id) ? refusals.wake(id, woken::add) : 0;
    }

    /// One event shall be looked at again, whatever it waits for. Acted upon by [#run].
    void wake(Event event) {
        refusals.wake(event.id(), woken::add);
    }

    /// Nothing is to wait any more. What is not whole is not asked for: it may be very much, and comes with the next
    /// sync.
    void wakeAll() {
        sweepAt = 0;
        sweepBefore = refusals.next();
        run();
    }

    /// Events whose dates are near enough by now are asked for.
    void wakeDue() {
        isDue = true;
        run();
    }

    /// Nothing more is looked at.
    void stop() {
        keys.clear();
        woken.clear();
        whole.clear();
        named.clear();
        isDue = false;
        sweepAt = Integer.MAX_VALUE;
    }

    /// Acts upon what has come.
    void run() {
        if (isRunning) {
            return; // an event that was judged at once; what it brought is seen below
        }
        isRunning = true;
        try {
            int budget = TURN_MAX;
            while (budget > 0 && hasWork()) {
                budget -= whole.isEmpty() && named.isEmpty() ? collect(budget) : act();
            }
        } finally { // what fails must not be the last that is looked at
            isRunning = false;
            found.clear();
            if (hasWork() && !isPosted) {
                isPosted = true;
                loop.post(this::goOn);
            }
        }
    }

    private boolean hasWork() {
        return !whole.isEmpty() || !named.isEmpty() || !woken.isEmpty() || !keys.isEmpty() || isDue || isSweeping();
    }

    private boolean isSweeping() {
        return sweepAt < refusals.index().max();
    }

    private void goOn() {
        isPosted = false;
        run();
    }

    /// Takes out what is to be looked at next.
    private int collect(int budget) {
        int cost = 1;
        while (!keys.isEmpty() && cost < budget) {
            var key = keys.remove();
            int room = budget - cost;
            int spent = refusals.wake(key.hash(), key.before(), room, woken::add);
            cost += spent + 1;
            if (spent >= room) {
                keys.addFirst(key);
            }
        }
        if (isDue && cost < budget) {
            int room = budget - cost;
            int looks = refusals.wakeDue(room, woken::add);
            isDue = looks == room;
            cost += looks;
        }
        if (isSweeping() && cost < budget) {
            sweepAt = refusals.wakeFrom(sweepAt, sweepBefore, budget - cost, this::addWhole);
            cost = budget;
        }
        sort();
        return cost;
    }

    private void addWhole(Woken some) {
        if (some instanceof Woken.Whole) {
            woken.add(some);
        }
    }

    private void sort() {
        var events = new ArrayList<Woken.Whole>();
        for (var some : woken) {
            switch (some) {
                case Woken.Whole event -> events.add(event);
                case Woken.Named event -> named.add(event);
            }
        }
        woken.clear();
        events.sort(BY_DATE);
        whole.addAll(events);
        if (whole.size() + named.size() > 0) {
            notes.reprocessed(whole.size(), named.size());
        }
    }

    /// Looks at the next one.
    private int act() {
        if (whole.isEmpty()) {
            refetch(named.remove());
            return EVENT_COST;
        }
        var event = whole.remove();
        readmit.accept(event);
        return EVENT_COST + Math.min(REFERENCES_MAX, event.event().json().length() / REFERENCE_BYTES);
    }

    private void refetch(Woken.Named event) {
        var relay = found.computeIfAbsent(event.relay(), this::find);
        if (relay.isPresent()) {
            attempts.note(event.id(), event.attempts());
            refetches.refetch(relay.getAsInt(), event.id());
        }
    }

    private OptionalInt find(String relay) {
        return RemoteUrl.parse(relay, UrlShape.configuredRelay())
                .find()
                .map(relays::find)
                .orElse(OptionalInt.empty());
    }
}
