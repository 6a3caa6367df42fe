package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletion;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests to delete (relay 4.5, service 4.9).
public interface DeletionContract extends StoreContract {
    /// The answer to an event that its author deleted.
    String BLOCKED = "false blocked: deletion of this event was requested by its author";

    @Test
    default void aRequestRemovesItsAuthorsEventAndStays() {
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        fixture().serve(event, request);
        fixture().assertServes(request);
    }

    @Test
    default void otherPeoplesEventsStayAndTheRequestIsServed() {
        var foreign = note(1, NOW, "x");
        var own = note(0, NOW, "y");
        var request = deletionOf(0, NOW + 1, foreign);
        fixture().serve(foreign, own, request);
        fixture().assertServes(foreign, own, request);
    }

    @Test
    default void aMixedRequestRemovesOnlyOwnEvents() {
        var foreign = note(1, NOW, "x");
        var own = note(0, NOW, "y");
        var request = deletionOf(0, NOW + 1, foreign, own);
        fixture().serve(foreign, own, request);
        fixture().assertServes(foreign, request);
    }

    @Test
    default void aDeletedEventIsRefused() {
        var event = note(0, NOW, "x");
        fixture().serve(event, deletionOf(0, NOW + 1, event));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().reopen();
        assertEquals(BLOCKED, fixture().answer(event));
        assertTrue(fixture().read(view -> view.findObstacle(event)).isPresent());
    }

    @Test
    default void aRequestThatComesFirstRefusesTheEvent() {
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        fixture().serve(note(0, NOW, "known"), request);
        assertEquals(BLOCKED, fixture().answer(event));
    }

    @Test
    default void aStrangersRequestDoesNotBlockTheAuthor() {
        var event = note(0, NOW, "x");
        fixture().serve(note(1, NOW, "known"), deletionOf(1, NOW + 1, event), event);
        assertEquals(
                1, fixture().count(Filter.builder().ids(List.of(event.id())).build()));
    }

    @Test
    default void anAddressRequestRemovesVersionsUpToItsDate() {
        var older = tagged(0, 30_000, NOW, List.of(List.of("d", "older")));
        var equal = tagged(0, 30_000, NOW + 1, List.of(List.of("d", "equal")));
        var newer = tagged(0, 30_000, NOW + 2, List.of(List.of("d", "newer")));
        var request = deletion(
                0,
                NOW + 1,
                List.of(address(30_000, 0, "older"), address(30_000, 0, "equal"), address(30_000, 0, "newer")));
        fixture().serve(older, equal, newer, request);
        fixture().assertServes(newer, request);
    }

    @Test
    default void anAddressRequestIsBoundToKindAuthorAndIdentifier() {
        var events = new Event[] {
            tagged(0, 30_001, NOW, List.of(List.of("d", "x"))),
            tagged(1, 30_000, NOW, List.of(List.of("d", "x"))),
            tagged(0, 30_000, NOW, List.of(List.of("d", "y")))
        };
        var hit = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        var request = deletion(0, NOW + 1, List.of(address(30_000, 0, "x"), address(30_000, 1, "x")));
        fixture().serve(events);
        fixture().serve(hit, request);
        fixture().assertServes(events[0], events[1], events[2], request);
    }

    @Test
    default void afterAnAddressRequestOlderVersionsAreRefusedAndNewerTaken() {
        var first = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        fixture().serve(first, deletion(0, NOW + 10, List.of(address(30_000, 0, "x"))));
        assertEquals(BLOCKED, fixture().answer(tagged(0, 30_000, NOW + 10, List.of(List.of("d", "x")))));
        var newer = tagged(0, 30_000, NOW + 11, List.of(List.of("d", "x")));
        fixture().serve(newer);
        assertEquals(BLOCKED, fixture().answer(first));
    }

