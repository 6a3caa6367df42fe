package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.pool.AbsentObject;
import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.push.Repointing;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;

/// Makes the refs of one repository what a state says (purgatory 5.3).
final class Aligning {
    /// Somebody else moves refs only while adopting or by hand.
    private static final int ATTEMPTS = 3;

    private final Supply objects;
    private final TrashRecords trash;
    private final RefMoves moves;
    private Step step = Step.ALIGN;

    Aligning(Supply objects, TrashRecords trash, RefMoves moves) {
        this.objects = objects;
        this.trash = trash;
        this.moves = moves;
    }

    /// What became of it.
    sealed interface Outcome {
        /// Refs are what the state says.
        ///
        /// @param moved what had to move for it
        record Aligned(RefCounts moved) implements Outcome {}

        /// They are what they were.
        record Failed(String reason) implements Outcome {}
    }

    /// What it did last.
    Step step() {
        return step;
    }

    /// @param winner the state
    Outcome align(RepositoryLease repository, RepositoryState winner) throws IOException {
        return align(repository, winner, alignment -> move(repository, winner, alignment));
    }

    /// The same for the repository that was pushed to, which takes in what came.
    Outcome alignPushed(RepositoryState winner, Incoming incoming) throws IOException {
        return align(incoming.repository(), winner, alignment -> moveIn(winner, alignment, incoming));
    }

    private interface Move {
        RefOutcome make(Alignment alignment) throws IOException;
    }

    private Outcome align(RepositoryLease repository, RepositoryState winner, Move move) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var alignment = Alignment.of(repository.refs().current(), winner);
            if (alignment.isNothing() && !repository.isForeign()) {
                return new Outcome.Aligned(RefCounts.NONE);
            }
            step = Step.COPY;
            if (objects.of(winner) != Readiness.READY) {
                return new Outcome.Failed("objects of state " + winner.event().id() + " are missing");
            }
            step = Step.TRASH;
            trash.keep(repository, winner, alignment);
            RefOutcome outcome;
            try {
                outcome = move.make(alignment);
            } catch (AbsentObject e) { // it lay here and could not be read, or has just gone
                return new Outcome.Failed(
                        "object " + e.object() + " of state " + winner.event().id() + " is missing");
            }
            switch (outcome) {
                case RefOutcome.Done _ -> {
                    return new Outcome.Aligned(RefCounts.of(alignment));
                }
                case RefOutcome.Clash(var name, var with) -> {
                    return new Outcome.Failed(
                            name + " cannot exist beside " + with + ": one name is a part of the other");
                }
                case RefOutcome.Unwritable(var name, var reason) -> {
                    return new Outcome.Failed(name + ": " + reason);
                }
                case RefOutcome.Moved _ -> {
                    // somebody was faster: look again
                }
            }
        }
        return new Outcome.Failed("somebody else keeps moving its refs");
    }

    private RefOutcome move(RepositoryLease repository, RepositoryState winner, Alignment alignment)
            throws IOException {
        step = Step.COPY;
        objects.bring(needed(repository, winner, alignment), winner, repository);
        step = Step.ALIGN;
        try (var reader = repository.newReader()) {
            return new Repointing(repository, moves).apply(alignment.changes(), alignment.head(), reader, () -> {});
        }
    }

    /// Refs that another server left may be right, and what they reach missing all the same.
    private static Collection<Oid> needed(RepositoryLease repository, RepositoryState winner, Alignment alignment) {
        return repository.isForeign() ? winner.refs().values() : alignment.needed();
    }

    /// The pack itself comes in, and what it rests on in other repositories first.
    private RefOutcome moveIn(RepositoryState winner, Alignment alignment, Incoming incoming) throws IOException {
        var repository = incoming.repository();
        var elsewhere = new ArrayList<Oid>();
        for (var id : needed(repository, winner, alignment)) {
            if (!incoming.quarantine().hasReceived(id)) {
                elsewhere.add(id);
            }
        }
        step = Step.COPY;
        objects.bring(elsewhere, winner, repository);
        step = Step.ALIGN;
        incoming.completion().run();
        objects.close(); // what it reads is about to be moved
        if (alignment.isNothing()) {
            incoming.quarantine().moveIn();
            return new RefOutcome.Done(repository.refs().current());
        }
        try (var reader = incoming.quarantine().all()) {
            return new Repointing(repository, moves)
                    .apply(alignment.changes(), alignment.head(), reader, incoming.quarantine()::moveIn);
        }
    }
}
