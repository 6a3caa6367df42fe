package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.deletion;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Passes over many requests, and over damaged ones.
final class RequestPassTest {
    private final KeptMemory memory = new KeptMemory(100_000);
    private final StoreFixture fixture = new StoreFixture(memory);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void change(Consumer<WriteTables> changes) {
        try (var tables = memory.last().begin()) {
            changes.accept(tables);
            tables.commit();
        }
    }

    private static Event unused(int number) {
        return deletionOf(0, NOW + number, note(0, NOW, "never seen " + number));
    }

    private RequestTally sum() {
        return fixture.steps.stream().reduce(RequestTally.NOTHING, RequestTally::plus);
    }

    @Test
    void manyRequestsAreLookedThroughInSmallSteps() {
        int count = 2 * RequestPass.LOOK_MAX + 100;
        fixture.serve(note(0, NOW, "known"));
        fixture.write(transaction -> {
            for (int i = 0; i < count; i++) {
                assertTrue(transaction.save(unused(i)).isAccepted());
            }
            return true;
        });
        fixture.age(Duration.ofDays(1));
        assertEquals(List.of(), fixture.steps); // nothing is due, so nothing is written
        fixture.age(Duration.ofDays(29));
        assertEquals(new RequestTally(count, 0, 0, 0), sum());
        assertTrue(fixture.steps.stream().allMatch(step -> step.retired() <= RequestPass.DUE_MAX));
        fixture.age(Duration.ofDays(180));
        assertEquals(new RequestTally(count, count, count, 0), sum());
        assertTrue(fixture.steps.stream().allMatch(step -> step.forgotten() <= RequestPass.DUE_MAX));
        assertEquals(0, fixture.rows(Table.TOMBSTONES));
        fixture.assertSound();
    }

    @Test
    void aPassThatFindsNothingToDoIsInterruptedToo() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, fixture.store()::ageRequests);
    }

    @Test
    void largeRequestsLeaveServiceOneByOne() {
        var targets = new ArrayList<List<String>>();
        for (int i = 0; i < 2_000; i++) {
            targets.add(List.of("e", "%064x".formatted(i)));
        }
        fixture.serve(note(0, NOW, "known"));
        IntStream.range(0, 3).forEach(i -> fixture.serve(deletion(0, NOW + i, targets)));
        fixture.age(Duration.ofDays(30));
        assertEquals(List.of(RequestTally.RETIRED, RequestTally.RETIRED, RequestTally.RETIRED), fixture.steps);
    }

    /// The look and the transaction are apart: meanwhile a request may have been of use.
    @Test
    void whatWasOfUseMeanwhileIsSkipped() {
        var events = IntStream.range(0, 2)
                .mapToObj(i -> note(0, NOW, "never seen " + i))
                .toList();
        fixture.serve(note(0, NOW, "known"), unused(0), unused(1));
        fixture.time.advance(Duration.ofDays(30));
        fixture.write(transaction -> {
            var ages = ((TableTransaction) transaction).ages();
            transaction.save(events.getFirst());
            var keys = List.of(unused(0).id().toBytes(), unused(1).id().toBytes());
            assertEquals(
                    new RequestAges.Settled(2, new RequestTally(1, 0, 0, 1)),
                    ages.settle(Table.REQUESTS, keys, fixture.time.instant()));
            return true;
        });
        assertTrue(fixture.isFound(unused(0).id()));
    }

    @Test
    void aDamagedRowKeepsNoOtherFromItsEnd() {
        fixture.serve(note(0, NOW, "known"), unused(0), unused(1), unused(2));
        change(tables -> tables.put(Table.REQUESTS, unused(1).id().toBytes(), new byte[20]));
        fixture.age(Duration.ofDays(30));
        assertEquals(2, fixture.rows(Table.RETIRED_REQUESTS));
        var failure = "failed: a row of table requests does not fit its checksum";
        assertEquals(List.of("begun", failure, failure), fixture.passes); // once for the request, once for its target
    }

    @Test
    void anEventThatCannotBeReadKeepsNoOtherFromLeavingService() {
        fixture.serve(note(0, NOW, "known"), unused(0), unused(1), unused(2));
        fixture.age(Duration.ofDays(30));
        change(tables -> tables.put(Table.RETIRED_REQUESTS, unused(1).id().toBytes(), new byte[20]));
        fixture.steps.clear();
        fixture.age(Duration.ofDays(180));
        assertEquals(new RequestTally(0, 3, 2, 0), sum());
        assertEquals(1, fixture.rows(Table.REQUESTS));
        assertEquals(3, fixture.passes.size(), fixture.passes.toString());
        assertTrue(fixture.passes.getLast().startsWith("failed: row "), fixture.passes.toString());
    }

    @Test
    void aTombstoneOfARequestThatIsGoneIsForgotten() {
        var request = unused(0);
        fixture.serve(note(0, NOW, "known"), request);
        assertTrue(fixture.did(transaction -> transaction.withdraw(request.id())));
        fixture.age(Duration.ofDays(209));
        assertEquals(1, fixture.rows(Table.TOMBSTONES));
        fixture.age(Duration.ofDays(1));
        assertEquals(0, fixture.rows(Table.TOMBSTONES));
        assertEquals(0, fixture.rows(Table.REQUESTS));
    }
}
