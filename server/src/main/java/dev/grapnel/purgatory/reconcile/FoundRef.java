package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.util.List;

/// A ref of a proposal in a repository of the existing server, and what becomes of it (purgatory P-715).
///
/// @param target what it names
record FoundRef(RefName name, Oid target, Fate fate) {
    /// What becomes of it.
    sealed interface Fate {
        /// Its event is served and proposes this commit.
        record Stays() implements Fate {}

        /// Its event proposes another commit, or the commit lies in an area already.
        record Goes() implements Fate {}

        /// Its event waits, or nobody has seen it: what it names goes to an area.
        record Waits(EventId event) implements Fate {}

        /// It is called like no event. Nobody ever sees it, so nobody is harmed if it stays.
        record Unknown() implements Fate {}
    }

    static FoundRef judge(RefName name, Oid target, RepositoryAddress repository, StoreView view) {
        return new FoundRef(
                name,
                target,
                EventId.parse(name.text().substring(RefName.PROPOSALS.length()))
                        .find()
                        .map(id -> judge(id, target, repository, view))
                        .orElseGet(Fate.Unknown::new));
    }

    private static Fate judge(EventId id, Oid target, RepositoryAddress repository, StoreView view) {
        var served = view.find(id);
        if (served.isPresent()) {
            return proposes(served.get(), target) ? new Fate.Stays() : new Fate.Goes();
        }
        var held = view.findHeld(id);
        if (held.isPresent()) {
            return held.get() instanceof HeldProposal row
                            && isOf(row.proposal(), target)
                            && !isKept(row.pushedTo(), repository)
                    ? new Fate.Waits(id)
                    : new Fate.Goes();
        }
        var placeholder = view.findRow(Table.PLACEHOLDERS, RowKeys.event(id)).map(row -> (Placeholder) row);
        boolean isNeeded = placeholder
                .map(row -> row.commit().equals(target) && !isKept(row.pushedTo(), repository))
                .orElse(true);
        return isNeeded ? new Fate.Waits(id) : new Fate.Goes();
    }

    private static boolean proposes(StoredEvent event, Oid target) {
        return (event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                && Targets.read(event.read())
                        .find()
                        .filter(proposal -> isOf(proposal, target))
                        .isPresent();
    }

    private static boolean isOf(Proposal proposal, Oid target) {
        return proposal.tip().filter(target::equals).isPresent();
    }

    private static boolean isKept(List<Upload> uploads, RepositoryAddress repository) {
        return uploads.stream()
                .anyMatch(upload -> !upload.receiving() && upload.repository().equals(repository));
    }
}
