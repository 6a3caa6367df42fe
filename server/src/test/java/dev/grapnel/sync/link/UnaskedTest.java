package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.world.Mutation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What relays send and nobody asked for (sync R4.24, R7.1, R7.2; test 126).
final class UnaskedTest {
    private static final SubscriptionId UNKNOWN = new SubscriptionId("zz");
    private static final int HUGE = 5 << 20;

    private static Event about(String value, long number) {
        return event(1111, number, "a", value);
    }

    private static void junk(OneRelay world, int count) {
        for (int i = 0; i < count; i++) {
            world.relay.say(new RelayMessage.Delivery(UNKNOWN, about("nothing", i)));
        }
        world.seconds(0.1);
    }

    private static List<String> reasons(OneRelay world) {
        return world.linkNotes(LinkNote.Junk.class).stream()
                .map(LinkNote.Junk::reason)
                .toList();
    }

    @Test
    void anEventThatDoesNotMatchItsLiveSubscriptionIsDroppedAndCounted() {
        var world = new OneRelay().announce(1).settled();
        var other = about(repo(2).toString(), 1);
        var id = world.relay.liveIds().getLast();
        world.relay.say(new RelayMessage.Delivery(new SubscriptionId(id), other));
        world.seconds(1);
        assertEquals(0, world.home.timesAdmitted(other));
        assertEquals(List.of("unasked"), reasons(world));
    }

    @Test
    void anEventThatDoesNotMatchItsRequestIsDroppedAndCounted() {
        var world = new OneRelay().announce(1);
        var other = about(repo(2).toString(), 1);
        var early = about(repo(1).toString(), 2);
        var asked = new AtomicReference<>("");
        world.relay.manner(one -> {
            if (one.isHistoric() && one.letters().equals("A")) { // asks by another letter
                asked.set(one.id().text());
                world.relay.say(new RelayMessage.Delivery(one.id(), other));
                world.relay.say(new RelayMessage.Delivery(one.id(), early));
            }
            world.relay.serve(one);
        });
        world.settled();
        assertEquals(0, world.home.timesAdmitted(other) + world.home.timesAdmitted(early));
        assertEquals(List.of("unasked", "unasked"), reasons(world));
        assertEquals(
                1, world.relay.asked(one -> one.id().text().equals(asked.get())).size());
        assertEquals(LinkState.CONNECTED, world.state(), "and such a page is empty");
    }

    /// Everybody may date an answer back; what a relay was asked about is streamed until all is packed anew (R2.6).
    @Test
    void anAnswerThatAnOlderOneReplacedIsNoFaultOfTheRelays() {
        var world = new OneRelay().announce(1).root(1, 1).comment(2, 1);
        for (int number = 0; number < 500; number++) {
            world.comment(1_000 + number, 2);
        }
        world.settled();
        var last = OneRelay.id(1_499);
        assertTrue(world.relay.liveFilters().stream()
                .anyMatch(filter -> FarRelay.valuesOf(filter, 'e').contains(last.toHex())));
        world.home.serve(
                new Mutation.MemberServed(OneRelay.id(3_000), 1, Optional.empty(), List.of(OneRelay.id(2)), List.of()));
        world.seconds(10);
        var id = new SubscriptionId(world.relay.liveIds().getLast());
        for (int number = 0; number < 101; number++) {
            world.relay.say(new RelayMessage.Delivery(id, event(1111, number, "e", last.toHex())));
        }
        world.seconds(1);
        assertEquals(List.of(), reasons(world));
        assertTrue(world.relay.isConnected());
    }

    @Test
    void aHundredThatNobodyAskedForAreBorneInAMinute() {
        var world = new OneRelay().announce(1).settled();
        for (int minute = 0; minute < 3; minute++) {
            junk(world, 100);
            world.seconds(60);
        }
        assertEquals(1, world.relay.opened());
        assertEquals(300, reasons(world).size());
    }

    /// Whenever that minute begins.
    @Test
    void moreThanAHundredInAnyMinuteEndTheConnectionAsAFailure() {
        var world = new OneRelay().announce(1).settled();
        junk(world, 1);
        world.seconds(58);
        junk(world, 99);
        world.seconds(3);
        assertTrue(world.relay.isConnected());
        junk(world, 2);
        assertFalse(world.link().isUp());
        var lost = world.notes(SyncNote.Disconnected.class).getLast();
        assertEquals(Link.FLOODED, lost.reason());
        assertEquals(1, world.picture().failures());
    }

    private static RelayMessage idle(String kind, int number) {
        return switch (kind) {
            case "EOSE" -> new RelayMessage.EndOfStored(UNKNOWN, RelayMessage.Completeness.UNSTATED);
            case "AUTH" -> new RelayMessage.Challenge("challenge " + number);
            case "CLOSED" -> new RelayMessage.Closed(UNKNOWN, "error: nothing");
            case "EVENT" -> new RelayMessage.Delivery(UNKNOWN, about("nothing", number));
            default -> new RelayMessage.Notice("hello");
        };
    }

