package dev.grapnel.store.crash;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/// Writes until there is no room, looks what still works, makes room and goes on. Prints `acknowledged` and the
/// id of each event that was, and at the end `complete`; what must not be ends it with an exception.
final class FullDiskWriter {
    private static final int SOME = 200;
    private static final int TRIES_MAX = 1_000_000;

    private final Set<EventId> acknowledged = new HashSet<>();
    private final TableStore store;
    private int next;
    private int refused;

    private FullDiskWriter(TableStore store) {
        this.store = store;
    }

    /// Arguments: directory of the store; a file that takes up room, or nothing to set a limit on files
    /// instead.
    static void main(String... arguments) throws IOException {
        var directory = Path.of(arguments[0]);
        Runnable freeing = arguments.length > 1 ? () -> delete(Path.of(arguments[1])) : FileSizeLimit::lift;
        var heard = new CopyOnWriteArrayList<String>();
        var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withDurability(Durability.SYNC));
        try (var store = new TableStore(
                engine,
                Workload.RULES,
                WriterConfig.DEFAULTS,
                new ManualTime(Workload.BEGIN),
                new Complaints(heard::add))) {
            var writer = new FullDiskWriter(store);
            writer.writeSome();
            if (arguments.length == 1) {
                FileSizeLimit.set(Files.size(directory.resolve("data.mdb")) + (1 << 18));
            }
            writer.writeUntilRefused();
            require(heard.size() == 1 && heard.getFirst().startsWith("refusing: "), "told once: " + heard);
            writer.tryInVain();
            freeing.run();
            writer.writeSome();
            require(heard.getLast().equals("writing"), "told at the end: " + heard);
            for (int i = 0; i < heard.size(); i++) {
                require(heard.get(i).startsWith(i % 2 == 0 ? "refusing" : "writing"), "told in turns: " + heard);
            }
            CrashWriter.say("refused " + writer.refused + ", told " + heard);
        }
        CrashWriter.say("complete");
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeSome() {
        for (int i = 0; i < SOME; i++) {
            require(write(), "event " + next + " is taken");
        }
        requireExactlyAcknowledged();
    }

    private void writeUntilRefused() {
        int tries = 0;
        while (write()) {
            require(++tries < TRIES_MAX, "the disk gets full");
        }
        requireExactlyAcknowledged();
    }

    /// Some may still fit; each is taken or refused as a whole.
    private void tryInVain() {
        for (int i = 0; i < SOME; i++) {
            write();
        }
        requireExactlyAcknowledged();
    }

    private boolean write() {
        var event = event(next++);
        try {
            store.write(Urgency.WAITING, 0, transaction -> transaction.save(event))
                    .join();
            acknowledged.add(event.id());
            CrashWriter.say("acknowledged " + event.id());
            return true;
        } catch (CompletionException e) {
            require(
                    e.getCause() instanceof StoreRefusal refusal
                            && refusal.refusal().prefix() == Prefix.ERROR,
                    "refused with error: " + e);
            require(store.read(view -> view.find(event.id())).isEmpty(), "refused means unseen");
            refused++;
            return false;
        }
    }

    private static Event event(int number) {
        return MadeUpEvents.event(
                MadeUpEvents.author(number % 7),
                1,
                Workload.BEGIN + number,
                List.of(List.of("t", "topic-" + number % 11)),
                "x".repeat(number * 37 % 9_000));
    }

    private void requireExactlyAcknowledged() {
        var served = StoredThings.all(store).stream().map(StoredEvent::id).collect(Collectors.toSet());
        require(
                served.equals(acknowledged),
                served.size() + " served are the " + acknowledged.size() + " acknowledged");
    }

    private static void require(boolean is, String what) {
        if (!is) {
            throw new IllegalStateException("not so: " + what);
        }
    }
}
