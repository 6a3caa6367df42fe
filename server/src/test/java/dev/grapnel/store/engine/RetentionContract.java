package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletion;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static dev.grapnel.store.engine.StoreFixture.vanish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.Change;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.RequestRetention;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How long deletion requests are served and block (service 4.9.3).
public interface RetentionContract extends StoreContract {
    /// What it covers is refused.
    String BLOCKED = "false blocked: deletion of this event was requested by its author";

    /// It is known.
    String KNOWN = "true duplicate: already have this event";

    Duration MILLI = Duration.ofMillis(1);

    private static Duration days(int count) {
        return Duration.ofDays(count);
    }

    /// Whether an event would be refused, without making the request of use.
    private boolean isBlocked(Event event) {
        return fixture().read(view -> view.findObstacle(event)).isPresent();
    }

    private static StoreRules disrespecting(StoreRules rules) {
        return new StoreRules(rules.services(), false, 2_048, days(30), 200_000, 2_048, 1L << 20, rules.retention());
    }

    private void assertForgotten() {
        for (var table : List.of(
                Table.REQUESTS, Table.RETIRED_REQUESTS, Table.RETIRED_AUTHORS, Table.GATES, Table.GATE_TARGETS)) {
            assertEquals(0, fixture().rows(table), table.storedName());
        }
    }

    @Test
    default void anUnusedRequestIsServedForThirtyDays() {
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture().serve(known, request);
        fixture().age(days(30).minus(MILLI));
        fixture().assertServes(known, request);
        fixture().age(MILLI);
        fixture().assertServes(known);
    }

    @Test
    default void whatLeftServiceIsSeenByNobody() throws InterruptedException {
        var request = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture().serve(note(0, NOW, "known"), request);
        fixture().age(days(30));
        assertFalse(fixture().isFound(request.id()));
        assertEquals(0, fixture().count(Filter.builder().kinds(5).build()));
        assertEquals(
                List.of(),
                fixture().query(Filter.builder().ids(List.of(request.id())).build()));
        var step = fixture().store().tail(0).next(10, Duration.ZERO);
        var last = assertInstanceOf(TailStep.Changes.class, step).changes().getLast();
        var removal = assertInstanceOf(Change.Removed.class, last).removal();
        assertEquals(request.id() + " " + Reason.EXPIRED, removal.id() + " " + removal.reason());
    }

