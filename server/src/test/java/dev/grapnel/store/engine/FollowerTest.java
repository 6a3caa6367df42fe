package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Removal;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a follower hears, and what it may do.
final class FollowerTest {
    private final List<String> heard = new ArrayList<>();
    private StoreWork<Boolean> conclusion = _ -> true;
    private final TableStore store = new TableStore(
            new MemoryEngine(new SplittableRandom(1), MemoryEngine.EVENTS_MAX),
            StoreRules.DEFAULTS,
            WriterConfig.DEFAULTS,
            new ManualTime(NOW),
            new Observer(),
            ServedFeed.NONE,
            new Follower());

    @AfterEach
    void close() {
        store.close();
    }

    private final class Follower implements StoreFollower {
        @Override
        public void served(Event event) {
            heard.add("served " + event.kind());
        }

        @Override
        public void left(Event event, Removal.Reason reason) {
            heard.add("left " + event.kind() + " " + reason);
        }

        @Override
        public void held(Held row) {
            heard.add("held " + row.event().kind());
        }

        @Override
        public void amended(EventId id, Table table, Bytes key, Terms terms) {
            heard.add("amended " + table + " " + terms.source());
        }

        @Override
        public void dropped(Held row) {
            heard.add("dropped " + row.event().kind());
        }

        @Override
        public void put(Row row) {
            heard.add("put " + row.table());
        }

        @Override
        public void removed(Table table, Bytes key) {
            heard.add("removed " + table);
        }

        @Override
        public void conclude(StoreTransaction transaction) {
            heard.add("conclude");
            conclusion.run(transaction);
        }

        @Override
        public void committed() {
            heard.add("committed");
        }

        @Override
        public void abandoned() {
            heard.add("abandoned");
        }
    }

    private final class Observer implements StoreObserver {
        @Override
        public void damaged(String where) {
            heard.add("damaged " + where);
        }

        @Override
        public void setAside(String row, String file) {
            heard.add("set aside " + row);
        }

        @Override
        public void refusing(String reason) {
            heard.add("refusing " + reason);
        }

        @Override
        public void writing() {
            heard.add("writing");
        }
    }

    private static Event note(int author, long createdAt) {
        return StoreSamples.event(author, 1, createdAt, List.of(), "");
    }

    private static Event profile(long createdAt) {
        return StoreSamples.event(0, 0, createdAt, List.of(), "");
    }

    private static HeldState state() {
        var event = StoreSamples.event(0, Kinds.STATE, NOW, List.of(List.of("d", "x")), "");
        var now = Instant.ofEpochSecond(NOW);
        return new HeldState(event, now, now.plusSeconds(60), Source.DIRECT);
    }

    private <T> T write(StoreWork<T> work) {
        return store.write(Urgency.WAITING, 0, work).join();
    }

    @Test
    void everyChangeIsToldInOrder() {
        write(transaction -> transaction.save(profile(NOW)));
        write(transaction -> transaction.save(profile(NOW + 1)));
        write(transaction -> transaction.hold(state()));
        write(transaction ->
                transaction.amend(state().event().id(), state().terms().from(Source.SYNC)));
        write(transaction -> transaction.release(state().event().id()));
        var repair = Repair.due(
                new RepositoryAddress(StoreSamples.author(0), new Identifier("x")), Instant.ofEpochSecond(NOW));
        write(transaction -> {
            transaction.put(repair);
            return transaction.remove(Table.REPAIRS, repair.key());
        });
        assertEquals(
                List.of(
                        "served 0",
                        "conclude",
                        "committed",
                        "left 0 REPLACED",
                        "served 0",
                        "conclude",
                        "committed",
                        "held 30618",
                        "conclude",
                        "committed",
                        "amended HELD_STATES SYNC",
                        "conclude",
                        "committed",
                        "dropped 30618",
                        "served 30618",
                        "conclude",
                        "committed",
                        "put REPAIRS",
                        "removed REPAIRS",
                        "conclude",
                        "committed"),
                heard);
    }

    @Test
    void whatItAddsBelongsToTheSameTransaction() {
        var more = note(2, NOW);
        conclusion = transaction -> transaction.isServed(note(1, NOW).id())
                && transaction.save(more).isAccepted();
        write(transaction -> transaction.save(note(1, NOW)));
        assertEquals(List.of("served 1", "conclude", "served 1", "committed"), heard);
        assertEquals(true, store.read(view -> view.isServed(more.id())));
    }

    @Test
    void aWorkThatFailsIsAbandoned() {
        assertThrows(
                CompletionException.class,
                () -> write(transaction -> {
                    transaction.save(note(1, NOW));
                    throw new IllegalStateException("no");
                }));
        assertEquals(List.of("served 1", "abandoned"), heard);
    }

    @Test
    void aFollowerThatFailsUndoesTheWork() {
        conclusion = _ -> {
            throw new IllegalStateException("no");
        };
        assertThrows(CompletionException.class, () -> write(transaction -> transaction.save(note(1, NOW))));
        assertEquals(List.of("served 1", "conclude", "abandoned"), heard);
        assertEquals(false, store.read(view -> view.isServed(note(1, NOW).id())));
        conclusion = _ -> true;
        assertEquals(true, write(transaction -> transaction.save(note(1, NOW))).isAccepted());
    }
}
