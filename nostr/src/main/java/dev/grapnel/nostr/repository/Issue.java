package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.List;
import java.util.Optional;

/// An issue, kind 1621: a text about a repository.
public record Issue(Event event) {
    /// @throws IllegalArgumentException if the event is none
    public Issue {
        Views.refuse(findDefect(event));
    }

    /// Reads an event.
    public static Parsed<Issue> parse(Event event) {
        return findDefect(event).<Parsed<Issue>>map(Parsed::invalid).orElseGet(() -> Parsed.valid(new Issue(event)));
    }

    /// Repositories it is about.
    public List<RepositoryAddress> repositories() {
        return RepositoryAddress.namedBy(event);
    }

    /// What it is about.
    public Optional<String> subject() {
        return event.tags().findValue("subject");
    }

    /// Its labels.
    public List<String> topics() {
        return event.tags().values("t");
    }

    private static Optional<String> findDefect(Event event) {
        return event.kind() == Kinds.ISSUE ? Optional.empty() : Optional.of(Views.wrongKind(event, "an issue"));
    }
}
