package dev.grapnel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.Change;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Follows a store and must always have what is there, from wherever it begins.
final class ModelTail {
    private final Random random;
    private final StoreFixture fixture;
    private final NaiveStore model;
    private final Set<EventId> followed = new TreeSet<>();
    private final TreeMap<Long, Set<EventId>> states = new TreeMap<>();
    private Tail tail;

    ModelTail(Random random, StoreFixture fixture, NaiveStore model) {
        this.random = random;
        this.fixture = fixture;
        this.model = model;
        this.tail = fixture.store().tail(0);
        states.put(0L, Set.of());
    }

    /// Goes on after the store was closed.
    void reopen() {
        tail = fixture.store().tail(tail.position());
    }

    void compare() throws InterruptedException {
        for (var change : read(tail)) {
            apply(change, followed);
            states.put(change.number(), Set.copyOf(followed));
        }
        states.put(tail.position(), Set.copyOf(followed));
        assertEquals(fixture.store().commitNumber(), tail.position());
        assertHas(followed, "");
        compareFrom(states.floorKey(random.nextLong(tail.position() + 1)));
    }

    private void compareFrom(long number) throws InterruptedException {
        var ids = new TreeSet<>(states.getOrDefault(number, Set.of()));
        read(fixture.store().tail(number)).forEach(change -> apply(change, ids));
        assertHas(ids, "from number " + number);
    }

    /// What has expired but is not removed yet may have been seen before or not.
    private void assertHas(Set<EventId> ids, String message) {
        var gone = new TreeSet<>(ids);
        gone.removeAll(idsOf(model.kept()));
        assertEquals(Set.of(), gone, message);
        var missing = idsOf(model.visible());
        missing.removeAll(ids);
        assertEquals(Set.of(), missing, message);
    }

    private static Set<EventId> idsOf(List<Event> events) {
        return new TreeSet<>(events.stream().map(Event::id).toList());
    }

    private List<Change> read(Tail from) throws InterruptedException {
        var changes = new ArrayList<Change>();
        List<Change> piece;
        do {
            int most = 1 + random.nextInt(6);
            piece = assertInstanceOf(TailStep.Changes.class, from.next(most, Duration.ZERO))
                    .changes();
            changes.addAll(piece);
        } while (!piece.isEmpty());
        for (int i = 1; i < changes.size(); i++) {
            var before = changes.get(i - 1);
            var change = changes.get(i);
            boolean ordered = before.number() < change.number()
                    || (before.number() == change.number() && before instanceof Change.Removed);
            assertTrue(ordered, () -> change + " after " + before);
        }
        return changes;
    }

    private static void apply(Change change, Set<EventId> ids) {
        switch (change) {
            case Change.Served(var event) -> assertTrue(ids.add(event.id()), () -> "served twice: " + event.id());
            case Change.Removed(var _, var removal) -> ids.remove(removal.id());
        }
    }
}
