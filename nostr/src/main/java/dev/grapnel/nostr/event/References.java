package dev.grapnel.nostr.event;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What an event refers to, as far as anybody looks (service 4.7): there is room for 25,000 tags in one event,
/// and each reference may cost a search or a walk.
public final class References {
    /// Most references of an event that count.
    public static final int MAX = 200;

    private static final String LETTERS = "aAeEq";

    private References() {}

    /// The first of its tags that may name an event or an address, in order.
    public static Stream<Tag> of(Event event) {
        return all(event).limit(MAX).mapToObj(event.tags()::get);
    }

    /// Whether there are more.
    public static boolean areTooMany(Event event) {
        return all(event).skip(MAX).findAny().isPresent();
    }

    private static IntStream all(Event event) {
        var tags = event.tags();
        return IntStream.of(tags.lettered())
                .filter(tag -> LETTERS.chars().anyMatch(letter -> tags.isNamed(tag, (char) letter)));
    }
}
