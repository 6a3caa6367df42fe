package dev.grapnel.sync.sim;

import static dev.grapnel.sync.sim.RelayUnderTest.BEGIN;
import static dev.grapnel.sync.sim.RelayUnderTest.URL;
import static dev.grapnel.sync.sim.RelayUnderTest.comment;
import static dev.grapnel.sync.sim.RelayUnderTest.comments;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.sim.RelayRecord.Limit;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.world.Heard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SimRelayTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 19, 20, 74, 75, 500})
    void aPageHasTheNewestAndNoMoreThanTheCap(int cap) {
        var world = new RelayUnderTest(RelayModels.honest(cap));
        var events = world.fill(600);
        world.asker.request("h1", comments().limit(5_000).build());
        world.run();
        Collections.reverse(events);
        assertEquals(events.subList(0, cap), world.asker.events("h1"));
        assertEquals(List.of("[\"EOSE\",\"h1\"]"), world.asker.said());
    }

    @Test
    void untilSinceAndLimitCount() {
        var world = new RelayUnderTest(RelayModels.honest(500));
        var events = world.fill(10);
        world.asker.request(
                "h1", comments().since(BEGIN - 8).until(BEGIN - 3).limit(2).build());
        world.run();
        assertEquals(List.of(events.get(7), events.get(6)), world.asker.events("h1"));
    }

    @Test
    void aRelayMayHaveADefaultOfItsOwn() {
        var world = new RelayUnderTest(RelayModels.hundred());
        world.fill(150);
        world.asker.request("h1", comments().build());
        world.asker.request("h2", comments().limit(500).build());
        world.run();
        assertEquals(100, world.asker.events("h1").size());
        assertEquals(150, world.asker.events("h2").size());
    }

    @Test
    void aLiveSubscriptionHearsOnlyOfWhatComes() {
        var world = new RelayUnderTest(RelayModels.honest(500));
        world.fill(3);
        world.asker.request("l1", comments().limit(0).build());
        world.run();
        assertEquals(List.of(), world.asker.events("l1"));
        var fresh = comment(BEGIN - 1_000, "backdated");
        assertTrue(world.relay.publish(fresh));
        assertFalse(world.relay.publish(fresh));
        world.run();
        assertEquals(List.of(fresh), world.asker.events("l1"));
        world.asker.close("l1");
        world.run();
        world.relay.publish(comment(BEGIN, "too late"));
        world.run();
        assertEquals(1, world.asker.events("l1").size());
    }

    @Test
    void olderVersionsGiveWayAndDeletionsCount() {
        var world = new RelayUnderTest(RelayModels.honest(500));
        var older = state(BEGIN - 10);
        var newer = state(BEGIN - 5);
        assertTrue(world.relay.put(newer));
        assertFalse(world.relay.put(older));
        var taken = comment(BEGIN - 20, "taken back");
        world.relay.put(taken);
        world.relay.put(StoreSamples.event(
                1, Kinds.DELETION, BEGIN, List.of(List.of("e", taken.id().toHex())), ""));
        assertFalse(world.relay.put(taken));
        world.relay.put(StoreSamples.event(
                1,
                Kinds.DELETION,
                BEGIN + 1,
                List.of(List.of("a", newer.findAddress().orElseThrow().toString())),
                ""));
        assertEquals(List.of(Kinds.DELETION, Kinds.DELETION), kinds(world.relay.events()));
    }

    @Test
    void aRelayThatKeepsEverythingKeepsEverything() {
        var world = new RelayUnderTest(RelayModels.honest(500).keeping(false, false));
        assertTrue(world.relay.put(state(BEGIN - 5)));
        assertTrue(world.relay.put(state(BEGIN - 10)));
    }

    private static Event state(long createdAt) {
        return StoreSamples.event(1, Kinds.STATE, createdAt, List.of(List.of("d", "x")), "");
    }

    private static List<Integer> kinds(List<Event> events) {
        return events.stream().map(Event::kind).toList();
    }

    // ---- limits

    @Test
    void theExistingServerRefusesInItsWords() {
        var world = new RelayUnderTest(RelayModels.existing());
        var many = Collections.nCopies(21, comments().limit(0).build()).toArray(Filter[]::new);
        world.asker.request("l1", many);
        world.run();
        assertEquals(List.of("[\"CLOSED\",\"l1\",\"rate-limited: too many filters\"]"), world.asker.said());
        assertEquals(1, world.relay.record().count(Limit.FILTERS));
    }

    @Test
    void theOlderOneCountsBytesAndQueries() {
        var world = new RelayUnderTest(RelayModels.existingOlder());
        var wide = wide(900_000);
        world.asker.request("l1", wide);
        world.asker.request("l2", wide);
        world.run();
        assertTrue(world.asker
                .said()
                .contains("[\"CLOSED\",\"l2\",\"rate-limited: active subscriptions exceed max size 1048576 bytes\"]"));
        IntStream.range(0, 200).forEach(_ -> world.asker.request("h", comments().build()));
        world.run();
        assertTrue(world.asker.said().contains("[\"CLOSED\",\"h\",\"rate-limited: too many queries\"]"));
        assertEquals(82, world.relay.record().count(Limit.QUERIES));
        world.time.runFor(Duration.ofMinutes(1));
        world.asker.request("h9", comments().build());
        world.run();
        assertTrue(world.asker.said().contains("[\"EOSE\",\"h9\"]"));
    }

    private static Filter wide(int bytes) {
        return Filter.builder()
                .tag(
                        'q',
                        IntStream.range(0, bytes / 103)
                                .mapToObj("%0100d"::formatted)
                                .toList())
                .limit(0)
                .build();
    }

    @Test
    void theExistingServerClosesWhatIsSatisfiedWithoutAWord() {
        var world = new RelayUnderTest(RelayModels.existing());
        var events = world.fill(2);
        world.asker.request("i1", byId(events.get(0).id(), events.get(1).id()));
        world.asker.request("i2", byId(events.get(0).id(), new EventId(1, 2, 3, 4)));
        world.run();
        assertEquals(List.of("[\"EOSE\",\"i1\"]", "[\"CLOSED\",\"i1\",\"\"]", "[\"EOSE\",\"i2\"]"), world.asker.said());
        assertEquals(1, world.relay.record().usages().getFirst().subscriptions);
    }

    private static Filter byId(EventId... ids) {
        return Filter.builder().ids(List.of(ids)).build();
    }

    @Test
    void theExistingServerEndsLiveSubscriptionsOfWhoIsTooSlow() {
        var world = new RelayUnderTest(RelayModels.existing());
        world.asker.request("l1", comments().limit(0).build());
        world.run();
        world.relay.lag();
        world.run();
        assertEquals(
                "[\"CLOSED\",\"l1\",\"error: live event buffer overflow; resubscribe to recover stored events\"]",
                world.asker.said().getLast());
    }

    @Test
    void theExistingServerDropsFramesInSilence() {
        var world = new RelayUnderTest(RelayModels.existing());
        world.time.runFor(Duration.ofMinutes(1));
        IntStream.range(0, 6_100).forEach(_ -> world.asker.close("nothing"));
        world.asker.request("h1", comments().build());
        world.run();
        assertEquals(101, world.relay.record().count(Limit.FRAMES));
        assertEquals(List.of(), world.asker.said());
    }

    @Test
    void strfryRefusesSlotsByNoticeAndCountsSessionsWithThem() {
        var world = new RelayUnderTest(RelayModels.strfry());
        IntStream.range(0, 19)
                .forEach(number ->
                        world.asker.request("l" + number, comments().limit(0).build()));
        world.asker.open(
                "n1", comments().build(), first(NegentropyItems.builder(0, 1).seal()));
        world.asker.open(
                "n2", comments().build(), first(NegentropyItems.builder(0, 1).seal()));
        world.asker.request("l99", comments().limit(0).build());
        world.run();
        assertEquals(
                List.of(
                        "[\"NOTICE\",\"ERROR: too many concurrent NEG requests\"]",
                        "[\"NOTICE\",\"ERROR: too many concurrent REQs\"]"),
                world.asker.said().stream()
                        .filter(text -> text.contains("NOTICE"))
                        .toList());
        assertEquals(20, world.relay.record().usages().getFirst().slotsMost);
        world.asker.close("l3");
        world.asker.request("l99", comments().limit(0).build());
        world.run();
        assertEquals("[\"EOSE\",\"l99\"]", world.asker.said().getLast());
    }

    private static Bytes first(NegentropyItems items) {
        return new NegentropyInitiator(items, NegentropyLimits.DEFAULTS).first();
    }

    @Test
    void strfryTakesNoMoreThanItsBytesOfValuesAndHangsUpOnLongMessages() {
        var world = new RelayUnderTest(RelayModels.strfry());
        world.asker.request("h1", wide(70_000));
        world.run();
        assertEquals(
                List.of("[\"CLOSED\",\"h1\",\"ERROR: bad req: error parsing filter: total filter items too large\"]"),
                world.asker.said());
        world.asker.request("h2", wide(140_000));
        world.run();
        assertEquals(List.of("lost Broken"), world.asker.ends);
    }

    @Test
    void smallRelaysRefuseEachInItsWords() {
        assertRefusal(RelayModels.small(), 11, 1, "error: max concurrent subscription count reached");
        assertRefusal(RelayModels.small(), 1, 11, "error: number of filters exceeds maximum of 10");
        assertRefusal(
                RelayModels.threeFilters(),
                1,
                4,
                "ERROR: bad req: filter validation failed: invalid number of filters: 4");
        assertRefusal(RelayModels.withoutLimitZero(), 1, 1, "invalid: limit must be a positive number");
        assertRefusal(RelayModels.banning(), 129, 1, "error: too many subscriptions");
    }

    private static void assertRefusal(RelayModel model, int subscriptions, int filters, String text) {
        var world = new RelayUnderTest(model);
        var all = Collections.nCopies(filters, comments().limit(0).build()).toArray(Filter[]::new);
        IntStream.range(0, subscriptions).forEach(number -> world.asker.request("l" + number, all));
        world.run();
        assertEquals(
                "[\"CLOSED\",\"l" + (subscriptions - 1) + "\",\"" + text + "\"]",
                world.asker.said().getLast());
    }

    @Test
    void whoComesBackTooSoonIsKeptOut() {
        var world = new RelayUnderTest(RelayModels.banning());
        world.asker.line().close();
        var again = Asker.dial(world.port, URL);
        world.time.runFor(Duration.ofSeconds(3));
        assertTrue(again.isOpen());
        again.line().close();
        Asker.dial(world.port, URL);
        var third = Asker.dial(world.port, URL);
        world.run();
        assertEquals(List.of("ConnectFailed"), third.ends);
        world.time.runFor(Duration.ofMinutes(11));
        var last = Asker.dial(world.port, URL);
        world.run();
        assertTrue(last.isOpen());
    }

    @Test
    void whoMustAuthenticateIsToldSoAndThenAnswered() {
        var world = new RelayUnderTest(RelayModels.authenticating());
        world.fill(1);
        world.asker.request("h1", comments().build());
        world.run();
        assertEquals(
                List.of("[\"AUTH\",\"challenge-1\"]", "[\"CLOSED\",\"h1\",\"auth-required: you must auth\"]"),
                world.asker.said());
        world.asker.send(new ClientMessage.Authenticate(StoreSamples.event(
                7,
                Kinds.RELAY_AUTH,
                BEGIN,
                List.of(List.of("relay", URL.text()), List.of("challenge", "challenge-1")),
                "")));
        world.asker.request("h2", comments().build());
        world.run();
        assertEquals(1, world.asker.events("h2").size());
    }

    @Test
    void limitsAreDisclosedOrNot() {
        assertTrue(RelayModels.small().information().isEmpty());
        var disclosed = RelayModels.small().disclosing().information().orElseThrow();
        assertEquals(10, disclosed.subscriptionsMax().orElseThrow());
        assertEquals(10, disclosed.filtersMax().orElseThrow());
        assertTrue(RelayModels.grapnel().information().orElseThrow().isGrasp());
        assertEquals(
                1_000_000,
                RelayModels.boasting().information().orElseThrow().messageMax().orElseThrow());
    }

    // ---- negentropy

    @Test
    void negentropyFindsWhatIsMissing() {
        var world = new RelayUnderTest(RelayModels.honest(500));
        var events = world.fill(300);
        var ours = NegentropyItems.builder(16, 1_000);
        events.stream().skip(10).forEach(event -> ours.add(event.createdAt(), event.id()));
        var needed = reconcile(world, new NegentropyInitiator(ours.seal(), NegentropyLimits.DEFAULTS));
        assertEquals(
                events.stream().limit(10).map(Event::id).sorted().toList(),
                needed.stream().sorted().toList());
        assertEquals(1, world.relay.record().count(Purpose.NEGENTROPY));
    }

    private static List<EventId> reconcile(RelayUnderTest world, NegentropyInitiator initiator) {
        var needed = new ArrayList<EventId>();
        var id = new SubscriptionId("n1");
        world.asker.open("n1", comments().build(), initiator.first());
        for (int round = 0; round < 100; round++) {
            world.asker.heard.clear();
            world.run();
            if (!(world.asker.heard.getFirst()
                    instanceof Heard.Said(RelayMessage.NegMessage(var _, var message), var _))) {
                throw new AssertionError(world.asker.said());
            }
            switch (initiator.next(message)) {
                case NegentropyStep.Continue(var next, var _, var need) -> {
                    needed.addAll(need);
                    world.asker.send(new ClientMessage.NegMessage(id, next));
                }
                case NegentropyStep.Complete(var _, var need) -> {
                    needed.addAll(need);
                    return needed;
                }
                case NegentropyStep other -> throw new AssertionError(other);
            }
        }
        throw new AssertionError("it does not end");
    }

    @Test
    void relaysWithoutNegentropySaySoInManyWays() {
        for (var way : RelayModels.WITHOUT_NEGENTROPY) {
            var world = new RelayUnderTest(RelayModels.honest(500).negentropy(way));
            world.asker.open(
                    "n1",
                    comments().build(),
                    first(NegentropyItems.builder(0, 1).seal()));
            world.run();
            assertEquals(
                    way instanceof RelayModel.Negentropy.Silence ? 0 : 1,
                    world.asker.said().size());
        }
    }

    @Test
    void theExistingServerCountsSessionsAndItems() {
        var world = new RelayUnderTest(RelayModels.existing().negItems(100, "rate-limited: too many negentropy items"));
        world.fill(60);
        var first = first(NegentropyItems.builder(0, 1).seal());
        world.asker.open("n1", comments().build(), first);
        world.asker.open("n2", comments().build(), first);
        world.run();
        assertEquals(
                "[\"NEG-ERR\",\"n2\",\"rate-limited: too many negentropy items\",100]",
                world.asker.said().getLast());
        IntStream.range(0, 10).forEach(number -> world.asker.open("e" + number, byId(), first));
        world.run();
        assertEquals(
                "[\"NEG-ERR\",\"e9\",\"rate-limited: too many negentropy subscriptions\"]",
                world.asker.said().getLast());
    }

    // ---- what it remembers

    @Test
    void whatWasAskedIsWrittenDown() {
        var world = new RelayUnderTest(RelayModels.honest(500));
        world.asker.request("a1", comments().limit(0).build());
        world.asker.request("h1", comments().limit(500).build());
        world.asker.request("c1", comments().since(5).build());
        world.asker.request("i1", byId(new EventId(1, 1, 1, 1)));
        world.run();
        var record = world.relay.record();
        assertEquals(
                List.of(Purpose.LIVE, Purpose.HISTORIC, Purpose.CATCH_UP, Purpose.IDS),
                record.requests().stream().map(RelayRecord.Request::purpose).toList());
        var usage = record.usages().getFirst();
        assertEquals(4, usage.slotsMost);
        assertEquals(record.requests().getFirst().bytes(), usage.liveBytesMost);
        assertEquals(4, usage.frames);
    }
}
