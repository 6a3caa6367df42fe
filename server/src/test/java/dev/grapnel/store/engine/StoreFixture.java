package dev.grapnel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/// A store to try things on, with a clock of its own, that can be closed and opened again.
public final class StoreFixture implements AutoCloseable {
    /// The second at which every test begins.
    public static final long NOW = 1_700_000_000;

    /// Contents of notes of author 0 at [#NOW] whose ids begin with the same four bytes, which is all that
    /// postings know of an id.
    static final List<List<String>> TWINS = List.of(
            List.of("twin 35966", "twin 70339"),
            List.of("twin 66040", "twin 75956"),
            List.of("twin 55493", "twin 134650"),
            List.of("twin 162506", "twin 165825"));

    private static final int BLOCK = 1 << 20;

    public final ManualTime time = new ManualTime(NOW);
    public final List<String> problems = new CopyOnWriteArrayList<>();
    final List<GateTally> gates = new CopyOnWriteArrayList<>();
    final List<RequestTally> steps = new CopyOnWriteArrayList<>();
    final List<String> passes = new CopyOnWriteArrayList<>();
    volatile Runnable onStep = () -> {};

    private final Supplier<TableEngine> engines;
    private final Function<StoreRules, StoreDecision> decisions;
    private StoreRules rules = StoreRules.DEFAULTS.withServices(
            List.of(ServiceAddress.parse("relay.example.com", "/").require()));
    private WriterConfig config = WriterConfig.DEFAULTS;
    private TableEngine engine;
    private TableStore store;

    /// @param engines opens the engine, again with what it held before
    public StoreFixture(Supplier<TableEngine> engines) {
        this(engines, StoreDecision::new);
    }

    /// @param decisions makes the decision, which may have forgotten some rule
    StoreFixture(Supplier<TableEngine> engines, Function<StoreRules, StoreDecision> decisions) {
        this.engines = engines;
        this.decisions = decisions;
        this.engine = engines.get();
        this.store = new TableStore(engine, decisions.apply(rules), config, time, new Observer());
    }

    private TableStore open() {
        engine = engines.get();
        return new TableStore(engine, decisions.apply(rules), config, time, new Observer());
    }

    /// Everything in the store must agree.
    public void assertSound() {
        var found = new ArrayList<String>();
        StoreCheck.run(engine, found::add, _ -> {});
        assertEquals(List.of(), found);
    }

    public TableStore store() {
        return store;
    }

    /// Closes the store and opens it again.
    public void reopen() {
        store.close();
        store = open();
    }

    public void reopen(StoreRules changed) {
        rules = changed;
        reopen();
    }

    public void reopen(WriterConfig changed) {
        config = changed;
        reopen();
    }

    public StoreRules rules() {
        return rules;
    }

    /// Lets time pass, then looks through all requests.
    void age(Duration by) {
        time.advance(by);
        age();
    }

    void age() {
        try {
            store.ageRequests();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this pass", e);
        }
    }

    public <T> T write(StoreWork<T> work) {
        return store.write(Urgency.WAITING, 0, work).join();
    }

    public boolean did(StoreWork<Boolean> work) {
        return write(work);
    }

    public <T> T read(Function<StoreView, T> reading) {
        return store.read(reading);
    }

    public SaveOutcome save(Event event) {
        return write(transaction -> transaction.save(event));
    }

    /// Saves events that must be served.
    public void serve(Event... events) {
        for (var event : events) {
            assertInstanceOf(SaveOutcome.Served.class, save(event), () -> "not served: " + event);
        }
    }

    public SaveOutcome hold(Held row) {
        return write(transaction -> transaction.hold(row));
    }

    /// What OK would say.
    public String answer(Event event) {
        var outcome = save(event);
        return outcome.isAccepted() + " " + outcome.message();
    }

    public List<Event> query(Filter... filters) {
        return query(QueryRequest.of(filters));
    }

    public List<Event> queryWithLimits(QueryLimits limits, Filter... filters) {
        return query(new QueryRequest(List.of(filters), Viewer.ALL, limits));
    }

    public List<Event> queryAs(Viewer viewer, Filter... filters) {
        return query(new QueryRequest(List.of(filters), viewer, QueryLimits.NONE));
    }

    public List<Event> query(QueryRequest request) {
        var events = new ArrayList<Event>();
        try (var query = store.query(request)) {
            while (true) {
                var step = query.next(BLOCK, Duration.ofDays(1));
                step.events().stream().map(StoredEvent::read).forEach(events::add);
                if (step instanceof QueryStep.Done) {
                    return events;
                }
                assertInstanceOf(QueryStep.More.class, step);
            }
        }
    }

    public List<Event> all() {
        return query(Filter.ALL);
    }

    public void assertServes(Event... events) {
        assertEquals(
                Arrays.stream(events).map(Event::id).sorted().toList(),
                idsOf(all()).stream().sorted().toList());
    }

    public static List<EventId> idsOf(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    public long count(Filter... filters) {
        return ((EventCount.Counted) store.count(countOf(filters))).count();
    }

    /// How many rows a table has.
    public long rows(Table table) {
        return read(view -> view.count(table));
    }

    public Optional<Held> findHeld(EventId id) {
        return read(view -> view.findHeld(id));
    }

    public boolean isFound(EventId id) {
        return read(view -> view.find(id)).isPresent();
    }

    public static CountRequest countOf(Filter... filters) {
        return new CountRequest(List.of(filters), Viewer.ALL, CountRequest.COUNT_MAX, Long.MAX_VALUE, true);
    }

    public static Event note(int author, long createdAt, String content) {
        return StoreSamples.event(author, 1, createdAt, List.of(), content);
    }

    public static Event tagged(int author, int kind, long createdAt, List<List<String>> tags) {
        return StoreSamples.event(author, kind, createdAt, tags, "");
    }

    /// A deletion request of this author.
    public static Event deletion(int author, long createdAt, List<List<String>> tags) {
        return StoreSamples.event(author, 5, createdAt, tags, "");
    }

    public static Event deletionOf(int author, long createdAt, Event... targets) {
        return deletion(
                author,
                createdAt,
                Arrays.stream(targets)
                        .map(target -> List.of("e", target.id().toString()))
                        .toList());
    }

    public static Event vanish(int author, long createdAt, String relay) {
        return StoreSamples.event(author, 62, createdAt, List.of(List.of("relay", relay)), "");
    }

    public static PublicKey author(int number) {
        return StoreSamples.author(number);
    }

    @Override
    public void close() {
        store.close();
    }

    private final class Observer implements StoreObserver {
        @Override
        public void damaged(String where) {
            problems.add("damaged: " + where);
        }

        @Override
        public void setAside(String row, String file) {
            problems.add("set aside: " + row);
        }

        @Override
        public void refusing(String reason) {
            problems.add("refusing: " + reason);
        }

        @Override
        public void writing() {
            problems.add("writing");
        }

        @Override
        public void gatesChanged(GateTally tally) {
            gates.add(tally);
        }

        @Override
        public void ageingBegun() {
            passes.add("begun");
        }

        @Override
        public void requestsAged(RequestTally tally) {
            steps.add(tally);
            onStep.run();
        }

        @Override
        public void ageingFailed(String reason) {
            passes.add("failed: " + reason);
        }
    }
}
