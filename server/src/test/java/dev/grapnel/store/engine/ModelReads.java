package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.RandomEvents.namesOf;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.HyperLogLog;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Viewer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Asks a store and its model the same random questions.
final class ModelReads {
    private static final int[] KINDS = {0, 1, 5, 7, 62, 1059, 1618, 10_002, 30_000, 30_617, 30_618};

    private static final List<PublicKey> MANY =
            IntStream.range(0, 100).mapToObj(StoreSamples::author).toList();

    private final Random random;
    private final RandomEvents pool;
    private final StoreFixture fixture;
    private final NaiveStore model;

    ModelReads(Random random, RandomEvents pool, StoreFixture fixture, NaiveStore model) {
        this.random = random;
        this.pool = pool;
        this.fixture = fixture;
        this.model = model;
    }

    /// @param step something to do to the store
    /// @param apply does it, to store and model
    void compare(Supplier<ModelStep> step, Consumer<ModelStep> apply) {
        for (int i = 0; i < 4; i++) {
            compareQuery();
            compareCount();
            compareItems();
            compareView(pool.any());
        }
        compareWhileChanging(step.get(), apply);
    }

    private void compareQuery() {
        var filters = randomFilters();
        var viewer = randomViewer();
        long limitMax = pool.chance(50) ? Long.MAX_VALUE : 1 + random.nextInt(10);
        long limitDefault = pool.chance(50) ? limitMax : 1 + random.nextInt((int) Math.min(limitMax, 10));
        var request = new QueryRequest(filters, viewer, new QueryLimits(limitMax, limitDefault, Long.MAX_VALUE));
        var found = new ArrayList<Event>();
        QueryStep step;
        try (var query = fixture.store().query(request)) {
            do {
                step = query.next(1 + random.nextInt(3_000), Duration.ofDays(1));
                step.events().stream().map(StoredEvent::read).forEach(found::add);
                if (pool.chance(30)) {
                    query.pause();
                }
            } while (step instanceof QueryStep.More);
        }
        assertEquals(
                namesOf(model.query(filters, viewer, limitMax, limitDefault)),
                namesOf(found),
                () -> filters + " as " + viewer + " at most " + limitMax + ", " + limitDefault);
        var done = assertInstanceOf(QueryStep.Done.class, step);
        for (var filter : filters) {
            int all = model.matching(filter, viewer).size();
            long limit = NaiveStore.limitOf(filter, limitMax, limitDefault);
            assertTrue(limit == 0 || all <= limit || !done.exhausted(), () -> filter + " was cut");
        }
        boolean ample = filters.stream()
                .allMatch(filter ->
                        model.matching(filter, viewer).size() < NaiveStore.limitOf(filter, limitMax, limitDefault));
        assertTrue(!ample || done.exhausted(), () -> filters + " were not cut");
    }

    private void compareCount() {
        var filters = randomFilters();
        var viewer = randomViewer();
        long most = pool.chance(70) ? CountRequest.COUNT_MAX : 1 + random.nextInt(6);
        var events = model.query(filters, viewer, Long.MAX_VALUE, Long.MAX_VALUE);
        var counted = assertInstanceOf(
                EventCount.Counted.class,
                fixture.store().count(new CountRequest(filters, viewer, most, Long.MAX_VALUE, true)));
        assertEquals(Math.min(events.size(), most), counted.count(), () -> filters + " as " + viewer);
        assertEquals(events.size() > most, counted.approximate(), () -> filters + " as " + viewer);
        if (!counted.approximate() && filters.size() == 1) {
            var registers = HyperLogLog.findFor(filters.getFirst());
            registers.ifPresent(expected -> events.forEach(event -> expected.add(event.author())));
            assertEquals(registers.map(HyperLogLog::registers), counted.registers());
        }
    }

    private void compareItems() {
        var filter = randomFilter();
        var viewer = randomViewer();
        int most = pool.chance(70) ? 1_000 : random.nextInt(6);
        var events = model.query(List.of(filter), viewer, Long.MAX_VALUE, Long.MAX_VALUE);
        var outcome = fixture.store().items(filter, viewer, most);
        if (events.size() > most) {
            assertEquals(new ItemsOutcome.TooMany(most), outcome, filter::toString);
            return;
        }
        var items = assertInstanceOf(ItemsOutcome.Items.class, outcome).items();
        var expected = events.stream()
                .map(event -> itemOf(event.createdAt(), event.id()))
                .sorted();
        var found = IntStream.range(0, items.size()).mapToObj(i -> itemOf(items.createdAt(i), items.id(i)));
        assertEquals(expected.toList(), found.toList(), () -> filter + " as " + viewer);
    }

