package dev.grapnel.store.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.Change;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.crash.FailingEngine.Fault;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.TableEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The device below the store fails for a while (README I-11, relay test 190).
final class RefusedWritesTest {
    private static final long NOW = Workload.BEGIN;

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    enum Engine {
        MEMORY,
        LMDB
    }

    private static Stream<Arguments> faultsOfEngines() {
        return Arrays.stream(Engine.values())
                .flatMap(engine ->
                        Stream.of(Fault.BEGIN, Fault.CHANGE, Fault.COMMIT).map(fault -> Arguments.of(engine, fault)));
    }

    private TableEngine open(Engine engine) {
        return switch (engine) {
            case MEMORY -> new MemoryEngine(new Random(1), MemoryEngine.EVENTS_MAX);
            case LMDB -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
        };
    }

    private TableStore storeOn(TableEngine engine, WriterConfig config) {
        return new TableStore(engine, Workload.RULES, config, new ManualTime(NOW), new Complaints(heard::add));
    }

    private static Event note(int number) {
        return MadeUpEvents.event(
                MadeUpEvents.author(1), 1, NOW + number, List.of(List.of("t", "x")), "note " + number);
    }

    private static HeldState state(int number) {
        var event =
                MadeUpEvents.event(MadeUpEvents.author(2), Kinds.STATE, NOW + number, List.of(List.of("d", "x")), "");
        var since = Instant.ofEpochSecond(NOW);
        return new HeldState(event, since, since.plusSeconds(60), Source.DIRECT);
    }

    private static StoreWork<SaveOutcome> saving(Event event) {
        return transaction -> transaction.save(event);
    }

    private static void save(EventStore store, Event event) {
        assertInstanceOf(
                SaveOutcome.Served.class,
                store.write(Urgency.WAITING, 0, saving(event)).join());
    }

    private static void assertRefused(EventStore store, StoreWork<?> work) {
        var problem = assertThrows(
                CompletionException.class,
                () -> store.write(Urgency.REFUSABLE, 0, work).join());
        var refusal = assertInstanceOf(StoreRefusal.class, problem.getCause()).refusal();
        assertEquals(Prefix.ERROR, refusal.prefix());
        assertTrue(!refusal.toString().contains("device"), "internals are not for peers: " + refusal);
    }

    private static List<EventId> served(EventStore store) {
        return StoredThings.all(store).stream().map(StoredEvent::id).sorted().toList();
    }

    private static List<EventId> idsOf(Event... events) {
        return Arrays.stream(events).map(Event::id).sorted().toList();
    }

    private static List<EventId> followed(EventStore store) throws InterruptedException {
        var ids = new ArrayList<EventId>();
        var step = assertInstanceOf(TailStep.Changes.class, store.tail(0).next(1_000, Duration.ZERO));
        for (var change : step.changes()) {
            ids.add(assertInstanceOf(Change.Served.class, change).event().id());
        }
        ids.sort(null);
        return ids;
    }

