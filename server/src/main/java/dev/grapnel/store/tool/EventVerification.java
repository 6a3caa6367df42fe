package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.EventFault.Place;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Computes id and signature of every stored event again (service 10.4), also while others write: what comes
/// meanwhile was checked at the gate. Reads block by block, so that no reading lasts and no more than a block is
/// in memory. Used once, by one thread, which has others help with the signatures.
public final class EventVerification {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCK_EVENTS = 256;
    private static final Duration SLICE = Duration.ofMillis(100);
    private static final List<Table> ROWS =
            List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS, Table.GATES);

    /// Limits of today say nothing about what was stored in earlier days.
    private static final EventReader READER = new EventReader(
            new EventLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 64));

    private final EventStore store;
    private final Optional<EventRemoval> removal;
    private final Watcher watcher;
    private final int threads;
    private final List<Suspect> waiting = new ArrayList<>();
    private long waitingBytes;
    private long total;
    private long served;
    private long held;
    private long gates;
    private long faults;
    private long removed;

    /// Hears how it goes. An exception ends the verification.
    public interface Watcher {
        /// An event is not what its author signed.
        void fault(EventFault fault) throws IOException;

        /// So many were looked at, of about so many; after every block, whatever it took.
        void progress(long events, long total) throws IOException;
    }

    /// @param removal removes what fails; nothing is changed without it
    /// @param threads that check signatures
    public EventVerification(EventStore store, Optional<EventRemoval> removal, Watcher watcher, int threads) {
        this.store = store;
        this.removal = removal;
        this.watcher = watcher;
        this.threads = threads;
    }

    /// What is wrong with the bytes of an event, if anything.
    public static Optional<String> judge(byte[] json) {
        return switch (READER.read(json)) {
            case ParsedEvent.Valid(var event) -> judge(event);
            case ParsedEvent.Defective(var _, var defect) -> Optional.of(defect.text());
            case ParsedEvent.Nameless(var defect) -> Optional.of(defect.text());
            case ParsedEvent.Unreadable(var reason) -> Optional.of("not an event, " + reason);
        };
    }

    private static Optional<String> judge(Event event) {
        return event.isSigned() ? Optional.empty() : Optional.of(EventDefect.WRONG_SIGNATURE.text());
    }

    /// Looks at everything.
    ///
    /// @throws IOException if the watcher has had enough
    public VerificationReport run() throws IOException {
        total = store.read(view ->
                view.count(Table.EVENTS) + ROWS.stream().mapToLong(view::count).sum());
        try (var checkers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("verify-", 0).factory())) {
            verifyServed(checkers);
            for (var table : ROWS) {
                RowPages.forEach(store, table, row -> add(suspect(row), checkers));
                settle(checkers);
            }
        }
        return new VerificationReport(served, held, gates, faults, removed);
    }

    private void verifyServed(ExecutorService checkers) throws IOException {
        try (var query = store.query(QueryRequest.of(Filter.ALL))) {
            QueryStep step;
            do {
                step = query.next(BLOCK_BYTES, SLICE);
                query.pause();
                for (var event : step.events()) {
                    add(suspect(event), checkers);
                }
                settle(checkers);
            } while (step instanceof QueryStep.More);
        }
    }

    private void add(Suspect suspect, ExecutorService checkers) throws IOException {
        waiting.add(suspect);
        waitingBytes += suspect.bytes();
        if (waiting.size() == BLOCK_EVENTS || waitingBytes >= BLOCK_BYTES) {
            settle(checkers);
        }
    }

    /// Checks what was gathered, each helper a part of it, and tells in the order in which it was found.
    private void settle(ExecutorService checkers) throws IOException {
        var parts = new ArrayList<CompletableFuture<List<Optional<String>>>>();
        int size = Math.ceilDiv(Math.max(1, waiting.size()), threads);
        for (int from = 0; from < waiting.size(); from += size) {
            var part = List.copyOf(waiting.subList(from, Math.min(from + size, waiting.size())));
            parts.add(CompletableFuture.supplyAsync(
                    () -> part.stream().map(suspect -> suspect.verdict().get()).toList(), checkers));
        }
        var verdicts = parts.stream().flatMap(part -> join(part).stream()).toList();
        for (int i = 0; i < verdicts.size(); i++) {
            count(waiting.get(i), verdicts.get(i));
        }
        waiting.clear();
        waitingBytes = 0;
        watcher.progress(served + held + gates, total);
    }

    private static <T> T join(CompletableFuture<T> part) {
        try {
            return part.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void count(Suspect suspect, Optional<String> problem) throws IOException {
        switch (suspect.place()) {
            case SERVED -> served++;
            case HELD -> held++;
            case GATE -> gates++;
        }
        if (problem.isPresent()) {
            boolean isGone = removal.isPresent() && suspect.remove().from(removal.get());
            faults++;
            removed += isGone ? 1 : 0;
            watcher.fault(new EventFault(
                    suspect.place(), suspect.id(), suspect.author(), suspect.kind(), problem.get(), isGone));
        }
    }

    private static Suspect suspect(StoredEvent event) {
        return new Suspect(
                Place.SERVED,
                event.id(),
                event.author(),
                event.kind(),
                event.length(),
                () -> judge(event.toJson()),
                removal -> removal.withdraw(event));
    }

    private static Suspect suspect(Row row) {
        if (row instanceof Held held) {
            return suspect(Place.HELD, held.event(), removal -> removal.drop(held.event()));
        }
        if (row instanceof Gate gate) {
            return suspect(Place.GATE, gate.event(), removal -> removal.forgetGate(gate.event()));
        }
        throw new IllegalStateException("there are no events in table " + row.table());
    }

    /// Reading a row has computed the id already.
    private static Suspect suspect(Place place, Event event, Remove remove) {
        return new Suspect(
                place, event.id(), event.author(), event.kind(), event.json().length(), () -> judge(event), remove);
    }

    /// An event to look at.
    private record Suspect(
            Place place,
            EventId id,
            PublicKey author,
            int kind,
            int bytes,
            Supplier<Optional<String>> verdict,
            Remove remove) {}

    private interface Remove {
        boolean from(EventRemoval removal);
    }
}
