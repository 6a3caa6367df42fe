package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static dev.grapnel.store.engine.StoreFixture.vanish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests to vanish (relay 4.7).
public interface VanishContract extends StoreContract {
    @Test
    default void aRequestRemovesEverythingOfItsAuthorUpToItsDate() {
        var deleted = note(0, NOW, "deleted");
        var wrap =
                tagged(7, Kinds.GIFT_WRAP, NOW, List.of(List.of("p", author(0).toString())));
        var foreign = note(1, NOW, "foreign");
        var later = note(0, NOW + 11, "later");
        fixture().serve(deleted, deletionOf(0, NOW + 1, deleted), note(0, NOW + 10, "equal"), wrap, foreign, later);
        var request = vanish(0, NOW + 10, "wss://relay.example.com");
        fixture().serve(request);
        fixture().assertServes(foreign, later, request);
    }

    @Test
    default void eventsUpToTheDateAreRefusedAndNewerTaken() {
        fixture().serve(vanish(0, NOW, "ALL_RELAYS"));
        fixture().reopen();
        assertTrue(fixture().answer(note(0, NOW, "x")).startsWith("false blocked:"));
        var wrap =
                tagged(7, Kinds.GIFT_WRAP, NOW, List.of(List.of("p", author(0).toString())));
        assertTrue(fixture().answer(wrap).startsWith("false blocked:"));
        fixture().serve(note(0, NOW + 1, "x"));
    }

    @Test
    default void otherRelaysAreNotMeant() {
        var event = note(0, NOW, "x");
        fixture().serve(event);
        assertEquals(
                "false blocked: request does not name this relay",
                fixture().answer(vanish(0, NOW, "wss://other.example.com")));
        assertEquals(
                "false blocked: request does not name this relay", fixture().answer(vanish(0, NOW, "all_relays")));
        assertTrue(
                fixture().answer(StoreSamples.event(0, 62, NOW, List.of(), "")).startsWith("false invalid:"));
        fixture().assertServes(event);
    }

    @Test
    default void theRelayIsKnownByEverySpelling() {
        fixture().serve(vanish(0, NOW, "WSS://Relay.Example.com:443/"), vanish(1, NOW, "wss://relay.example.com"));
    }

    @Test
    default void onlyTheNewestRequestStays() {
        var old = vanish(0, NOW, "ALL_RELAYS");
        var young = vanish(0, NOW + 5, "ALL_RELAYS");
        fixture().serve(old, young);
        fixture().assertServes(young);
        assertTrue(fixture().answer(old).startsWith("false blocked:"));
    }

    @Test
    default void ofTwoEqualRequestsTheLowerIdStaysInEitherOrder() {
        var one = vanish(0, NOW, "ALL_RELAYS");
        var two = vanish(0, NOW, "wss://relay.example.com");
        var lower = one.id().compareTo(two.id()) < 0 ? one : two;
        var higher = lower.equals(one) ? two : one;
        fixture().serve(higher, lower);
        fixture().assertServes(lower);
        assertEquals("false duplicate: have a newer version", fixture().answer(higher));
        assertEquals("true duplicate: already have this event", fixture().answer(lower));
    }

    @Test
    default void aRequestThatWasTakenOutMayComeAgain() {
        var request = vanish(0, NOW, "ALL_RELAYS");
        fixture().serve(request);
        assertTrue(fixture().read(view -> view.findObstacle(request)).isEmpty());
        assertTrue(fixture().did(transaction -> transaction.withdraw(request.id())));
        assertTrue(fixture().answer(vanish(0, NOW - 1, "ALL_RELAYS")).startsWith("false blocked:"));
        fixture().serve(request);
        fixture().assertServes(request);
    }

    @Test
    default void tombstonesOfTheTimeBeforeAreDropped() {
        var future = note(0, NOW + 100, "named before, dated after");
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW + 1, future), vanish(0, NOW + 10, "ALL_RELAYS"));
        fixture().serve(future);
    }

    @Test
    default void tombstonesOfTheTimeAfterStay() {
        var future = note(0, NOW + 100, "named after");
        fixture().serve(note(0, NOW, "known"), deletionOf(0, NOW + 20, future), vanish(0, NOW + 10, "ALL_RELAYS"));
        assertEquals(DeletionContract.BLOCKED, fixture().answer(future));
    }
}
