package dev.grapnel.store.crash;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.RowSamples;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;

/// A sound store in which every table holds something, and every sort of page occurs.
final class Specimen implements AutoCloseable {
    private static final int STEPS = 1_300;
    private static final int BANNED = 77;
    private static final int PAGE = 4096;

    /// Everything it serves, as text.
    final Map<EventId, String> events = new HashMap<>();

    /// Everything that was ever given to it.
    final List<Event> submitted = new ArrayList<>();

    final Map<String, String> answers;
    final byte[] bytes;

    /// Pages without events on them: less than half of the file, and most of what LMDB relies on.
    final List<Integer> indexPages = new ArrayList<>();

    private final LmdbEngine engine;

    /// @param directory an empty directory
    Specimen(Path directory) throws IOException {
        try (var store = open(directory, new ArrayList<>())) {
            fill(store);
        }
        bytes = Files.readAllBytes(directory.resolve("data.mdb"));
        for (int page = 0; page < bytes.length / PAGE; page++) {
            var text = new String(bytes, page * PAGE, PAGE, StandardCharsets.ISO_8859_1);
            if (!text.contains("\"pubkey\"") && !text.contains("xxxxxxxx")) {
                indexPages.add(page);
            }
        }
        try (var store = open(directory, new ArrayList<>())) {
            StoredThings.all(store).forEach(event -> events.put(event.id(), event.toString()));
            answers = new Questions(this).ask(store);
        }
        engine = LmdbEngine.open(directory, CrashWriter.LMDB);
    }

    static TableStore open(Path directory, List<String> heard) {
        return storeOn(LmdbEngine.open(directory, CrashWriter.LMDB), heard);
    }

    static TableStore storeOn(LmdbEngine engine, List<String> heard) {
        return new TableStore(
                engine,
                Workload.RULES,
                CrashWriter.WRITER,
                new ManualTime(Workload.second(STEPS)),
                new Complaints(heard::add));
    }

    private void fill(EventStore store) {
        var workload = new Workload(3);
        for (long number = 1; number <= STEPS; number++) {
            var step = workload.step(number);
            submitted.addAll(step.submitted());
            try {
                store.write(Urgency.WAITING, 0, step.work()).join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof IllegalStateException)) {
                    throw e;
                }
            }
        }
        store.write(Urgency.WAITING, 0, transaction -> {
                    for (var row : RowSamples.all()) {
                        if (row instanceof Held held) {
                            transaction.hold(held);
                        } else if (!Set.of(Table.GATES, Table.RETIRED_REQUESTS).contains(row.table())) {
                            transaction.put(row);
                        }
                    }
                    transaction.ban(MadeUpEvents.author(BANNED), "for a reason");
                    return true;
                })
                .join();
    }

    /// A step after those that are in it.
    static Step nextStep(int number) {
        return new Workload(3).step(STEPS + number);
    }

    /// The tables as they should be.
    TableSnapshot tables() {
        return engine.pin();
    }

    /// Whether an event is one of those, to the last byte.
    boolean isOriginal(StoredEvent event) {
        return event.toString().equals(events.get(event.id()));
    }

    /// What it is made of.
    @Override
    public String toString() {
        try (var tables = tables()) {
            var text = new StringBuilder(bytes.length + " bytes");
            for (var table : Table.values()) {
                text.append(", ").append(table.storedName()).append(' ').append(tables.count(table));
            }
            return text.toString();
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    /// Everything under the keys of a table, for comparing.
    static String rowsOf(EventStore store, Table table) {
        var text = new StringBuilder();
        store.read(view -> {
            view.forEachRow(table, Bytes.EMPTY, row -> text.append(row).append('\n'));
            return true;
        });
        return text.toString();
    }
}