    @Test
    default void anUnusedRequestBlocksHalfAYearLongerAndIsForgotten() {
        var event = note(0, NOW, "never seen");
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW, event));
        fixture().age(days(30));
        fixture().reopen();
        fixture().age(days(180).minus(MILLI));
        assertTrue(isBlocked(event));
        fixture().age(MILLI);
        assertForgotten();
        assertEquals(0, fixture().rows(Table.TOMBSTONES));
        fixture().serve(event);
    }

    @Test
    default void aUseReturnsAnUnservedRequestToService() {
        var known = note(0, NOW, "known");
        var event = note(0, NOW, "late");
        var request = deletionOf(0, NOW, event);
        fixture().serve(known, request);
        fixture().age(days(100));
        fixture().assertServes(known);
        fixture().reopen();
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().assertServes(known, request);
        assertEquals(0, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().reopen();
        fixture().age(days(270).minus(MILLI));
        fixture().assertServes(known, request);
        fixture().age(MILLI);
        fixture().assertServes(known);
    }

    /// What came while deletions were disrespected stays, though the request covers it.
    @Test
    default void whatReturnsToServiceTakesNothingAway() {
        var rules = fixture().rules();
        var other = note(0, NOW, "other");
        var late = note(0, NOW, "late");
        var request = deletionOf(0, NOW, other, late);
        fixture().serve(note(0, NOW - 1, "known"), request);
        fixture().reopen(disrespecting(rules));
        fixture().serve(other);
        fixture().reopen(rules);
        fixture().age(days(40));
        long before = fixture().store().commitNumber();
        assertEquals(BLOCKED, fixture().answer(late));
        assertTrue(fixture().isFound(request.id()));
        assertTrue(fixture().isFound(other.id()));
        assertEquals(before + 1, fixture().store().commitNumber());
    }

    @Test
    default void aUseCountsHoweverSoonItComesAfterTheLast() {
        var minute = Duration.ofMinutes(1);
        var times = new RequestRetention(minute, minute, minute, Duration.ofHours(1));
        fixture().reopen(fixture().rules().withRetention(times));
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW, event);
        fixture().serve(event, note(0, NOW, "known"), request);
        fixture().age(minute);
        assertFalse(fixture().isFound(request.id()));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().age(minute.minus(MILLI));
        assertTrue(fixture().isFound(request.id()));
    }

    @Test
    default void aUsedRequestThatWasTakenOutComesAgainAsAUsedOne() {
        var event = note(0, NOW, "x");
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, event);
        fixture().serve(event, known, request);
        assertTrue(fixture().did(transaction -> transaction.withdraw(request.id())));
        fixture().serve(request);
        fixture().age(days(269));
        fixture().assertServes(known, request);
    }

    @Test
    default void aUsedRequestIsServedLongerAndItsTombstonesStayForGood() {
        var event = note(0, NOW, "x");
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, event);
        fixture().serve(event, known, request);
        fixture().age(days(270).minus(MILLI));
        fixture().assertServes(known, request);
        fixture().age(MILLI);
        fixture().assertServes(known);
        fixture().reopen();
        fixture().age(days(90).minus(MILLI));
        assertEquals(1, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().age(MILLI);
        assertForgotten();
        fixture().age(days(10_000));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().assertServes(known);
    }

    @Test
    default void everyTombstoneOfAUsedRequestStaysForGood() {
        var hit = note(0, NOW, "hit");
        var never = note(0, NOW, "never seen");
        fixture().serve(hit, note(0, NOW, "known"), deletionOf(0, NOW, never, hit));
        fixture().age(days(360));
        assertForgotten();
        fixture().age(days(1_000));
        assertEquals(BLOCKED, fixture().answer(never));
    }

    @Test
    default void everyBlockingCountsAnew() {
        var event = note(0, NOW, "x");
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, event);
        fixture().serve(event, known, request);
        fixture().age(days(269));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().age(days(269));
        fixture().assertServes(known, request);
        fixture().age(days(1));
        fixture().assertServes(known);
        fixture().time.advance(days(89));
        assertEquals(BLOCKED, fixture().answer(event));
        fixture().age(days(100));
        fixture().assertServes(known, request);
    }

    @Test
    default void aCopyOfAnUnservedRequestChangesNothing() {
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture().serve(known, request);
        fixture().age(days(209));
        assertEquals(KNOWN, fixture().answer(request));
        assertInstanceOf(SaveOutcome.Known.class, fixture().write(transaction -> transaction.restore(request)));
        fixture().assertServes(known);
        fixture().age(days(1));
        assertForgotten();
        fixture().serve(request);
        fixture().assertServes(known, request);
    }

    @Test
    default void aTombstoneOutlivesOneOfTwoRequestsThatNameIt() {
        var event = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        var newer = deletion(0, NOW + 9, List.of(DeletionContract.address(30_000, 0, "x")));
        var older = deletion(0, NOW + 5, List.of(DeletionContract.address(30_000, 0, "x")));
        fixture().serve(note(0, NOW, "known"), newer);
        fixture().age(days(100));
        fixture().serve(older);
        fixture().age(days(110));
        assertEquals(1, fixture().rows(Table.REQUESTS));
        assertEquals(BLOCKED, fixture().answer(event));
        assertTrue(fixture().isFound(older.id()));
    }

    @Test
    default void aTombstoneEndsWithTheLastOfTwoRequestsThatNameIt() {
        var event = note(0, NOW, "never seen");
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW + 9, event));
        fixture().age(days(100));
        fixture().serve(deletionOf(0, NOW + 5, event));
        fixture().age(days(210));
        assertForgotten();
        fixture().serve(event);
    }

    @Test
    default void ofARequestThatExpiresNothingIsKept() {
        var event = note(0, NOW, "never seen");
        var request = deletion(
                0,
                NOW,
                List.of(
                        List.of("e", event.id().toString()),
                        List.of("expiration", Long.toString(NOW + days(400).toSeconds()))));
        fixture().serve(note(0, NOW, "known"), request);
        fixture().age(days(30));
        assertFalse(fixture().isFound(request.id()));
        assertEquals(0, fixture().rows(Table.RETIRED_REQUESTS));
        assertTrue(isBlocked(event));
        fixture().serve(request); // nobody remembers it, but its times are not forgotten
        fixture().age(Duration.ZERO);
        assertFalse(fixture().isFound(request.id()));
        fixture().age(days(180));
        assertForgotten();
        fixture().serve(event);
    }

    @Test
    default void otherTimesHoldFromTheNextStart() {
        var known = note(0, NOW, "known");
        var request = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture().serve(known, request);
        fixture().age(days(5));
        fixture().assertServes(known, request);
        var times = new RequestRetention(days(1), days(2), days(3), days(4));
        fixture().reopen(fixture().rules().withRetention(times));
        fixture().age();
        fixture().assertServes(known);
        assertForgotten();
    }

    @Test
    default void whoDisrespectsDeletionsServesRequestsWithoutEnd() {
        var rules = fixture().rules();
        var event = note(0, NOW, "x");
        var request = deletionOf(0, NOW + 1, event);
        var early = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture().serve(event, early);
        fixture().age(days(30));
        fixture().reopen(disrespecting(rules));
        fixture().serve(request);
        fixture().age(days(10_000));
        fixture().assertServes(event, request);
        fixture().serve(early); // and those that left service before are served when they come
        fixture().assertServes(event, request, early);
        assertEquals(0, fixture().rows(Table.RETIRED_REQUESTS));
    }

    @Test
    default void anUnusedRequestToVanishEndsAndItsRecordStays() {
        var request = vanish(0, NOW, "ALL_RELAYS");
        fixture().serve(request);
        fixture().age(days(30));
        fixture().assertServes();
        assertEquals(KNOWN, fixture().answer(request));
        fixture().reopen();
        fixture().age(days(180));
        assertForgotten();
        assertTrue(isBlocked(note(0, NOW, "x")));
    }

    @Test
    default void aRequestToVanishReturnsWhenItIsOfUse() {
        var request = vanish(0, NOW, "ALL_RELAYS");
        fixture().serve(note(0, NOW, "x"), request);
        fixture().age(days(270).minus(MILLI));
        fixture().assertServes(request);
        fixture().age(MILLI);
        fixture().assertServes();
        var later = note(0, NOW + 1, "later");
        fixture().serve(later);
        assertTrue(fixture().answer(note(0, NOW, "y")).startsWith("false blocked:"));
        fixture().assertServes(request, later);
        fixture().age(days(360));
        assertForgotten();
        assertTrue(isBlocked(note(0, NOW, "y")));
        fixture().assertServes(later);
    }

    @Test
    default void aRequestToVanishRemovesWhatLeftService() {
        var early = deletionOf(0, NOW, note(0, NOW, "never seen"));
        var late = deletionOf(0, NOW + 9, note(0, NOW, "never seen either"));
        fixture().serve(note(0, NOW + 9, "known"), vanish(0, NOW - 1, "ALL_RELAYS"), early, late);
        fixture().age(days(30));
        assertEquals(3, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().serve(vanish(0, NOW + 5, "ALL_RELAYS"));
        assertEquals(1, fixture().rows(Table.RETIRED_REQUESTS));
        assertEquals(2, fixture().rows(Table.REQUESTS));
        assertEquals(KNOWN, fixture().answer(late));
    }

    @Test
    default void aBanRemovesWhatLeftService() {
        var mine = deletionOf(0, NOW, note(0, NOW, "never seen"));
        var foreign = deletionOf(1, NOW, note(1, NOW, "never seen"));
        fixture().serve(note(0, NOW, "known"), note(1, NOW, "known"), mine, foreign);
        fixture().age(days(30));
        fixture().did(transaction -> {
            transaction.ban(author(0), "spam");
            return true;
        });
        assertEquals(1, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().did(transaction -> {
            transaction.ban(foreign.id(), "spam");
            return true;
        });
        assertEquals(0, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().age(days(180));
        assertForgotten();
    }

    @Test
    default void aPassThatIsInterruptedGoesOnAnotherTime() {
        var requests = IntStream.range(0, 2 * RequestPass.DUE_MAX)
                .mapToObj(i -> deletionOf(0, NOW + i, note(0, NOW, "never seen " + i)))
                .toArray(Event[]::new);
        var known = note(0, NOW, "known");
        fixture().serve(known);
        fixture().serve(requests);
        fixture().time.advance(days(30));
        fixture().onStep = () -> Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, fixture().store()::ageRequests);
        assertEquals(RequestPass.DUE_MAX, fixture().rows(Table.RETIRED_REQUESTS));
        fixture().assertSound();
        fixture().onStep = () -> {};
        fixture().reopen();
        fixture().age();
        fixture().assertServes(known);
        assertEquals(requests.length, fixture().rows(Table.RETIRED_REQUESTS));
    }

    @Test
    default void aPassOverAStoreThatIsClosedMeanwhileFails() throws InterruptedException {
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW, note(0, NOW, "never seen")));
        fixture().time.advance(days(210));
        var store = fixture().store();
        fixture().onStep = () -> fixture().reopen();
        assertThrows(IllegalStateException.class, store::ageRequests); // and no later than at the next step
        fixture().onStep = () -> {};
        fixture().age();
        assertForgotten();
    }

    @Test
    default void aPassInAPassIsSkipped() {
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW, note(0, NOW, "never seen")));
        fixture().time.advance(days(210));
        fixture().onStep = () -> {
            fixture().onStep = () -> {};
            var other = Thread.ofVirtual().start(fixture()::age);
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        fixture().age();
        assertEquals(
                new RequestTally(1, 1, 1, 1),
                fixture().steps.stream().reduce(RequestTally.NOTHING, RequestTally::plus));
        assertEquals(List.of("begun"), fixture().passes);
    }

    @Test
    default void aPassTellsWhatItHasDone() {
        var used = note(0, NOW, "x");
        fixture().serve(used, note(0, NOW, "known"), deletionOf(0, NOW, used));
        fixture().serve(deletionOf(0, NOW, note(0, NOW, "1"), note(0, NOW, "2")), deletionOf(0, NOW));
        fixture().age(days(30));
        fixture().age(days(180));
        fixture().age(days(150));
        assertEquals(
                List.of(
                        new RequestTally(2, 0, 0, 0),
                        new RequestTally(0, 2, 0, 0),
                        new RequestTally(0, 0, 2, 0),
                        new RequestTally(1, 0, 1, 0)),
                fixture().steps);
        assertEquals(List.of("begun", "begun", "begun"), fixture().passes);
    }

    @Test
    default void gatesAreCountedAsTheyComeAndGo() {
        var rules = fixture().rules();
        fixture().reopen(new StoreRules(rules.services(), true, 2_048, days(30), 3, 2, 1L << 20, rules.retention()));
        for (int i = 0; i < 5; i++) {
            fixture().save(deletionOf(i, NOW, note(i, NOW, "x")));
            fixture().time.advance(MILLI);
        }
        fixture().save(note(4, NOW, "x"));
        for (int i = 0; i < 3; i++) {
            fixture().save(deletionOf(9, NOW, note(9, NOW, "number " + i)));
            fixture().time.advance(MILLI);
        }
        fixture().time.advance(days(30));
        fixture().store().sweep().join();
        var sums = fixture().gates.stream()
                .reduce((a, b) -> new GateTally(
                        a.put() + b.put(), a.used() + b.used(), a.expired() + b.expired(), a.evicted() + b.evicted()));
        assertEquals(new GateTally(8, 1, 3, 4), sums.orElseThrow());
        assertEquals(0, fixture().rows(Table.GATES));
    }
}
