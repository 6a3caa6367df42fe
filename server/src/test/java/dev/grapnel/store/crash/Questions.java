package dev.grapnel.store.crash;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.Change;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Asks a store everything in every way, so that each index and each table has its say.
final class Questions {
    /// How the answer to a question begins that the store did not answer, saying why.
    static final String REPORTED = "reported: ";

    private static final List<Table> ROWS = List.of(
            Table.GATES,
            Table.RETIRED_REQUESTS,
            Table.HELD_ANNOUNCEMENTS,
            Table.HELD_STATES,
            Table.HELD_PROPOSALS,
            Table.PLACEHOLDERS,
            Table.EXPIRED_EVENTS,
            Table.REPAIRS,
            Table.TRASH,
            Table.ADOPTIONS,
            Table.REFUSED_EVENTS,
            Table.RELAY_HEALTH,
            Table.IMPORTS);

    private final Specimen specimen;
    private final Map<String, String> answers = new LinkedHashMap<>();

    Questions(Specimen specimen) {
        this.specimen = specimen;
    }

    /// Every question with its answer.
    ///
    /// @throws AssertionError if something is served that was never stored
    Map<String, String> ask(EventStore store) {
        askFilters(store);
        ask("number", () -> Long.toString(store.commitNumber()));
        ask("tail", () -> followed(store));
        ask("items", () -> items(store));
        for (var table : ROWS) {
            ask("rows " + table, () -> Specimen.rowsOf(store, table));
        }
        for (var event : specimen.submitted) {
            askAbout(event, store);
        }
        return answers;
    }

    private void askFilters(EventStore store) {
        filter(store, Filter.ALL);
        filter(store, Filter.builder().limit(10).build());
        filter(store, Filter.builder().until(Workload.second(600)).limit(50).build());
        filter(store, Filter.builder().since(Workload.second(900)).build());
        for (int number = 0; number < 12; number++) {
            var author = MadeUpEvents.author(number);
            filter(store, Filter.builder().authors(List.of(author)).build());
            filter(store, Filter.builder().authors(List.of(author)).kinds(1).build());
            filter(
                    store,
                    Filter.builder()
                            .authors(List.of(author))
                            .kinds(0, 3, Kinds.STATE)
                            .build());
            filter(store, Filter.builder().tag('p', List.of(author.toHex())).build());
            filter(
                    store,
                    Filter.builder().tag('p', List.of(author.toHex())).kinds(1).build());
            ask(
                    "anything of " + number,
                    () -> store.read(view -> view.hasAnything(author)).toString());
        }
        for (int kind : new int[] {0, 1, 3, 5, 62, 1618, 10_002, 30_023, Kinds.ANNOUNCEMENT, Kinds.STATE}) {
            filter(store, Filter.builder().kinds(kind).build());
        }
        for (int number = 0; number < 20; number++) {
            var topic = List.of("topic-" + number);
            filter(store, Filter.builder().tag('t', topic).build());
            filter(store, Filter.builder().tag('t', topic).kinds(1).build());
            filter(
                    store,
                    Filter.builder()
                            .tag('t', topic)
                            .kinds(1, 30_023)
                            .since(Workload.second(200))
                            .build());
        }
        filter(
                store,
                Filter.builder().tag('d', List.of("project-1", "project-2")).build());
    }

    private void filter(EventStore store, Filter filter) {
        ask("events of " + filter, () -> ids(filter, StoredThings.matching(store, filter)));
        ask(
                "number of " + filter,
                () -> store.count(new CountRequest(List.of(filter), Viewer.ALL, Long.MAX_VALUE, Long.MAX_VALUE, false))
                        .toString());
    }

    private void askAbout(Event event, EventStore store) {
        ask(
                "served " + event.id(),
                () -> store.read(view -> view.find(event.id()))
                        .map(this::original)
                        .map(StoredEvent::toString)
                        .toString());
        ask(
                "held " + event.id(),
                () -> store.read(view -> view.findHeld(event.id())).toString());
        ask(
                "obstacle " + event.id(),
                () -> store.read(view -> view.findObstacle(event)).toString());
        event.findAddress()
                .ifPresent(address -> ask(
                        "current " + address,
                        () -> store.read(view -> view.findCurrent(address))
                                .map(this::original)
                                .map(StoredEvent::toString)
                                .toString()));
    }

    private void ask(String question, Supplier<String> asking) {
        String answer;
        try {
            answer = asking.get();
        } catch (StoreDamage | StoreRefusal reported) {
            answer = REPORTED + reported.getMessage();
        }
        answers.put(question, answer);
    }

    /// Nothing may ever be served that was not stored.
    private StoredEvent original(StoredEvent event) {
        if (!specimen.isOriginal(event)) {
            throw new AssertionError("never stored: " + event);
        }
        return event;
    }

    private String ids(Filter filter, List<StoredEvent> events) {
        return events.stream()
                .map(this::original)
                .map(event -> (filter.matches(event.read()) ? "" : "unasked ") + event.id())
                .collect(Collectors.joining(","));
    }

    private String followed(EventStore store) {
        var text = new StringBuilder();
        var tail = store.tail(0);
        while (true) {
            switch (nextOf(tail)) {
                case TailStep.Lost(var number) -> text.append("lost ").append(number);
                case TailStep.Changes(var changes) -> {
                    if (changes.isEmpty()) {
                        return text.toString();
                    }
                    for (var change : changes) {
                        switch (change) {
                            case Change.Served(var event) ->
                                text.append('+').append(original(event).id());
                            case Change.Removed removed -> text.append('-').append(removed);
                        }
                    }
                }
            }
        }
    }

    private static TailStep nextOf(dev.grapnel.store.Tail tail) {
        try {
            return tail.next(1_000, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String items(EventStore store) {
        return switch (store.items(Filter.ALL, Viewer.ALL, 100_000)) {
            case ItemsOutcome.Items(var items) -> describe(items);
            case ItemsOutcome.TooMany _ -> "too many";
        };
    }

    private static String describe(dev.grapnel.nostr.negentropy.NegentropyItems items) {
        var text = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            text.append(items.id(i)).append(',');
        }
        return text.toString();
    }
}
