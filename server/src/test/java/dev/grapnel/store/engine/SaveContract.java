package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Saving events, versions, expiry, bans (relay 4.2 to 4.6, 4.10).
public interface SaveContract extends StoreContract {
    @Test
    default void anEventIsServedAsItWas() {
        var event = StoreSamples.event(0, 1, NOW, List.of(List.of("t", "ü\n\"\u0000")), "text \uD83D\uDE00");
        fixture().serve(event);
        assertEquals(List.of(event), fixture().all());
        assertEquals(
                event,
                fixture().read(view -> view.find(event.id())).orElseThrow().read());
    }

    @Test
    default void anEventSurvivesClosing() {
        var event = note(0, NOW, "x");
        fixture().serve(event);
        fixture().reopen();
        fixture().assertServes(event);
        assertEquals(1, fixture().store().commitNumber());
    }

    @Test
    default void theSameEventAgainIsADuplicate() {
        var event = note(0, NOW, "x");
        assertEquals("true ", fixture().answer(event));
        assertEquals("true duplicate: already have this event", fixture().answer(event));
        assertEquals(1, fixture().count(Filter.ALL));
    }

    @Test
    default void theSameEventTwiceInOneBatchIsADuplicate() {
        var event = note(0, NOW, "x");
        var outcomes = fixture().write(transaction -> List.of(transaction.save(event), transaction.save(event)));
        assertInstanceOf(SaveOutcome.Served.class, outcomes.getFirst());
        assertEquals(new SaveOutcome.Known(false), outcomes.getLast());
    }

