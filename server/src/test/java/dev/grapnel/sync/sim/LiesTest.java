package dev.grapnel.sync.sim;

import static dev.grapnel.sync.sim.RelayUnderTest.BEGIN;
import static dev.grapnel.sync.sim.RelayUnderTest.comment;
import static dev.grapnel.sync.sim.RelayUnderTest.comments;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Heard;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LiesTest {
    private final RelayUnderTest world = new RelayUnderTest(RelayModels.honest(500));

    private Asker ask(Lies lie, int events) {
        world.relay.lie(lie.make());
        world.fill(events);
        var asker = Asker.dial(world.port, RelayUnderTest.URL);
        world.run();
        asker.request("h1", comments().limit(500).build());
        world.run();
        assertFalse(world.relay.isHonest());
        return asker;
    }

    @Test
    void eoseNeverComes() {
        var asker = ask(Lies.NEVER_EOSE, 3);
        assertEquals(3, asker.events("h1").size());
        assertEquals(List.of(), asker.said());
    }

    @Test
    void eoseComesFirst() {
        var asker = ask(Lies.EOSE_FIRST, 3);
        assertTrue(asker.heard.getFirst() instanceof Heard.Said(RelayMessage.EndOfStored _, var _));
        assertEquals(3, asker.events("h1").size());
        asker.request("l1", comments().limit(0).build());
        world.run();
        world.relay.publish(comment(BEGIN, "live"));
        world.run();
        assertEquals(1, asker.events("l1").size());
    }

    @Test
    void eoseComesTwice() {
        assertEquals(
                Collections.nCopies(2, "[\"EOSE\",\"h1\"]"),
                ask(Lies.EOSE_TWICE, 1).said());
    }

    @Test
    void eoseComesForOthers() {
        assertTrue(ask(Lies.EOSE_OF_OTHERS, 1).said().contains("[\"EOSE\",\"nobody\"]"));
    }

    @Test
    void subscriptionsAreClosedAtRandom() {
        var asker = ask(Lies.CLOSED_AT_RANDOM, 1);
        world.time.runFor(Duration.ofMinutes(11));
        assertTrue(asker.said().getLast().startsWith("[\"CLOSED\",\"h1\""));
    }

    @Test
    void noticesComeInStorms() {
        var asker = ask(Lies.NOTICE_STORM, 1);
        world.time.runFor(Duration.ofMinutes(21));
        assertTrue(asker.said().size() > 1_000);
    }

    @Test
    void someRequestsAreTooMany() {
        var asker = ask(Lies.RATE_LIMITS, 1);
        IntStream.range(0, 500)
                .forEach(number -> asker.request("h" + number, comments().build()));
        world.run();
        assertTrue(asker.said().stream().anyMatch(text -> text.contains("rate-limited: slow down")));
    }

    @Test
    void junkComesBetween() {
        var junk = ask(Lies.JUNK, 300).junk();
        assertTrue(junk.containsAll(List.of("json", "utf8", "event")), junk::toString);
    }

    @Test
    void messagesAreTooLong() {
        assertTrue(ask(Lies.OVERSIZED, 300).junk().contains("size"));
    }

    @Test
    void signaturesAreWrong() {
        var events = ask(Lies.WRONG_SIGNATURES, 2).events("h1");
        assertEquals(
                List.of(false, true, false, true),
                events.stream().map(Event::isSigned).toList());
        assertEquals(events.get(0).id(), events.get(1).id());
    }

    @Test
    void contentIsAltered() {
        var asker = ask(Lies.ALTERED_CONTENT, 2);
        assertEquals(List.of("hash", "hash"), asker.junk());
        assertEquals(2, asker.events("h1").size());
    }

    @Test
    void otherEventsComeAsWell() {
        world.relay.put(StoreSamples.event(2, Kinds.ISSUE, BEGIN, List.of(), "not asked for"));
        var events = ask(Lies.NOT_MATCHING, 2).events("h1");
        assertTrue(events.stream().anyMatch(event -> !comments().build().matches(event)));
    }

    @Test
    void idsDoNotExist() {
        var need = need(Lies.PHANTOMS, NegentropyLimits.DEFAULTS);
        assertTrue(need instanceof NegentropyStep.Complete(var _, var ids) && ids.size() == 50, need::toString);
    }

    @Test
    void roundsDoNotEnd() {
        var last = need(Lies.ENDLESS_ROUNDS, NegentropyLimits.DEFAULTS);
        assertTrue(
                last instanceof NegentropyStep.Exceeded(var limit, var _, var _)
                        && limit == NegentropyStep.Limit.ROUNDS,
                last::toString);
    }

    @Test
    void idsComeInFloods() {
        var last = need(Lies.NEED_FLOOD, NegentropyLimits.DEFAULTS);
        assertTrue(
                last instanceof NegentropyStep.Exceeded(var limit, var _, var _) && limit == NegentropyStep.Limit.NEED,
                last::toString);
    }

    private NegentropyStep need(Lies lie, NegentropyLimits limits) {
        world.relay.lie(lie.make());
        var initiator = new NegentropyInitiator(NegentropyItems.builder(0, 1).seal(), limits);
        world.asker.open("n1", comments().build(), initiator.first());
        while (true) {
            world.asker.heard.clear();
            world.run();
            if (!(world.asker.heard.getFirst()
                    instanceof Heard.Said(RelayMessage.NegMessage(var id, var message), var _))) {
                throw new AssertionError(world.asker.said());
            }
            var step = initiator.next(message);
            if (!(step instanceof NegentropyStep.Continue(var next, var _, var _))) {
                return step;
            }
            world.asker.send(new ClientMessage.NegMessage(new SubscriptionId(id.text()), next));
        }
    }

    @Test
    void limitZeroIsNotUnderstood() {
        world.relay.lie(Lies.LIMIT_ZERO_IGNORED.make());
        world.fill(3);
        world.asker.request("l1", comments().limit(0).build());
        world.run();
        assertEquals(3, world.asker.events("l1").size());
    }

    @Test
    void untilIsNotUnderstood() {
        world.relay.lie(Lies.UNTIL_IGNORED.make());
        world.fill(3);
        world.asker.request("h1", comments().until(5).build());
        world.run();
        assertEquals(3, world.asker.events("h1").size());
    }

    @Test
    void closeIsNotHeard() {
        var asker = ask(Lies.CLOSE_IGNORED, 1);
        asker.close("h1");
        world.run();
        world.relay.publish(comment(BEGIN, "still told"));
        world.run();
        assertEquals(2, asker.events("h1").size());
    }

    @Test
    void theOldestComeFirst() {
        var events = ask(Lies.ASCENDING, 5).events("h1");
        assertTrue(events.getFirst().createdAt() < events.getLast().createdAt());
    }

    @Test
    void theStreamDoesNotEndAndWaitsForItsReader() {
        var asker = ask(Lies.INFINITE_STREAM, 1);
        world.run();
        var events = asker.events("h1");
        assertTrue(events.size() > 1_000);
        assertTrue(events.stream().allMatch(comments().build()::matches));
        assertTrue(events.stream().skip(1).noneMatch(Event::isSigned));
        asker.close("h1");
        world.run();
        int before = asker.heard.size();
        world.run();
        assertEquals(before, asker.heard.size());
    }

    @Test
    void oneEventComesEveryHalfMinute() {
        var asker = ask(Lies.SLOW_DRIP, 3);
        world.time.runFor(Duration.ofMinutes(5));
        assertEquals(11, asker.events("h1").size());
        assertEquals(List.of(), asker.said());
    }
}
