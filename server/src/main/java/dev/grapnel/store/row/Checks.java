package dev.grapnel.store.row;

import dev.grapnel.nostr.Texts;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What rows ask of their parts. Each refusal is an [IllegalArgumentException] with a phrase.
final class Checks {
    /// Most characters of a text that only operators read.
    static final int NOTE_MAX = 500;

    private Checks() {}

    static void kind(Event event, int kind) {
        if (event.kind() != kind) {
            throw new IllegalArgumentException("kind " + event.kind() + " where " + kind + " belongs");
        }
    }

    /// The identifier in the first `d` tag.
    static Identifier identifierOf(Event event) {
        return new Identifier(event.tags().findValue("d").orElse(""));
    }

    static void notNegative(String what, long number) {
        if (number < 0) {
            throw new IllegalArgumentException(what + " is negative");
        }
    }

    /// Text without a UTF-8 form would come back as another one.
    static void text(String what, String text) {
        if (!Texts.isUtf8(text)) {
            throw new IllegalArgumentException(what + " holds half of a surrogate pair");
        }
    }

    /// A copy of a list that is short enough.
    static <T> List<T> most(String what, List<T> list, int max) {
        if (list.size() > max) {
            throw new IllegalArgumentException(list.size() + " " + what + ", and at most " + max + " are kept");
        }
        return List.copyOf(list);
    }

    /// As much of a text as is worth keeping. Never refused: it may be the message of any exception.
    static String note(String text) {
        var utf8 = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        if (utf8.length() <= NOTE_MAX) {
            return utf8;
        }
        boolean insidePair = Character.isHighSurrogate(utf8.charAt(NOTE_MAX - 1));
        return utf8.substring(0, insidePair ? NOTE_MAX - 1 : NOTE_MAX);
    }
}
