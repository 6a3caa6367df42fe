package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.List;
import java.util.Optional;

/// The GRASP servers a user prefers, kind 10317 (service 4.8).
public record GraspList(Event event) {
    /// Tags that are looked at.
    public static final int TAGS_MAX = 100;

    /// @throws IllegalArgumentException if the event is none
    public GraspList {
        Views.refuse(findDefect(event));
    }

    /// Reads an event.
    public static Parsed<GraspList> parse(Event event) {
        return findDefect(event)
                .<Parsed<GraspList>>map(Parsed::invalid)
                .orElseGet(() -> Parsed.valid(new GraspList(event)));
    }

    /// Servers as written, best first.
    public List<String> servers() {
        return event.tags()
                .named("g")
                .limit(TAGS_MAX)
                .flatMap(tag -> tag.value().stream())
                .toList();
    }

    private static Optional<String> findDefect(Event event) {
        return event.kind() == Kinds.GRASP_LIST
                ? Optional.empty()
                : Optional.of(Views.wrongKind(event, "a grasp list"));
    }
}