    @Test
    default void commitNumbersIncreaseInOrder() {
        var numbers = new ArrayList<Long>();
        for (int i = 0; i < 5; i++) {
            var event = note(0, NOW - i, "x");
            numbers.add(((SaveOutcome.Served) fixture().save(event)).number());
        }
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), numbers);
        assertEquals(5, fixture().store().commitNumber());
    }

    @Test
    default void transactionsGivenTogetherTakeEffectInOrder() {
        var events = new ArrayList<Event>();
        var outcomes = new ArrayList<CompletableFuture<SaveOutcome>>();
        for (int i = 0; i < 50; i++) {
            var event = note(0, NOW, "number " + i);
            events.add(event);
            outcomes.add(fixture().store().write(Urgency.WAITING, 0, transaction -> transaction.save(event)));
        }
        for (int i = 0; i < 50; i++) {
            assertEquals(i + 1, ((SaveOutcome.Served) outcomes.get(i).join()).number());
        }
        assertEquals(events.size(), fixture().all().size());
    }

    @Test
    default void ephemeralEventsAreNotStored() {
        assertEquals(
                "false invalid: ephemeral events are not stored", fixture().answer(tagged(0, 20_001, NOW, List.of())));
        fixture().assertServes();
    }

    @Test
    default void aWorkThatThrowsChangesNothingAndHarmsNoOther() {
        var event = note(0, NOW, "kept");
        var other = note(0, NOW, "undone");
        var good = fixture().store().write(Urgency.WAITING, 0, transaction -> transaction.save(event));
        var bad = fixture().store().write(Urgency.WAITING, 0, transaction -> {
            transaction.save(other);
            throw new IllegalStateException("on purpose");
        });
        assertInstanceOf(SaveOutcome.Served.class, good.join());
        assertInstanceOf(
                IllegalStateException.class, bad.handle((_, problem) -> problem).join());
        fixture().assertServes(event);
    }

    @Test
    default void aNewerVersionTakesThePlaceOfAnOlderOne() {
        var old = StoreSamples.event(0, 0, NOW, List.of(), "old");
        var young = StoreSamples.event(0, 0, NOW + 1, List.of(), "new");
        fixture().serve(old, young);
        fixture().assertServes(young);
        assertEquals(
                List.of(),
                fixture().query(Filter.builder().ids(List.of(old.id())).build()));
    }

    @Test
    default void anOlderVersionIsRefusedAndMayNotReplace() {
        var old = StoreSamples.event(0, 0, NOW, List.of(), "old");
        var young = StoreSamples.event(0, 0, NOW + 1, List.of(), "new");
        fixture().serve(young);
        assertEquals("false duplicate: have a newer version", fixture().answer(old));
        fixture().assertServes(young);
    }

    @Test
    default void atEqualTimesTheLowerIdStaysInEitherOrder() {
        var one = StoreSamples.event(0, 30_000, NOW, List.of(List.of("d", "x")), "1");
        var two = StoreSamples.event(0, 30_000, NOW, List.of(List.of("d", "x")), "2");
        var lower = one.id().compareTo(two.id()) < 0 ? one : two;
        var higher = lower.equals(one) ? two : one;
        fixture().serve(higher, lower);
        fixture().assertServes(lower);
        assertEquals("false duplicate: have a newer version", fixture().answer(higher));
        fixture().assertServes(lower);
    }

    @Test
    default void otherAuthorsKindsAndIdentifiersAreOtherAddresses() {
        var events = new Event[] {
            tagged(0, 30_000, NOW, List.of(List.of("d", "x"))),
            tagged(1, 30_000, NOW + 1, List.of(List.of("d", "x"))),
            tagged(0, 30_001, NOW + 2, List.of(List.of("d", "x"))),
            tagged(0, 30_000, NOW + 3, List.of(List.of("d", "y"))),
            tagged(0, 10_000, NOW + 4, List.of(List.of("d", "x"))),
            tagged(1, 10_000, NOW + 5, List.of(List.of("d", "x")))
        };
        fixture().serve(events);
        fixture().assertServes(events);
    }

    @Test
    default void anIdentifierDoesNotSplitAReplaceableKind() {
        var old = tagged(0, 10_002, NOW, List.of(List.of("d", "x")));
        var young = tagged(0, 10_002, NOW + 1, List.of(List.of("d", "y")));
        fixture().serve(old, young);
        fixture().assertServes(young);
    }

    @Test
    default void noIdentifierAnEmptyOneAndOneWithoutValueAreTheSame() {
        var last = tagged(0, 30_000, NOW + 3, List.of(List.of("d", "")));
        fixture().serve(tagged(0, 30_000, NOW, List.of()), tagged(0, 30_000, NOW + 1, List.of(List.of("d"))), last);
        fixture().assertServes(last);
    }

    @Test
    default void onlyTheFirstIdentifierCounts() {
        var one = tagged(0, 30_000, NOW, List.of(List.of("d", "x"), List.of("d", "y")));
        var other = tagged(0, 30_000, NOW + 1, List.of(List.of("d", "y")));
        fixture().serve(one, other);
        fixture().assertServes(one, other);
        var newer = tagged(0, 30_000, NOW + 2, List.of(List.of("d", "x")));
        fixture().serve(newer);
        fixture().assertServes(newer, other);
    }

    @Test
    default void strangeIdentifiersWork() {
        for (var identifier : List.of("a:b:c", "with space", "\uD83D\uDE00", "x".repeat(1_000), "x".repeat(1_001))) {
            var old = tagged(0, 30_000, NOW, List.of(List.of("d", identifier)));
            var young = tagged(0, 30_000, NOW + 1, List.of(List.of("d", identifier)));
            fixture().serve(old, young);
            assertEquals(
                    List.of(young),
                    fixture()
                            .query(Filter.builder()
                                    .kinds(30_000)
                                    .tag('d', List.of(identifier))
                                    .build()));
            assertEquals(
                    young,
                    fixture()
                            .read(view -> view.findCurrent(young.findAddress().orElseThrow()))
                            .orElseThrow()
                            .read());
        }
        assertEquals(5, fixture().all().size());
    }

    @Test
    default void regularKindsAreNeverReplaced() {
        var one = tagged(0, 1621, NOW, List.of(List.of("d", "x")));
        var two = tagged(0, 1621, NOW + 1, List.of(List.of("d", "x")));
        var old = tagged(0, 41, NOW, List.of());
        var young = tagged(0, 41, NOW + 1, List.of());
        fixture().serve(one, two, old, young);
        fixture().assertServes(one, two, old, young);
    }

    @Test
    default void statesOfTwoAuthorsInOneSecondStayBoth() {
        var one = tagged(0, Kinds.STATE, NOW, List.of(List.of("d", "x")));
        var two = tagged(1, Kinds.STATE, NOW, List.of(List.of("d", "x")));
        fixture().serve(one, two);
        fixture().assertServes(one, two);
    }

    @Test
    default void anExpiredEventIsRefused() {
        var over = tagged(0, 1, NOW - 100, List.of(List.of("expiration", Long.toString(NOW))));
        assertEquals("false invalid: event has expired", fixture().answer(over));
        var strange = tagged(0, 1, NOW, List.of(List.of("expiration", "soon")));
        assertTrue(fixture().answer(strange).startsWith("false invalid: expiration"));
        fixture().assertServes();
    }

    @Test
    default void anEventIsGoneInTheSecondItExpires() {
        var event = tagged(0, 1, NOW, List.of(List.of("expiration", Long.toString(NOW + 10))));
        fixture().serve(event);
        fixture().time.advance(Duration.ofSeconds(9));
        fixture().assertServes(event);
        fixture().time.advance(Duration.ofSeconds(1));
        fixture().assertServes();
        assertEquals(0, fixture().count(Filter.ALL));
        assertTrue(fixture().read(view -> view.find(event.id())).isEmpty());
        assertEquals("false invalid: event has expired", fixture().answer(event));
    }

    @Test
    default void aSweepRemovesWhatHasExpired() {
        var event = tagged(0, 1, NOW, List.of(List.of("expiration", Long.toString(NOW + 10))));
        var other = note(0, NOW, "stays");
        fixture().serve(event, other);
        fixture().time.advance(Duration.ofSeconds(10));
        assertEquals(1, fixture().store().sweep().join());
        fixture().assertServes(other);
        assertEquals(1, fixture().rows(Table.EVENTS));
        assertEquals(3, fixture().store().commitNumber());
    }

    @Test
    default void anExpiredVersionDoesNotBringBackItsPredecessorButNoLongerRefusesIt() {
        var old = tagged(0, 30_000, NOW, List.of(List.of("d", "x")));
        var young =
                tagged(0, 30_000, NOW + 1, List.of(List.of("d", "x"), List.of("expiration", Long.toString(NOW + 10))));
        fixture().serve(old, young);
        fixture().time.advance(Duration.ofSeconds(10));
        fixture().assertServes();
        fixture().serve(old);
        fixture().assertServes(old);
        assertEquals(0, fixture().store().sweep().join());
    }

    @Test
    default void aClockThatStepsBackBreaksNothing() {
        var event = tagged(0, 1, NOW, List.of(List.of("expiration", Long.toString(NOW + 10))));
        fixture().serve(event);
        fixture().time.advance(Duration.ofSeconds(-1_000));
        fixture().serve(note(0, NOW, "later"));
        assertEquals(2, fixture().store().commitNumber());
        assertEquals(2, fixture().all().size());
    }

    @Test
    default void aBannedAuthorIsRemovedAndRefusedUntilAllowedAgain() {
        var mine = note(0, NOW, "x");
        var other = note(1, NOW, "y");
        fixture().serve(mine, other);
        fixture().write(transaction -> {
            transaction.ban(StoreSamples.author(0), "spam");
            return true;
        });
        fixture().assertServes(other);
        fixture().reopen();
        assertTrue(fixture().answer(mine).startsWith("false blocked:"));
        assertTrue(fixture().read(view -> view.findObstacle(mine)).isPresent());
        assertTrue(fixture().did(transaction -> transaction.unban(StoreSamples.author(0))));
        fixture().serve(mine);
    }

    @Test
    default void aBannedEventIsRemovedAndRefusedUntilAllowedAgain() {
        var event = note(0, NOW, "x");
        fixture().serve(event);
        fixture().write(transaction -> {
            transaction.ban(event.id(), "illegal");
            return true;
        });
        fixture().assertServes();
        assertTrue(fixture().answer(event).startsWith("false blocked:"));
        fixture().serve(note(0, NOW, "another"));
        assertTrue(fixture().did(transaction -> transaction.unban(event.id())));
        fixture().serve(event);
    }

    @Test
    default void aWithdrawnEventMayComeBack() {
        var event = note(0, NOW, "x");
        fixture().serve(event);
        assertTrue(fixture().did(transaction -> transaction.withdraw(event.id())));
        fixture().assertServes();
        fixture().serve(event);
        fixture().assertServes(event);
    }

    @Test
    default void theClockRowFollowsEveryCommit() {
        assertTrue(fixture().read(view -> view.clock()).isEmpty());
        fixture().serve(note(0, NOW, "x"));
        fixture().time.advance(Duration.ofMillis(1_500));
        fixture().serve(note(0, NOW, "y"));
        assertEquals(
                fixture().time.instant(), fixture().read(view -> view.clock()).orElseThrow());
    }
}
