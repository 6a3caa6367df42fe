package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.Optional;

/// A pull request, kind 1618.
public record PullRequest(Event event) implements Proposal {
    /// @throws IllegalArgumentException if the event is none
    public PullRequest {
        Views.refuse(findDefect(event));
    }

    /// Reads an event.
    public static Parsed<PullRequest> parse(Event event) {
        return findDefect(event)
                .<Parsed<PullRequest>>map(Parsed::invalid)
                .orElseGet(() -> Parsed.valid(new PullRequest(event)));
    }

    /// What it is about.
    public Optional<String> subject() {
        return event.tags().findValue("subject");
    }

    /// A name for a local branch; display only.
    public Optional<String> branchName() {
        return event.tags().findValue("branch-name");
    }

    private static Optional<String> findDefect(Event event) {
        return event.kind() == Kinds.PULL_REQUEST
                ? CommitTag.findDefect(event)
                : Optional.of(Views.wrongKind(event, "a pull request"));
    }
}
