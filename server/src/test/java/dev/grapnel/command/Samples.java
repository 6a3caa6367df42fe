package dev.grapnel.command;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Events to move in and out.
final class Samples {
    /// A date long past.
    static final long DATE = 1_700_000_000;

    private Samples() {}

    static Event note(int author, long createdAt, String content) {
        return StoreSamples.event(author, 1, createdAt, List.of(), content);
    }

    static Event event(int kind, List<List<String>> tags) {
        return StoreSamples.event(1, kind, DATE, tags, "");
    }

    /// A mix in which no event makes another one leave.
    static List<Event> lasting(int count) {
        var chance = new Random(count);
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            var text = "Grüße Nr. " + i + " \u0001\"\\ 🦀 " + "x".repeat(chance.nextInt(200));
            events.add(StoreSamples.event(
                    chance.nextInt(7),
                    List.of(1, 7, 1621, 30617).get(chance.nextInt(4)),
                    DATE + chance.nextInt(1_000),
                    List.of(List.of("d", "number " + i), List.of("t", "topic" + i % 5)),
                    text));
        }
        return events;
    }

    /// Versions that are replaced, whose successors are deleted by their ids, and notes: an event that is
    /// stored again after all of them brings an old version back.
    static List<Event> fragile(int count) {
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            var tags = List.of(List.of("d", "name" + i));
            var successor = StoreSamples.event(1, 30618, DATE + 1, tags, "second");
            events.add(StoreSamples.event(1, 30618, DATE, tags, "first"));
            events.add(successor);
            events.add(note(2, DATE, "number " + i));
            events.add(StoreSamples.event(
                    1, 5, DATE + 2, List.of(List.of("e", successor.id().toHex())), ""));
        }
        return events;
    }

    /// A mix in which newer versions replace older ones, in any order.
    static List<Event> replacing(int count) {
        var chance = new Random(count);
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            events.add(StoreSamples.event(
                    chance.nextInt(7),
                    List.of(0, 1, 30618, 10002).get(chance.nextInt(4)),
                    DATE + chance.nextInt(100_000),
                    List.of(List.of("d", "name" + chance.nextInt(50))),
                    "version " + i + "y".repeat(chance.nextInt(300))));
        }
        return events;
    }
}
