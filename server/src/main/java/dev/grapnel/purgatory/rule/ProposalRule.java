package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Pull requests and updates of them (service 4.6, purgatory 2.4). All that are taken wait: whether their
/// commit is here is looked at afterwards.
final class ProposalRule {
    private final AcceptanceRules rules;
    private final Pools pools;

    ProposalRule(AcceptanceRules rules, Pools pools) {
        this.rules = rules;
        this.pools = pools;
    }

    Verdict judge(Arrival arrival, StoreView view) {
        return switch (Targets.read(arrival.event())) {
            case Parsed.Invalid<Proposal>(var reason) -> Verdict.refuse(Refusal.invalid(reason));
            case Parsed.Valid<Proposal>(var proposal) -> judge(proposal, arrival, view);
        };
    }

    private Verdict judge(Proposal proposal, Arrival arrival, StoreView view) {
        var targets = Targets.of(proposal, view);
        if (targets.isEmpty() && !namesSomething(arrival.event())) {
            return Verdict.refuse(Refusal.invalid("no repository named"));
        }
        boolean isRelated = targets.stream().anyMatch(target -> isAnnounced(target, view))
                || new Anchors(view).relate(arrival.event());
        if (!isRelated) {
            return Verdict.refuse(Refusals.UNRELATED, Cause.ORPHAN);
        }
        var placeholder = findPlaceholder(proposal, view);
        var uploads = placeholder.map(row -> fitting(row, proposal)).orElse(List.of());
        boolean isToWait = uploads.isEmpty() && !arrival.hasData(); // others wait for a moment only
        if (isToWait && ExpiredMemory.refuses(arrival, view)) {
            return new Verdict.RefuseWaiting(Refusals.EXPIRED, Cause.EXPIRED);
        }
        return isToWait && isFull(proposal, arrival, view)
                ? new Verdict.RefuseWaiting(HeldLimits.FULL, Cause.TRANSIENT)
                : hold(proposal, arrival, view, placeholder, uploads);
    }

    /// Whether it names a repository, though maybe by an identifier that none here can have.
    private static boolean namesSomething(Event event) {
        return event.tags().stream()
                .filter(tag -> tag.name().equals("a") && tag.size() > 1)
                .flatMap(tag -> Address.parse(tag.element(1)).find().stream())
                .anyMatch(address -> address.kind() == Kinds.ANNOUNCEMENT
                        && !address.identifier().isEmpty());
    }

    private boolean isAnnounced(RepositoryAddress target, StoreView view) {
        return pools.seenBy(view, target.identifier()).find(target.owner()).isPresent();
    }

    private boolean isFull(Proposal proposal, Arrival arrival, StoreView view) {
        var limits = rules.limits();
        var author = proposal.event().author();
        return view.count(Table.HELD_PROPOSALS) >= HeldLimits.share(limits.proposals(), arrival)
                || (proposal.repositories().isEmpty()
                        && pools.countNameless(author, view) >= limits.proposalsPerAuthor())
                || proposal.repositories().stream()
                        .map(RepositoryAddress::identifier)
                        .distinct()
                        .anyMatch(identifier -> waiting(author, identifier, view) >= limits.proposalsPerAuthor());
    }

    private long waiting(PublicKey author, Identifier identifier, StoreView view) {
        return pools.seenBy(view, identifier).proposals().stream()
                .filter(other -> other.author().equals(author))
                .count();
    }

    /// What was pushed for it; one that is still being received counts for nothing (P-240).
    private static Optional<Placeholder> findPlaceholder(Proposal proposal, StoreView view) {
        return view.count(Table.PLACEHOLDERS) == 0
                ? Optional.empty()
                : view.findRow(
                                Table.PLACEHOLDERS,
                                RowKeys.event(proposal.event().id()))
                        .map(row -> (Placeholder) row)
                        .filter(row -> !row.isReceiving());
    }

    private static List<Upload> fitting(Placeholder row, Proposal proposal) {
        return isMatch(row, proposal)
                ? row.pushedTo().stream()
                        .filter(upload -> !upload.receiving() && fits(upload, proposal))
                        .toList()
                : List.of();
    }

    private static boolean isMatch(Placeholder row, Proposal proposal) {
        return proposal.tip().filter(row.commit()::equals).isPresent();
    }

    /// R4 to R7: what fits goes on waiting with the event, the rest is let go.
    private Verdict hold(
            Proposal proposal,
            Arrival arrival,
            StoreView view,
            Optional<Placeholder> placeholder,
            List<Upload> uploads) {
        var time = pools.time();
        var effects = new ArrayList<>(ExpiredMemory.lifting(arrival, view));
        placeholder.ifPresent(row -> effects.add(
                isMatch(row, proposal) ? new Effect.Remove(row) : new Effect.Mismatch(row, proposal.commit())));
        var source = arrival.isSynced() ? Source.SYNC : Source.DIRECT;
        var deadline = time.wallAt(time.after(rules.expiry()));
        return new Verdict.Hold(
                new HeldProposal(proposal.event(), time.wall(), deadline, source, uploads, arrival.relay()), effects);
    }

    /// R7: what was pushed through the contributors' door counts only if its submitter signed the proposal.
    private static boolean fits(Upload upload, Proposal proposal) {
        return switch (upload.endpoint()) {
            case REPOSITORY -> true;
            case CONTRIBUTOR ->
                upload.repository().owner().equals(proposal.event().author())
                        && proposal.repositories().stream()
                                .anyMatch(target -> target.identifier()
                                        .equals(upload.repository().identifier()));
        };
    }
}
