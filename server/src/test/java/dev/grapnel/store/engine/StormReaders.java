package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.Change;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.Viewer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Those who read while a [Storm] goes on. Snapshots live shortly there: reading that takes longer is told so,
/// which is no mistake.
final class StormReaders {
    /// Addresses that are replaced all the time and always there.
    static final List<String> IDENTIFIERS = List.of("a", "b", "c");

    private final StoreFixture fixture;
    private final Crew crew;
    private final Map<EventId, Boolean> watched = new ConcurrentHashMap<>();
    private final Set<EventId> followed = new HashSet<>();
    private final Map<Long, Set<EventId>> states = new ConcurrentHashMap<>();
    private final Tail tail;
    private long lastServed;

    StormReaders(StoreFixture fixture, Crew crew) {
        this.fixture = fixture;
        this.crew = crew;
        this.tail = fixture.store().tail(0);
    }

    void start() {
        crew.repeat("tail", () -> follow(Duration.ofMillis(20)));
        for (int i = 0; i < 2; i++) {
            var random = new Random(i);
            crew.repeat("reader " + i, () -> {
                unlessTooLong(this::pollAddresses);
                unlessTooLong(this::pollWatched);
                ask(random);
                unlessTooLong(() -> countAndList(random));
            });
        }
    }

    /// From now on this is held or served, always one of them.
    void watch(Event event) {
        if (watched.size() < 200) {
            watched.put(event.id(), true);
        }
    }

    private static void unlessTooLong(Runnable reading) {
        try {
            reading.run();
        } catch (StoreRefusal refusal) {
            assertEquals("error: query took too long", refusal.refusal().toString());
        }
    }

    private void pollAddresses() {
        for (var identifier : IDENTIFIERS) {
            var address = new Address(Kinds.STATE, author(Storm.REPLACED), identifier);
            assertTrue(fixture.read(view -> view.findCurrent(address)).isPresent(), () -> "no version of " + address);
        }
        var all = Filter.builder()
                .kinds(Kinds.STATE)
                .authors(List.of(author(Storm.REPLACED)))
                .build();
        assertEquals(IDENTIFIERS.size(), fixture.count(all));
    }

    private void pollWatched() {
        for (var id : watched.keySet()) {
            fixture.read(view -> {
                assertTrue(
                        view.find(id).isPresent() != view.findHeld(id).isPresent(),
                        () -> id + " is held and served, or neither");
                return true;
            });
        }
    }

    private void ask(Random random) {
        var filter = anyFilter(random);
        var found = new ArrayList<StoredEvent>();
        try (var query = fixture.store().query(new QueryRequest(List.of(filter), Viewer.ALL, QueryLimits.NONE))) {
            QueryStep step;
            do {
                step = query.next(1 + random.nextInt(20_000), Duration.ofMillis(1 + random.nextInt(5)));
                found.addAll(step.events());
                if (random.nextInt(10) == 0) {
                    query.pause();
                }
            } while (step instanceof QueryStep.More);
            assertInstanceOf(QueryStep.Done.class, step);
            assertTrue(found.stream().allMatch(event -> event.number() <= query.commitNumber()), "from the future");
        }
        var events = found.stream().map(StoredEvent::read).toList();
        assertTrue(events.stream().allMatch(filter::matches), () -> "something else than " + filter);
        for (int i = 1; i < events.size(); i++) {
            assertTrue(NaiveStore.ORDER.compare(events.get(i - 1), events.get(i)) < 0, () -> "out of order: " + filter);
        }
        var addresses = new HashSet<String>();
        assertTrue(
                events.stream()
                        .filter(NaiveStore::hasAddress)
                        .map(NaiveStore::addressOf)
                        .allMatch(addresses::add),
                () -> "two versions for " + filter);
    }

    private static Filter anyFilter(Random random) {
        var builder = Filter.builder();
        switch (random.nextInt(6)) {
            case 0 -> builder.authors(List.of(author(Storm.REPLACED)));
            case 1 -> builder.kinds(1 + 4 * random.nextInt(2)).limit(random.nextInt(500));
            case 2 -> builder.kinds(Kinds.STATE, 62).since(NOW + random.nextInt(20));
            case 3 -> builder.tag('t', List.of("deleted"));
            case 4 ->
                builder.kinds(Kinds.STATE)
                        .authors(List.of(author(Storm.REPLACED)))
                        .tag('d', IDENTIFIERS);
            default -> builder.until(NOW + random.nextInt(20)).limit(200);
        }
        return builder.build();
    }

    private void countAndList(Random random) {
        var filter = anyFilter(random);
        assertInstanceOf(EventCount.Counted.class, fixture.store().count(StoreFixture.countOf(filter)));
        var outcome = fixture.store().items(filter, Viewer.ALL, 1 << 20);
        var items = assertInstanceOf(ItemsOutcome.Items.class, outcome).items();
        for (int i = 1; i < items.size(); i++) {
            boolean ordered = items.createdAt(i - 1) < items.createdAt(i)
                    || items.id(i - 1).compareTo(items.id(i)) < 0;
            assertTrue(ordered, "items are out of order");
        }
    }

    private int follow(Duration wait) throws InterruptedException {
        var changes = assertInstanceOf(TailStep.Changes.class, tail.next(1 + (int) (lastServed % 50), wait))
                .changes();
        for (var change : changes) {
            assertTrue(change.number() >= lastServed, "the tail goes back");
            if (change instanceof Change.Served) {
                assertTrue(change.number() > lastServed, "two events of one number");
                lastServed = change.number();
            }
            apply(change, followed);
        }
        if (!changes.isEmpty() && lastServed % 50 == 0) {
            states.put(tail.position(), Set.copyOf(followed));
        }
        return changes.size();
    }

    private static void apply(Change change, Set<EventId> ids) {
        switch (change) {
            case Change.Served(var event) -> assertTrue(ids.add(event.id()), "served twice");
            case Change.Removed(var _, var removal) -> ids.remove(removal.id());
        }
    }

    /// What was followed must be what is there, also for those who begin somewhere on the way.
    void followToTheEnd() throws InterruptedException {
        int more;
        do {
            more = follow(Duration.ZERO);
        } while (more > 0);
        assertEquals(fixture.store().commitNumber(), tail.position());
        var there = new TreeSet<>(StoreFixture.idsOf(fixture.all()));
        assertEquals(there, new TreeSet<>(followed));
        for (var state : states.entrySet()) {
            var ids = new TreeSet<>(state.getValue());
            var later = fixture.store().tail(state.getKey());
            List<Change> changes;
            do {
                changes = assertInstanceOf(TailStep.Changes.class, later.next(1_000, Duration.ZERO))
                        .changes();
                changes.forEach(change -> apply(change, ids));
            } while (!changes.isEmpty());
            assertEquals(there, ids, () -> "from number " + state.getKey());
        }
    }
}
