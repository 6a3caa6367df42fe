package dev.grapnel.purgatory.intake;

import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.push.Applicability;
import dev.grapnel.purgatory.push.Governing;
import dev.grapnel.purgatory.push.Objects;
import dev.grapnel.purgatory.push.Proposals.Finding;
import dev.grapnel.purgatory.push.PushScene;
import dev.grapnel.purgatory.push.Remote;
import dev.grapnel.purgatory.push.Standing;
import dev.grapnel.purgatory.reconcile.ObjectExamination;
import dev.grapnel.purgatory.reconcile.Situation;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Gathers what a push is judged by.
///
/// @param isReadOnly whether this service takes no pushes at all
public record Scenes(
        EventStore store,
        Pools pools,
        Repositories repositories,
        ObjectExamination.Pools objects,
        StagedObjects staged,
        boolean isReadOnly) {
    /// Judges by what is true now.
    ///
    /// @param received what the push brought; it counts as here
    /// @throws IOException if something of ours cannot be read: then nothing is allowed
    <T> T judge(Remote remote, Optional<Quarantine> received, Function<PushScene, T> judge) throws IOException {
        var address = remote.repository();
        var situation = store.read(view -> Situation.read(address.identifier(), view, pools));
        var pool = situation.pool();
        try (var before = examine(pool, Optional.empty());
                var after = examine(pool, received);
                var lease = repositories.find(address).orElse(null)) {
            var governing = Governing.among(
                    pool.maintainers(address.owner()),
                    situation.served(),
                    situation.held(),
                    Applicability.by(new Seen(before, address.owner())));
            return judge.apply(new PushScene(
                    remote,
                    lease == null ? Standing.UNANNOUNCED : standing(address, pool),
                    governing,
                    lease == null || lease.isForeign()
                            ? Refs.NONE
                            : lease.refs().current(),
                    new Seen(received.isPresent() ? after : before, address.owner()),
                    this::find));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private ObjectExamination examine(Pool pool, Optional<Quarantine> received) {
        return new ObjectExamination(pool, objects, staged.of(pool.identifier()), received, Set.of());
    }

    private Standing standing(RepositoryAddress address, Pool pool) {
        if (isReadOnly) {
            return Standing.READ_ONLY_ARCHIVE;
        }
        var entry = pool.findAnnounced(address.owner());
        if (entry.filter(Announced::isHosted).isPresent()) {
            return Standing.HOSTED;
        }
        return entry.filter(Announced::carries).isPresent() ? Standing.WITHDRAWN : Standing.UNANNOUNCED;
    }

    private Finding find(EventId id) {
        return store.read(view -> find(id, view));
    }

    private static Finding find(EventId id, StoreView view) {
        return view.find(id)
                .map(StoredEvent::read)
                .or(() -> view.findHeld(id).map(Held::event))
                .map(Scenes::known)
                .or(() -> findPlaceholder(id, view))
                .orElseGet(() -> view.isDeleted(id) ? new Finding.Deleted() : new Finding.Unknown());
    }

    private static Finding known(Event event) {
        boolean isProposal = event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE;
        return isProposal
                ? Targets.read(event)
                        .find()
                        .<Finding>map(proposal -> new Finding.Proposed(proposal.commit()))
                        .orElseGet(Finding.OtherKind::new)
                : new Finding.OtherKind();
    }

    private static Optional<Finding> findPlaceholder(EventId id, StoreView view) {
        return view.findRow(Table.PLACEHOLDERS, RowKeys.event(id))
                .map(row -> (Placeholder) row)
                .filter(row -> !row.isReceiving())
                .map(row -> new Finding.Placeholder(row.commit()));
    }

    /// The objects that count for an author, or for the owner where nobody in particular asks.
    private record Seen(ObjectExamination examination, PublicKey author) implements Objects {
        @Override
        public Objects seenBy(PublicKey other) {
            return new Seen(examination, other);
        }

        @Override
        public boolean isHere(Oid object) {
            try {
                return examination.find(object, author).isPresent();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isOtherThanCommit(Oid object) {
            try {
                return examination.isOtherThanCommit(object, author);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