    /// Few messages may be much to read: a relay sent thirteen gigabytes of them within a minute.
    @ParameterizedTest
    @ValueSource(strings = {"EOSE", "AUTH", "CLOSED", "EVENT", "NOTICE"})
    void moreThanSixtyFourMegabytesInAMinuteThatAnswerNothingEndTheConnectionAsAFailure(String kind) {
        var world = new OneRelay().announce(1).settled();
        for (int i = 0; i < 12; i++) {
            world.relay.say(idle(kind, i), HUGE);
        }
        world.seconds(20);
        assertTrue(world.relay.isConnected());
        assertEquals(1, world.linkNotes(LinkNote.Chatter.class).size(), "people are told");
        world.relay.say(idle(kind, 12), HUGE);
        world.seconds(1);
        assertFalse(world.link().isUp());
        assertEquals(
                Link.FLOODED, world.notes(SyncNote.Disconnected.class).getLast().reason());
        assertEquals(1, world.picture().failures());
    }

    @Test
    void whatAnswersNothingIsBorneIfItComesSlowly() {
        var world = new OneRelay().announce(1).settled();
        for (int i = 0; i < 40; i++) {
            world.relay.say(new RelayMessage.Notice("hello"), HUGE);
            world.seconds(6);
        }
        assertEquals(1, world.relay.opened());
    }

    /// An event that waits at the gate, and the id of the request that it came for.
    private static SubscriptionId undecided(OneRelay world) {
        world.home.isShut = true;
        var first = about(repo(1).toString(), 1);
        var asked = new AtomicReference<>(UNKNOWN);
        world.relay.manner(one -> {
            if (one.isHistoric() && one.letters().equals("a")) {
                asked.set(one.id());
                world.relay.say(new RelayMessage.Delivery(one.id(), first));
            } else {
                world.relay.serve(one);
            }
        });
        world.start();
        world.seconds(10);
        return asked.get();
    }

    /// They were kept, however many, until the event was decided.
    @ParameterizedTest
    @ValueSource(strings = {"EOSE", "CLOSED"})
    void whatEndsARequestIsKeptOnceHoweverOftenItIsTold(String kind) {
        var world = new OneRelay().announce(1);
        var id = undecided(world);
        int before = world.link().work().arrived().undecided();
        for (int i = 0; i < 5_000; i++) {
            world.relay.say(
                    kind.equals("EOSE")
                            ? new RelayMessage.EndOfStored(id, RelayMessage.Completeness.UNSTATED)
                            : new RelayMessage.Closed(id, ""));
        }
        world.seconds(1);
        assertEquals(before + 1, world.link().work().arrived().undecided());
        assertEquals(1, world.linkNotes(LinkNote.Chatter.class).size(), "the others answer nothing");
        world.relay.honest();
        world.home.open();
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(0, world.link().work().arrived().undecided());
    }

    @Test
    void aRequestThatIsAskedAgainEndsAgain() {
        var world = new OneRelay().announce(1);
        var id = undecided(world);
        world.relay.close(id, "error: no luck today");
        world.relay.honest();
        world.home.open();
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    private static OneRelay withSurplus() {
        var world = new OneRelay().announceMany(20).settled();
        world.unannounce(2);
        world.seconds(10);
        return world;
    }

    /// One filter for all.
    private static OneRelay wide() {
        var world =
                new OneRelay().liveFilters(20).announce(1).roots(1, 6_000, 1).settled();
        assertEquals(GivenUp.WIDE_PLAN, world.picture().link().givenUp());
        return world;
    }

    private static SubscriptionId widest(OneRelay world) {
        return world.relay.connection().open.entrySet().stream()
                .filter(entry -> entry.getKey().text().startsWith("l"))
                .filter(entry -> entry.getValue().stream()
                        .anyMatch(filter ->
                                filter.tags().isEmpty() || world.link().plan().hasSurplus()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooMuchOfWhatIsWantedNoMoreEndsTheConnectionToo(boolean isWide) {
        var world = isWide ? wide() : withSurplus();
        var id = widest(world);
        for (int i = 0; i < 12; i++) {
            world.relay.say(new RelayMessage.Delivery(id, about("nothing", i)), HUGE);
        }
        world.seconds(20);
        assertTrue(world.relay.isConnected());
        world.relay.say(new RelayMessage.Delivery(id, about("nothing", 12)), HUGE);
        world.seconds(1);
        assertFalse(world.link().isUp());
        assertEquals(List.of(), reasons(world), "it is no junk");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyEventsThatAreWantedNoMoreAreBorne(boolean isWide) {
        var world = isWide ? wide() : withSurplus();
        var id = widest(world);
        for (int i = 0; i < 12_000; i++) {
            world.relay.say(new RelayMessage.Delivery(id, about("nothing", i)));
        }
        world.seconds(20);
        assertEquals(1, world.relay.opened());
        assertEquals(List.of(), reasons(world));
    }
}
