package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// Two peers talk until the initiator is done; what they said and found is kept.
final class Session {
    private static final int ROUNDS_MAX = 100_000;

    final Set<EventId> have = new HashSet<>();
    final Set<EventId> need = new HashSet<>();
    final List<Bytes> asked = new ArrayList<>();
    final List<Bytes> answered = new ArrayList<>();
    private final String description;

    private Session(String description) {
        this.description = description;
    }

    static Session run(
            NegentropyItems initiating,
            int frameOfInitiator,
            NegentropyItems responding,
            int frame,
            String description) {
        var session = new Session(description);
        var limits = new NegentropyLimits(frameOfInitiator, ROUNDS_MAX, Integer.MAX_VALUE);
        session.run(new NegentropyInitiator(initiating, limits), new NegentropyResponder(responding, frame));
        session.assertWithin(session.asked, frameOfInitiator);
        session.assertWithin(session.answered, frame);
        return session;
    }

    int rounds() {
        return asked.size();
    }

    void assertFound(Collection<Item> initiating, Collection<Item> responding) {
        assertSame(idsOnlyIn(initiating, responding), have, "have");
        assertSame(idsOnlyIn(responding, initiating), need, "need");
    }

    /// Every fingerprint and every list in a message is that of exactly the sender's items in its range; the
    /// final fingerprint of a full frame is no exception. Nothing follows a bound at infinity.
    void assertTruthful(Collection<Item> initiating, Collection<Item> responding) {
        asked.forEach(message -> assertTruthful(message, initiating));
        answered.forEach(message -> assertTruthful(message, responding));
    }

    static Set<EventId> idsOnlyIn(Collection<Item> these, Collection<Item> those) {
        var ids = new HashSet<EventId>();
        these.forEach(item -> ids.add(item.id()));
        those.forEach(item -> ids.remove(item.id()));
        return ids;
    }

    /// Says how many are wrong; printing all of them would hide it.
    private void assertSame(Set<EventId> expected, Set<EventId> actual, String name) {
        assertTrue(
                expected.equals(actual),
                () -> expected.size() + " expected, " + actual.size() + " found, " + name + ", " + description);
    }

    private void run(NegentropyInitiator initiator, NegentropyResponder responder) {
        var message = initiator.first();
        boolean open = true;
        while (open) {
            asked.add(message);
            var answer = responder.respond(message).require();
            answered.add(answer);
            switch (initiator.next(answer)) {
                case NegentropyStep.Continue(var next, var have, var need) -> {
                    note(have, need);
                    message = next;
                }
                case NegentropyStep.Complete(var have, var need) -> {
                    note(have, need);
                    open = false;
                }
                case NegentropyStep.Exceeded e -> fail(e.limit() + ", " + description);
                case NegentropyStep.Invalid(var reason) -> fail(reason + ", " + description);
                case NegentropyStep.UnsupportedVersion v -> fail(v + ", " + description);
            }
        }
    }

    private void note(List<EventId> moreHave, List<EventId> moreNeed) {
        moreHave.forEach(id -> assertTrue(have.add(id), () -> "have repeats " + id + ", " + description));
        moreNeed.forEach(id -> assertTrue(need.add(id), () -> "need repeats " + id + ", " + description));
    }

    private void assertWithin(List<Bytes> messages, int limit) {
        if (limit != 0) {
            messages.forEach(message -> assertTrue(
                    message.length() <= limit, () -> message.length() + " bytes, limit " + limit + ", " + description));
        }
    }

    private void assertTruthful(Bytes message, Collection<Item> items) {
        var rest = new ArrayList<>(new TreeSet<>(items));
        for (var span : NaivePeer.parse(message)) {
            boolean last = span.endsAt() == message.length();
            assertTrue(
                    last || !span.end().timestamp().equals(NaivePeer.INFINITY), () -> "after infinity, " + description);
            var mine = NaivePeer.takeBelow(span.end(), rest);
            switch (span.mode()) {
                case 1 -> assertEquals(NaivePeer.fingerprint(mine), span.fingerprint(), description);
                case 2 -> assertEquals(mine.stream().map(Item::id).toList(), span.ids(), description);
                default -> assertEquals(0, span.mode(), description);
            }
        }
    }

    /// Feeds both peers' messages to whoever wants to compare them.
    void forEachRound(BiConsumer<Bytes, Bytes> check) {
        for (int i = 0; i < asked.size(); i++) {
            check.accept(asked.get(i), answered.get(i));
        }
    }
}
