package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import java.util.Optional;

/// A new tip for a pull request, kind 1619.
public record PullRequestUpdate(Event event) implements Proposal {
    /// @throws IllegalArgumentException if the event is none
    public PullRequestUpdate {
        Views.refuse(findDefect(event));
    }

    /// Reads an event.
    public static Parsed<PullRequestUpdate> parse(Event event) {
        return findDefect(event)
                .<Parsed<PullRequestUpdate>>map(Parsed::invalid)
                .orElseGet(() -> Parsed.valid(new PullRequestUpdate(event)));
    }

    /// The pull request it updates: the first `E`, for want of one the first `e`.
    public Optional<EventId> pullRequest() {
        return references().stream().findFirst();
    }

    private static Optional<String> findDefect(Event event) {
        return event.kind() == Kinds.PULL_REQUEST_UPDATE
                ? CommitTag.findDefect(event)
                : Optional.of(Views.wrongKind(event, "a pull request update"));
    }
}