    @Test
    default void anAddressRequestForAReplaceableKindIgnoresTheIdentifier() {
        var profile = tagged(0, 0, NOW, List.of());
        var list = tagged(0, 10_002, NOW, List.of());
        var request = deletion(0, NOW + 1, List.of(address(0, 0, ""), address(10_002, 0, "whatever")));
        fixture().serve(profile, list, request);
        fixture().assertServes(request);
    }

    @Test
    default void anotherAuthorsAddressInARequestHasNoEffect() {
        var event = tagged(1, 30_000, NOW, List.of(List.of("d", "x")));
        var known = note(0, NOW, "known");
        var request = deletion(0, NOW + 1, List.of(address(30_000, 1, "x")));
        fixture().serve(event, known, request);
        fixture().assertServes(event, known, request);
        fixture().serve(tagged(1, 30_000, NOW + 1, List.of(List.of("d", "x"))));
    }

    @Test
    default void malformedTargetsAreIgnored() {
        var event = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        var request = deletion(
                0,
                NOW + 1,
                List.of(
                        List.of("a", "30000"),
                        List.of("a", "x:" + author(0) + ":x"),
                        List.of("a", "30000:" + author(0)),
                        List.of("a", "1:" + author(0) + ":x"),
                        List.of("a"),
                        List.of("e", "abc"),
                        List.of("k", "30000")));
        fixture().serve(event, request);
        fixture().assertServes(event, request);
    }

    @Test
    default void anOlderAddressRequestDoesNotLowerTheTombstone() {
        fixture()
                .serve(
                        note(0, NOW, "known"),
                        deletion(0, NOW + 10, List.of(address(30_000, 0, "x"))),
                        deletion(0, NOW + 5, List.of(address(30_000, 0, "x"))));
        assertEquals(BLOCKED, fixture().answer(tagged(0, 30_000, NOW + 8, List.of(List.of("d", "x")))));
    }

    @Test
    default void requestsCannotBeDeleted() {
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        var vanish = StoreFixture.vanish(1, NOW, "ALL_RELAYS");
        fixture().serve(event, request, vanish, note(1, NOW + 1, "later"));
        fixture().serve(deletionOf(0, NOW + 2, request), deletionOf(1, NOW + 2, vanish));
        assertEquals(
                2,
                fixture()
                        .count(Filter.builder()
                                .ids(List.of(request.id(), vanish.id()))
                                .build()));
        assertEquals(BLOCKED, fixture().answer(event));
    }

