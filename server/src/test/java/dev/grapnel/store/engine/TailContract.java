package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.store.Change;
import dev.grapnel.store.Lineage;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.Urgency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Following the commit order (relay 2.7, sync R1.10).
public interface TailContract extends StoreContract {
    private static List<String> read(Tail tail, int most) throws InterruptedException {
        var step = assertInstanceOf(TailStep.Changes.class, tail.next(most, Duration.ZERO));
        return step.changes().stream()
                .map(change -> switch (change) {
                    case Change.Served(var event) -> event.number() + " " + event.id();
                    case Change.Removed(var number, var removal) ->
                        number + " " + removal.reason() + " " + removal.id();
                })
                .toList();
    }

    @Test
    default void everyChangeIsSeenInOrder() throws InterruptedException {
        var tail = fixture().store().tail(0);
        assertEquals(List.of(), read(tail, 10));
        var note = note(0, NOW, "x");
        var old = tagged(0, 0, NOW, List.of());
        fixture().serve(note, old);
        assertEquals(List.of("1 " + note.id(), "2 " + old.id()), read(tail, 10));
        var young = tagged(0, 0, NOW + 1, List.of());
        var request = deletionOf(0, NOW, note);
        fixture().serve(young, request);
        assertEquals(
                List.of(
                        "3 " + Reason.REPLACED + " " + old.id(),
                        "3 " + young.id(),
                        "4 " + Reason.DELETED + " " + note.id(),
                        "4 " + request.id()),
                read(tail, 10));
        assertEquals(List.of(), read(tail, 10));
        assertEquals(4, tail.position());
    }

    @Test
    default void removalsWithoutEventTakeNumbers() throws InterruptedException {
        var expiring = tagged(0, 1, NOW, List.of(List.of("expiration", Long.toString(NOW + 1))));
        var banned = note(1, NOW, "x");
        var withdrawn = note(2, NOW, "x");
        fixture().serve(expiring, banned, withdrawn);
        var tail = fixture().store().tail(3);
        fixture().time.advance(Duration.ofSeconds(1));
        fixture().store().sweep().join();
        fixture().write(transaction -> {
            transaction.ban(author(1), "");
            return transaction.withdraw(withdrawn.id());
        });
        assertEquals(
                List.of(
                        "4 " + Reason.EXPIRED + " " + expiring.id(),
                        "5 " + Reason.BANNED + " " + banned.id(),
                        "6 " + Reason.WITHDRAWN + " " + withdrawn.id()),
                read(tail, 10));
    }

    @Test
    default void aTailReadsInPiecesOfAnySize() throws InterruptedException {
        var notes = new ArrayList<dev.grapnel.nostr.event.Event>();
        for (int i = 0; i < 5; i++) {
            notes.add(note(0, NOW + i, "x"));
        }
        fixture().serve(notes.toArray(dev.grapnel.nostr.event.Event[]::new));
        fixture().serve(deletionOf(0, NOW, notes.toArray(dev.grapnel.nostr.event.Event[]::new)));
        fixture().serve(note(1, NOW, "last"));
        var whole = read(fixture().store().tail(0), 100);
        assertEquals(7, whole.size());
        for (int size = 1; size < 7; size++) {
            var tail = fixture().store().tail(0);
            var pieces = new ArrayList<String>();
            List<String> piece;
            do {
                piece = read(tail, size);
                pieces.addAll(piece);
            } while (!piece.isEmpty());
            assertEquals(whole, pieces);
        }
    }

    @Test
    default void aTailSurvivesReopening() throws InterruptedException {
        var first = note(0, NOW, "x");
        var second = note(0, NOW, "y");
        fixture().serve(first);
        fixture().reopen();
        fixture().serve(second);
        assertEquals(List.of("2 " + second.id()), read(fixture().store().tail(1), 10));
    }

    @Test
    default void aTailWaitsForTheNextCommit() throws InterruptedException {
        var tail = fixture().store().tail(0);
        var event = note(0, NOW, "x");
        var saved = fixture().store().write(Urgency.WAITING, 0, transaction -> transaction.save(event));
        var step = assertInstanceOf(TailStep.Changes.class, tail.next(10, Duration.ofMinutes(1)));
        assertEquals(1, step.changes().size());
        saved.join();
    }

    @Test
    default void whoFallsBehindForgottenRemovalsIsTold() throws InterruptedException {
        var config = WriterConfig.DEFAULTS;
        fixture()
                .reopen(new WriterConfig(
                        config.queueMax(),
                        config.queueBytesMax(),
                        config.batchMax(),
                        config.batchBytesMax(),
                        config.sweepEvery(),
                        config.flushEvery(),
                        1));
        for (int i = 0; i < 3; i++) {
            fixture().serve(tagged(0, 0, NOW + i, List.of()));
        }
        fixture().store().sweep().join();
        assertEquals(new TailStep.Lost(3), fixture().store().tail(0).next(10, Duration.ZERO));
        assertEquals(2, read(fixture().store().tail(2), 10).size());
    }

    @Test
    default void whatHasExpiredIsNotShownAsServed() throws InterruptedException {
        var expiring = tagged(0, 1, NOW, List.of(List.of("expiration", Long.toString(NOW + 10))));
        var note = note(0, NOW, "x");
        fixture().serve(expiring, note);
        var tail = fixture().store().tail(0);
        fixture().time.advance(Duration.ofSeconds(20));
        assertEquals(List.of("2 " + note.id()), read(tail, 10));
        assertEquals(2, tail.position());
    }

    @Test
    default void eachProcessFindsTheMarkOfTheOneBefore() {
        assertEquals(Lineage.UNKNOWN, fixture().store().lineage(), "whoever leaves no mark is not recognised");
        fixture().store().succeed(5);
        assertEquals(new Lineage(0, 5), fixture().store().lineage());
        fixture().serve(note(0, NOW, "x"));
        fixture().reopen();
        fixture().store().succeed(7);
        assertEquals(new Lineage(5, 7), fixture().store().lineage());
        assertEquals(1, fixture().store().commitNumber(), "a mark is no change of what is served");
    }
}