    @ParameterizedTest
    @MethodSource("faultsOfEngines")
    void writesAreRefusedWhileTheDeviceFailsAndGoOnByThemselves(Engine kind, Fault fault) throws InterruptedException {
        var below = open(kind);
        var engine = new FailingEngine(below);
        try (var store = storeOn(engine, WriterConfig.DEFAULTS)) {
            save(store, note(1));
            store.write(Urgency.WAITING, 0, transaction -> transaction.hold(state(1)))
                    .join();
            long number = store.commitNumber();
            engine.set(fault);
            for (int i = 0; i < 3; i++) {
                assertRefused(store, saving(note(2)));
                assertRefused(store, transaction -> transaction.hold(state(2)));
                assertRefused(
                        store,
                        transaction -> transaction.release(state(1).event().id()));
                assertRefused(store, transaction -> {
                    transaction.save(note(3));
                    return transaction.withdraw(note(1).id());
                });
            }
            assertEquals(1, heard.size(), heard.toString());
            assertTrue(heard.getFirst().startsWith("refusing: no space left"), heard.toString());
            assertEquals(idsOf(note(1)), served(store));
            assertEquals(idsOf(note(1)), followed(store));
            assertEquals(number, store.commitNumber());
            assertTrue(store.read(view -> view.findHeld(state(1).event().id())).isPresent());
            assertTrue(store.read(view -> view.findHeld(state(2).event().id())).isEmpty());
            engine.set(Fault.NONE);
            save(store, note(2));
            assertEquals(List.of("writing"), heard.subList(1, heard.size()));
            assertInstanceOf(
                    SaveOutcome.Served.class,
                    store.write(
                                    Urgency.WAITING,
                                    0,
                                    transaction ->
                                            transaction.release(state(1).event().id()))
                            .join());
            assertEquals(idsOf(note(1), note(2), state(1).event()), served(store));
            assertEquals(0, StoreCheck.run(below, heard::add, _ -> {}).problems(), heard.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void anErrorEndsOneTransactionAndNotTheWriter(Engine kind) {
        try (var store = storeOn(open(kind), WriterConfig.DEFAULTS)) {
            var broken = store.write(Urgency.WAITING, 0, transaction -> {
                transaction.save(note(1));
                throw new StackOverflowError("a job went too deep");
            });
            assertInstanceOf(
                    StackOverflowError.class,
                    assertThrows(CompletionException.class, broken::join).getCause());
            save(store, note(2));
            assertEquals(idsOf(note(2)), served(store));
        }
        assertEquals(List.of(), heard);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"BEGIN", "CHANGE", "COMMIT"})
    void whatWasAcknowledgedBetweenFailuresIsThereAfterwards(Fault fault) {
        var random = new Random(5);
        var expected = new ArrayList<Event>();
        var engine = new FailingEngine(open(Engine.LMDB));
        try (var store = storeOn(engine, WriterConfig.DEFAULTS)) {
            for (int i = 0; i < 200; i++) {
                boolean fails = random.nextInt(3) == 0;
                engine.set(fails ? fault : Fault.NONE);
                if (fails) {
                    assertRefused(store, saving(note(i)));
                } else {
                    save(store, note(i));
                    expected.add(note(i));
                }
            }
            engine.set(Fault.NONE);
        }
        for (int i = 0; i < heard.size(); i++) {
            assertTrue(heard.get(i).startsWith(i % 2 == 0 ? "refusing" : "writing"), heard.toString());
        }
        try (var store = storeOn(open(Engine.LMDB), WriterConfig.DEFAULTS)) {
            assertEquals(idsOf(expected.toArray(Event[]::new)), served(store));
        }
    }

    /// Commits are acknowledged before they are flushed here, so once a flush failed no more may be.
    @ParameterizedTest
    @EnumSource(Engine.class)
    void writesAreRefusedFromAFlushThatFailedToOneThatDoesNot(Engine kind) throws InterruptedException {
        var config = new WriterConfig(10, 1 << 20, 10, 1 << 20, Duration.ofHours(1), Duration.ofMillis(1), 1_000);
        var engine = new FailingEngine(open(kind));
        var lines = new LinkedBlockingQueue<String>();
        try (var store =
                new TableStore(engine, Workload.RULES, config, new ManualTime(NOW), new Complaints(lines::add))) {
            engine.set(Fault.FLUSH);
            save(store, note(1));
            var line = lines.poll(1, TimeUnit.MINUTES);
            assertEquals("refusing: no space left on the device", line);
            for (int i = 0; i < 5; i++) {
                assertRefused(store, saving(note(2)));
            }
            assertEquals(0, lines.size(), lines.toString());
            assertEquals(idsOf(note(1)), served(store));
            engine.set(Fault.NONE);
            save(store, note(2));
            assertEquals(List.of("writing"), List.copyOf(lines));
            assertEquals(idsOf(note(1), note(2)), served(store));
        }
    }
}