    @Test
    default void aRequestNamedByAnEarlierTombstoneIsTaken() {
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW + 2, request), request);
    }

    @Test
    default void anEventDatedAfterTheRequestIsDeletedById() {
        var event = note(0, NOW + 100, "x");
        var request = deletionOf(0, NOW, event);
        fixture().serve(event, request);
        fixture().assertServes(request);
        assertEquals(BLOCKED, fixture().answer(event));
    }

    @Test
    default void deletingOneVersionByIdLetsOlderOnesComeAgain() {
        var older = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        var newer = tagged(0, 30_000, NOW + 1, List.of(List.of("d", "x")));
        var request = deletionOf(0, NOW + 2, newer);
        fixture().serve(older, newer, request, older);
        fixture().assertServes(older, request);
    }

    @Test
    default void aGiftWrapIsDeletedByItsRecipientOnly() {
        var wrap =
                tagged(7, Kinds.GIFT_WRAP, NOW, List.of(List.of("p", author(0).toString())));
        fixture().serve(wrap, note(1, NOW, "known"), deletionOf(1, NOW + 1, wrap));
        assertEquals(1, fixture().count(Filter.builder().kinds(Kinds.GIFT_WRAP).build()));
        fixture().serve(deletionOf(0, NOW + 1, wrap));
        assertEquals(0, fixture().count(Filter.builder().kinds(Kinds.GIFT_WRAP).build()));
        assertEquals(BLOCKED, fixture().answer(wrap));
    }

    @Test
    default void tombstonesOutliveTheirRequest() {
        var event = note(0, NOW, "x");
        var request = deletion(
                0,
                NOW + 1,
                List.of(List.of("e", event.id().toString()), List.of("expiration", Long.toString(NOW + 10))));
        fixture().serve(event, request);
        fixture().time.advance(Duration.ofSeconds(20));
        assertEquals(1, fixture().store().sweep().join());
        fixture().assertServes();
        assertEquals(BLOCKED, fixture().answer(event));
    }

    @Test
    default void tooManyTargetsAreRefused() {
        var tags = new ArrayList<List<String>>();
        for (int i = 0; i < 2_049; i++) {
            tags.add(List.of("e", "%064x".formatted(i)));
        }
        assertEquals("false invalid: too many targets", fixture().answer(deletion(0, NOW, tags)));
        tags.removeLast();
        tags.add(tags.getFirst()); // a repeat is no further target
        fixture().serve(note(0, NOW, "known"), deletion(0, NOW, tags));
    }

    @Test
    default void aRequestOfAnUnknownAuthorIsAGateUntilWhatItCoversComes() {
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        assertEquals("true ", fixture().answer(request));
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        fixture().assertServes();
        assertEquals(0, fixture().count(Filter.ALL));
        assertEquals(0, fixture().store().commitNumber());
        fixture().reopen();
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().assertServes(request);
        assertEquals("true duplicate: already have this event", fixture().answer(request));
        assertEquals(0, fixture().rows(Table.GATES));
        assertEquals(0, fixture().rows(Table.GATE_TARGETS));
        assertEquals(BLOCKED, fixture().answer(event));
    }

    @Test
    default void whatTheOperatorRestoresIsServedWhoeverItIsFrom() {
        var request = deletionOf(0, NOW + 1, note(0, NOW, "x"));
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        assertInstanceOf(SaveOutcome.Served.class, fixture().write(transaction -> transaction.restore(request)));
        fixture().assertServes(request);
        assertEquals(0, fixture().rows(Table.GATES));
        assertEquals(BLOCKED, fixture().answer(note(0, NOW, "x")));
        assertEquals(
                "duplicate: already have this event",
                fixture().write(transaction -> transaction.restore(request)).message());
    }

    @Test
    default void gateStaysWhenItsRequestCannotBeRestored() {
        var note = note(0, NOW - 5, "x");
        var request = deletion(
                0, NOW, List.of(List.of("e", note.id().toHex()), List.of("expiration", Long.toString(NOW + 10))));
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        fixture().time.advance(Duration.ofSeconds(20));
        assertInstanceOf(SaveOutcome.Refused.class, fixture().write(transaction -> transaction.restore(request)));
        assertInstanceOf(SaveOutcome.Refused.class, fixture().save(note));
    }

    @Test
    default void aGateForAnAddressCoversOlderVersionsOnly() {
        var request = deletion(0, NOW + 5, List.of(address(30_000, 0, "x")));
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        assertEquals(BLOCKED, fixture().answer(tagged(0, 30_000, NOW + 5, List.of(List.of("d", "x")))));
        fixture().serve(tagged(0, 30_000, NOW + 6, List.of(List.of("d", "x"))));
    }

    @Test
    default void aGateBecomesOrdinaryWhenItsAuthorHasSomethingHere() {
        var request = deletionOf(0, NOW + 1, note(0, NOW, "never seen"));
        var other = note(0, NOW, "other");
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        fixture().serve(other);
        fixture().assertServes(other, request);
    }

    @Test
    default void aRequestThatNamesNothingIsServedWhicheverComesFirst() {
        var early = deletion(0, NOW, List.of(List.of("k", "1")));
        var other = note(0, NOW, "other");
        var late = deletion(0, NOW, List.of());
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(early));
        fixture().serve(other, late);
        fixture().assertServes(early, other, late);
        assertEquals(0, fixture().rows(Table.GATE_TARGETS));
    }

    @Test
    default void aRequestForAGiftWrapThatIsOverIsNoGateBeforeTheSweep() {
        var wrap = tagged(
                7,
                Kinds.GIFT_WRAP,
                NOW,
                List.of(List.of("p", author(0).toString()), List.of("expiration", Long.toString(NOW + 1))));
        var request = deletionOf(0, NOW, wrap);
        fixture().serve(wrap);
        fixture().time.advance(Duration.ofSeconds(2));
        fixture().serve(request);
        fixture().assertServes(request);
        assertEquals(0, fixture().store().sweep().join());
    }

    @Test
    default void everyGateThatCoversAnEventBecomesOrdinary() {
        var wrap = tagged(
                7,
                Kinds.GIFT_WRAP,
                NOW,
                List.of(
                        List.of("p", author(0).toString()),
                        List.of("p", author(1).toString())));
        var requests = new Event[] {deletionOf(0, NOW + 1, wrap), deletionOf(1, NOW + 1, wrap)};
        for (var request : requests) {
            assertInstanceOf(SaveOutcome.Gated.class, fixture().save(request));
        }
        assertEquals(BLOCKED, fixture().answer(wrap));
        fixture().assertServes(requests);
    }

    @Test
    default void aGateBecomesOrdinaryThoughATombstoneRefusesTheEventToo() {
        var event = note(0, NOW, "x");
        var first = deletionOf(0, NOW + 1, event);
        fixture().serve(event, first);
        assertTrue(fixture().did(transaction -> transaction.withdraw(first.id())));
        var second = deletionOf(0, NOW + 2, event);
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(second));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().assertServes(second);
    }

    @Test
    default void aGateOfSomebodyElseBlocksNothing() {
        var event = note(0, NOW, "x");
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(deletionOf(1, NOW + 1, event)));
        fixture().serve(event);
        fixture().assertServes(event);
    }

    @Test
    default void gatesEndWithTheirTime() {
        var event = note(0, NOW, "x");
        fixture().save(deletionOf(0, NOW + 1, event));
        fixture().time.advance(Duration.ofDays(30));
        assertEquals(1, fixture().store().sweep().join());
        assertEquals(0, fixture().rows(Table.GATES));
        fixture().serve(event);
    }

    @Test
    default void theOldestGateMakesRoom() {
        var rules = fixture().rules();
        fixture()
                .reopen(new StoreRules(
                        rules.services(), true, 2_048, Duration.ofDays(30), 3, 2, 1L << 20, rules.retention()));
        var events = new ArrayList<Event>();
        for (int i = 0; i < 5; i++) {
            var event = note(i, NOW, "x");
            events.add(event);
            fixture().save(deletionOf(i, NOW + 1, event));
            fixture().time.advance(Duration.ofMillis(1));
        }
        assertEquals(3, fixture().rows(Table.GATES));
        fixture().serve(events.get(0), events.get(1));
        assertEquals(BLOCKED, fixture().answer(events.get(2)));
        var mine = List.of(note(9, NOW, "1"), note(9, NOW, "2"), note(9, NOW, "3"));
        for (var event : mine) {
            fixture().save(deletionOf(9, NOW + 1, event));
            fixture().time.advance(Duration.ofMillis(1));
        }
        fixture().serve(mine.getFirst());
    }

    @Test
    default void whoDisrespectsDeletionsKeepsWhatIsServed() {
        var rules = fixture().rules();
        fixture()
                .reopen(new StoreRules(
                        rules.services(),
                        false,
                        2_048,
                        Duration.ofDays(30),
                        200_000,
                        2_048,
                        1L << 20,
                        rules.retention()));
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        var vanish = StoreFixture.vanish(0, NOW + 2, "ALL_RELAYS");
        fixture().serve(event, request, vanish);
        fixture().assertServes(event, request, vanish);
        fixture().serve(note(0, NOW, "older"));
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(deletionOf(5, NOW, note(5, NOW, "x"))));
        assertEquals(0, fixture().rows(Table.GATES));
        fixture().serve(note(5, NOW, "x"));
    }

    /// An `a` tag.
    static List<String> address(int kind, int author, String identifier) {
        return List.of("a", kind + ":" + author(author) + ":" + identifier);
    }
}
