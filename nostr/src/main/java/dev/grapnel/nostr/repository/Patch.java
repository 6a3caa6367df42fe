package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.List;
import java.util.Optional;

/// A patch as git would mail it, kind 1617. Needs no git data.
public record Patch(Event event) {
    /// @throws IllegalArgumentException if the event is none
    public Patch {
        Views.refuse(findDefect(event));
    }

    /// Reads an event.
    public static Parsed<Patch> parse(Event event) {
        return findDefect(event).<Parsed<Patch>>map(Parsed::invalid).orElseGet(() -> Parsed.valid(new Patch(event)));
    }

    /// Repositories it is meant for.
    public List<RepositoryAddress> repositories() {
        return RepositoryAddress.namedBy(event);
    }

    /// Whether it begins a series.
    public boolean isRoot() {
        return event.tags().values("t").contains("root");
    }

    /// Whether it begins a series that replaces an earlier one.
    public boolean isRevision() {
        var topics = event.tags().values("t");
        return topics.contains("root-revision") || topics.contains("revision-root");
    }

    /// The commit it stands for, as written.
    public Optional<String> commit() {
        return event.tags().findValue("commit");
    }

    private static Optional<String> findDefect(Event event) {
        return event.kind() == Kinds.PATCH ? Optional.empty() : Optional.of(Views.wrongKind(event, "a patch"));
    }
}
