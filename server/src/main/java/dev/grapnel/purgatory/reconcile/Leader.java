package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.PackOffer;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Sharing;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryState;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A repository that has just been made what a state says. It has all that others need which follow the same
/// state, so nobody has to look for it anywhere else. Safe for threads while its lease is open.
final class Leader implements Supply {
    private final Repositories repositories;
    private final RepositoryLease lease;
    private final RepositoryState state;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<PackOffer> offer = Optional.empty();
    private boolean isSought;

    /// @param lease who lends it keeps it open
    Leader(Repositories repositories, RepositoryLease lease, RepositoryState state) {
        this.repositories = repositories;
        this.lease = lease;
        this.state = state;
    }

    /// Whether a repository can be led: everything in both has all that it names.
    boolean leads(RepositoryLease other, RepositoryState winner) {
        return winner.equals(state) && !other.isForeign() && !other.isPartial();
    }

    @Override
    public Readiness of(RepositoryState asked) {
        return asked.equals(state) ? Readiness.READY : Readiness.INCOMPLETE;
    }

    @Override
    public void bring(Collection<Oid> tips, RepositoryState asked, RepositoryLease into) throws IOException {
        var sharing = new Sharing(repositories);
        var pack = offer(tips);
        if (pack.isEmpty() || !sharing.link(pack.get(), into, tips)) {
            sharing.link(lease, into, tips);
        }
    }

    /// Most lack the same, so what the first one lacks is looked for once.
    private Optional<PackOffer> offer(Collection<Oid> tips) throws IOException {
        lock.lock();
        try {
            if (!isSought) {
                offer = PackOffer.find(lease, tips);
                isSought = true;
            }
            return offer;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        // the lease belongs to whoever lent it
    }
}
