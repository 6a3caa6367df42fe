package dev.grapnel.store.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.crash.FailingEngine.Fault;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.MemoryEngine;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever the parts around the writer throw, it goes on, and nobody waits for ever.
@Timeout(60)
final class UnforeseenTest {
    /// Sweeps when it is told to, flushes all the time.
    private static final WriterConfig CONFIG =
            new WriterConfig(10, 1 << 20, 10, 1 << 20, Duration.ofHours(1), Duration.ofMillis(1), 1_000);

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final ManualTime time = new ManualTime(Workload.BEGIN);
    private final FailingEngine engine = new FailingEngine(new MemoryEngine(new Random(1), MemoryEngine.EVENTS_MAX));

    private TableStore open(StoreObserver observer) {
        return new TableStore(engine, Workload.RULES, CONFIG, time, observer);
    }

    private static Event note(int number) {
        return MadeUpEvents.event(MadeUpEvents.author(1), 1, Workload.BEGIN + number, List.of(), "note " + number);
    }

    private static CompletableFuture<SaveOutcome> write(TableStore store, Event event) {
        return store.write(Urgency.WAITING, 0, transaction -> transaction.save(event))
                .orTimeout(20, TimeUnit.SECONDS);
    }

    private static void save(TableStore store, Event event) {
        assertInstanceOf(SaveOutcome.Served.class, write(store, event).join());
    }

    private static void assertRefused(TableStore store, Event event) {
        var problem = assertThrows(
                CompletionException.class, () -> write(store, event).join());
        assertInstanceOf(StoreRefusal.class, problem.getCause());
    }

    /// Is refused if what came before could not be flushed, and could not be flushed itself otherwise.
    private static void attempt(TableStore store, Event event) {
        write(store, event).handle((_, _) -> true).join();
    }

    private static void assertServes(TableStore store, Event... events) {
        assertEquals(
                Arrays.stream(events).map(Event::id).sorted().toList(),
                StoredThings.all(store).stream().map(StoredEvent::id).sorted().toList());
    }

    private void vanish(TableStore store) {
        var all = List.of(List.of("relay", "ALL_RELAYS"));
        save(store, MadeUpEvents.event(MadeUpEvents.author(2), 62, Workload.BEGIN, all, ""));
        time.advance(Duration.ofDays(1));
        store.sweep().join();
    }

    @Test
    void compactionThatBreaksIsToldOnceAndTheHouseIsKept() throws InterruptedException {
        try (var store = open(new Complaints(heard::add))) {
            engine.set(Fault.COMPACT, () -> new UnsupportedOperationException("broken"));
            vanish(store);
            assertEquals(
                    "not compacted: java.lang.UnsupportedOperationException: broken", heard.poll(1, TimeUnit.MINUTES));
            engine.set(Fault.FLUSH, () -> new UnsupportedOperationException("noticed"));
            attempt(store, note(1));
            var line = heard.poll(1, TimeUnit.MINUTES);
            assertEquals("refusing: could not flush the store: java.lang.UnsupportedOperationException: noticed", line);
            engine.set(Fault.NONE);
            save(store, note(2));
            assertEquals("writing", heard.poll(1, TimeUnit.MINUTES));
        }
        assertEquals(List.of(), List.copyOf(heard));
    }

    @Test
    void flushThatBreaksRefusesWritesUntilOneSucceeds() throws InterruptedException {
        try (var store = open(new Complaints(heard::add))) {
            engine.set(Fault.FLUSH, () -> new UnsupportedOperationException("broken"));
            save(store, note(1));
            var line = heard.poll(1, TimeUnit.MINUTES);
            assertEquals("refusing: could not flush the store: java.lang.UnsupportedOperationException: broken", line);
            assertRefused(store, note(2));
            assertRefused(store, note(3));
            engine.set(Fault.NONE);
            save(store, note(2));
            assertServes(store, note(1), note(2));
        }
        assertEquals(List.of("writing"), List.copyOf(heard));
    }

    @Test
    void observerThatBreaksChangesNoOutcome() throws InterruptedException {
        try (var store = open(new Complaints(line -> {
            heard.add(line);
            throw new UnsupportedOperationException("the observer broke at: " + line);
        }))) {
            engine.set(Fault.COMMIT);
            assertRefused(store, note(1));
            assertRefused(store, note(1));
            engine.set(Fault.NONE);
            save(store, note(1));
            engine.set(Fault.FLUSH);
            attempt(store, note(2));
            assertEquals("refusing: no space left on the device", heard.poll(1, TimeUnit.MINUTES));
            assertEquals("writing", heard.poll(1, TimeUnit.MINUTES));
            assertEquals("refusing: no space left on the device", heard.poll(1, TimeUnit.MINUTES));
            assertRefused(store, note(3));
            engine.set(Fault.COMPACT);
            vanish(store);
            assertEquals("writing", heard.poll(1, TimeUnit.MINUTES));
            assertEquals("not compacted: no space left on the device", heard.poll(1, TimeUnit.MINUTES));
            engine.set(Fault.NONE);
            save(store, note(3));
        }
        assertEquals(List.of(), List.copyOf(heard));
    }
}
