package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What a repository is called by its owner: the `d` tag (service 2.4). It may become a file name and part of
/// a URL, so what would be dangerous there is no identifier. Not unique: every owner may use it.
public record Identifier(String text) implements Comparable<Identifier> {
    /// Most bytes of UTF-8.
    public static final int BYTES_MAX = 200;

    /// @throws IllegalArgumentException if this is no identifier
    public Identifier {
        Views.refuse(findDefect(text));
    }

    /// Reads the text as it is.
    public static Parsed<Identifier> parse(String text) {
        return findDefect(text)
                .<Parsed<Identifier>>map(Parsed::invalid)
                .orElseGet(() -> Parsed.valid(new Identifier(text)));
    }

    /// Reads the first `d` tag.
    static Parsed<Identifier> of(Event event) {
        return event.tags()
                .findValue("d")
                .map(Identifier::parse)
                .orElseGet(() -> Parsed.invalid("no d tag with an identifier"));
    }

    @Override
    public int compareTo(Identifier other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }

    private static Optional<String> findDefect(String text) {
        if (text.isEmpty()) {
            return Optional.of("the identifier is empty");
        }
        if (text.length() > BYTES_MAX || text.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            return Optional.of("the identifier has more than " + BYTES_MAX + " bytes");
        }
        if (text.equals(".") || text.equals("..")) {
            return Optional.of("the identifier is . or ..");
        }
        return text.codePoints().allMatch(Identifier::isAllowed)
                ? Optional.empty()
                : Optional.of("the identifier has a slash, a backslash or a control character");
    }

    private static boolean isAllowed(int c) {
        boolean halfPair = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return c > 0x1f && c != 0x7f && c != '/' && c != '\\' && !halfPair;
    }
}
