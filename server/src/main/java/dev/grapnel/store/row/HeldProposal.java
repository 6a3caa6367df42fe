package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.PullRequest;
import dev.grapnel.nostr.repository.PullRequestUpdate;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A pull request, or an update of one, whose commit or whose repository is not here (purgatory 1.4).
///
/// @param pushedTo uploads of its commit that could not be released yet
/// @param relay where it came from, if it was synced
public record HeldProposal(
        Event event, Instant heldSince, Instant expiresAt, Source source, List<Upload> pushedTo, Optional<String> relay)
        implements Held {
    /// @throws IllegalArgumentException if the event proposes no commit, or the uploads contradict each other
    public HeldProposal {
        read(event);
        heldSince = Millis.of(heldSince);
        expiresAt = Millis.of(expiresAt);
        pushedTo = Upload.checked(pushedTo);
        relay.ifPresent(url -> Checks.text("the relay", url));
    }

    /// From no relay that is remembered.
    public HeldProposal(Event event, Instant heldSince, Instant expiresAt, Source source, List<Upload> pushedTo) {
        this(event, heldSince, expiresAt, source, pushedTo, Optional.empty());
    }

    /// What it proposes, commit and repositories among it.
    public Proposal proposal() {
        return read(event);
    }

    /// The identifiers of its own `a` tags; an update that has none leans on its pull request.
    @Override
    public List<Identifier> identifiers() {
        return proposal().repositories().stream()
                .map(RepositoryAddress::identifier)
                .distinct()
                .toList();
    }

    /// Submitter and identifier of the contributor endpoint its commit was pushed to.
    public Optional<RepositoryAddress> prsScope() {
        return Upload.findScope(pushedTo);
    }

    @Override
    public HeldProposal withExpiry(Instant time) {
        return new HeldProposal(event, heldSince, time, source, pushedTo, relay);
    }

    @Override
    public HeldProposal withSource(Source other) {
        return new HeldProposal(event, heldSince, expiresAt, other, pushedTo, relay);
    }

    /// The same with other uploads.
    public HeldProposal withPushedTo(List<Upload> uploads) {
        return new HeldProposal(event, heldSince, expiresAt, source, uploads, relay);
    }

    @Override
    public Table table() {
        return Table.HELD_PROPOSALS;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(event.id());
    }

    private static Proposal read(Event event) {
        return event.kind() == Kinds.PULL_REQUEST_UPDATE ? new PullRequestUpdate(event) : new PullRequest(event);
    }
}