    private static String itemOf(long createdAt, EventId id) {
        return createdAt + " " + id;
    }

    private void compareView(Event event) {
        fixture.read(view -> {
            assertEquals(model.isVisible(event.id()), view.find(event.id()).isPresent());
            assertEquals(
                    model.findHeld(event.id()).isPresent(),
                    view.findHeld(event.id()).isPresent());
            assertEquals(model.hasAnything(event.author()), view.hasAnything(event.author()));
            assertEquals(model.hasObstacle(event), view.findObstacle(event).isPresent());
            event.findAddress()
                    .ifPresent(address -> assertEquals(
                            model.findCurrent(NaiveStore.addressOf(event)).map(Event::id),
                            view.findCurrent(address).map(StoredEvent::id)));
            return true;
        });
    }

    /// An answer speaks of the commit it began with; what goes meanwhile may be in it or not.
    private void compareWhileChanging(ModelStep change, Consumer<ModelStep> apply) {
        var filters = randomFilters().stream()
                .map(filter -> filter.toBuilder().limit(Long.MAX_VALUE).build())
                .toList();
        var before = model.query(filters, Viewer.ALL, Long.MAX_VALUE, Long.MAX_VALUE);
        var found = new ArrayList<Event>();
        try (var query = fixture.store().query(new QueryRequest(filters, Viewer.ALL, QueryLimits.NONE))) {
            var step = query.next(1, Duration.ofDays(1));
            step.events().stream().map(StoredEvent::read).forEach(found::add);
            apply.accept(change);
            if (pool.chance(70)) {
                query.pause();
            }
            while (step instanceof QueryStep.More) {
                step = query.next(1 + random.nextInt(3_000), Duration.ofDays(1));
                step.events().stream().map(StoredEvent::read).forEach(found::add);
            }
        }
        var stayed = before.stream()
                .filter(event -> model.isVisible(event.id()) || found.contains(event))
                .toList();
        assertEquals(namesOf(stayed), namesOf(found), () -> filters + " while " + change);
    }

    private Viewer randomViewer() {
        return pool.chance(60)
                ? Viewer.ALL
                : new Viewer(Set.of(4, 1059), pool.chance(50) ? Set.of() : Set.of(pool.anyAuthor()));
    }

    private List<Filter> randomFilters() {
        var filters = new ArrayList<>(List.of(randomFilter()));
        while (pool.chance(40)) {
            filters.add(randomFilter());
        }
        return filters;
    }

    private Filter randomFilter() {
        var builder = Filter.builder();
        if (pool.chance(15)) {
            builder.ids(listOf(20, () -> pool.any().id()));
        }
        if (pool.chance(35)) {
            builder.authors(listOf(3, this::randomAuthor));
        }
        if (pool.chance(45)) {
            builder.kinds(listOf(4, () -> KINDS[random.nextInt(KINDS.length)]).stream()
                    .mapToInt(kind -> kind)
                    .toArray());
        }
        if (pool.chance(5)) {
            addMany(builder);
        }
        if (pool.chance(15)) {
            builder.kinds(30_000).authors(listOf(3, pool::anyAuthor));
        }
        if (pool.chance(30)) {
            builder.tag('d', listOf(3, pool::anyValue));
        }
        if (pool.chance(20)) {
            builder.tag(pool.oneOf(List.of('t', 'T', 'q')), listOf(4, pool::anyValue));
        }
        if (pool.chance(10)) {
            builder.tag('e', listOf(3, () -> pool.any().id().toString()));
        }
        if (pool.chance(10)) {
            builder.tag('p', listOf(3, () -> pool.anyAuthor().toString()));
        }
        if (pool.chance(15)) {
            builder.since(pool.anySecond());
        }
        if (pool.chance(15)) {
            builder.until(pool.chance(80) ? pool.anySecond() : NOW - 1);
        }
        if (pool.chance(35)) {
            builder.limit(random.nextInt(8));
        }
        return builder.build();
    }

    private PublicKey randomAuthor() {
        return pool.chance(80) ? pool.anyAuthor() : pool.any().author();
    }

    /// More lists than are worth being combined.
    private void addMany(Filter.Builder builder) {
        builder.kinds(
                IntStream.range(0, 12).map(i -> i < 8 ? KINDS[i] : 40_000 + i).toArray());
        builder.authors(MANY);
    }

    private <T> List<T> listOf(int most, Supplier<T> values) {
        int size = pool.chance(4) ? 0 : 1 + random.nextInt(most);
        var list = new ArrayList<T>();
        for (int i = 0; i < size; i++) {
            list.add(values.get());
        }
        return list;
    }
}
