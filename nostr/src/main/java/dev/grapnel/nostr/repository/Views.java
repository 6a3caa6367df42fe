package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Tags;
import java.util.List;
import java.util.Optional;

/// What values and views that check themselves have in common.
final class Views {
    private Views() {}

    /// Why an event of another kind cannot be read.
    static String wrongKind(Event event, String expected) {
        return "kind " + event.kind() + " is not " + expected;
    }

    /// All elements behind the name, of all tags of that name.
    static List<String> allValues(Tags tags, String name) {
        return tags.named(name).flatMap(tag -> tag.values().stream()).toList();
    }

    /// Throws the reason, if there is one.
    static void refuse(Optional<String> defect) {
        defect.ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }
}
