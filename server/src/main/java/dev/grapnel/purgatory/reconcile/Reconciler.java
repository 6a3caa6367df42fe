package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.Happenings;
import dev.grapnel.purgatory.IdentifierLocks;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The one function that aligns repositories and serves what waited (purgatory 5). It looks at what is true now,
/// whoever asked for it and why: repeated, it does nothing.
public final class Reconciler {
    /// How often a run begins anew because what it rests on has changed meanwhile; then it comes again later.
    private static final int ROUNDS_MAX = 5;

    private final IdentifierLocks locks;
    private final Parts parts;
    private final LongSupplier nanoTime;

    /// What a run works with.
    ///
    /// @param staged what was pushed and nobody has signed
    /// @param moves who hears of refs that move
    /// @param areas told which areas nobody needs any more
    /// @param counts told what runs do
    /// @param served told what is served from now on, before anybody hears of it; by the store's writer
    public record Parts(
            EventStore store,
            Pools pools,
            Repositories repositories,
            ObjectExamination.Pools objects,
            StagedObjects staged,
            RefMoves moves,
            Happenings happenings,
            TrashRecords trash,
            Consumer<List<String>> areas,
            ReconcileCounts counts,
            Consumer<List<EventId>> served) {}

    /// @param nanoTime for how long runs take
    public Reconciler(IdentifierLocks locks, Parts parts, LongSupplier nanoTime) {
        this.locks = locks;
        this.parts = parts;
        this.nanoTime = nanoTime;
    }

    /// Does what is to be done for an identifier.
    ///
    /// @throws IOException if something of ours failed; what was done is right, and it must be tried again
    public Report reconcile(Identifier identifier, ReleasePath path) throws IOException {
        try {
            return locks.holding(List.of(identifier), () -> {
                try {
                    return reconcileHolding(identifier, path, Optional.empty(), Patience.ENDLESS);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// The same for those who hold the identifier's lock.
    ///
    /// @param incoming what a push has brought, if there was one
    public Report reconcileHolding(
            Identifier identifier, ReleasePath path, Optional<Incoming> incoming, Patience patience)
            throws IOException {
        long began = nanoTime.getAsLong();
        try {
            return reconcileTimed(identifier, path, incoming, patience);
        } finally {
            parts.counts().ran(path, Duration.ofNanos(nanoTime.getAsLong() - began));
        }
    }

    private Report reconcileTimed(
            Identifier identifier, ReleasePath path, Optional<Incoming> incoming, Patience patience)
            throws IOException {
        var rest = incoming;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var report = new Run(identifier, path, parts).run(rest, patience);
            if (report.isPresent()) {
                return report.get();
            }
            rest = rest.filter(push -> !push.isSigned()); // its objects are in the repository now
        }
        throw new IOException("events of " + identifier + " keep changing");
    }
}
