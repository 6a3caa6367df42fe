package dev.grapnel.nostr.filter;

import dev.grapnel.nostr.event.TagValues;
import dev.grapnel.nostr.event.Tags;

/// One `#x` condition: some tag named by this letter has one of the values as its second element.
public record TagCondition(char letter, TagValues values) {
    /// @throws IllegalArgumentException if the name is not an ASCII letter
    public TagCondition {
        if (!isLetter(letter)) {
            throw new IllegalArgumentException("a tag condition is named by one ASCII letter");
        }
    }

    /// Whether the tags meet it.
    public boolean matches(Tags tags) {
        return values.matchAny(tags, letter);
    }

    static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
