package dev.grapnel.git.push;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.refs.RefStore;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;

/// Moves refs of a repository and lets those know who look after what refs named before.
///
/// @param moves who hears of it
public record Repointing(RepositoryLease repository, RefMoves moves) {
    private static final int COMMITS_LOOKED_AT = 1000;

    /// All or nothing; durable when it returns.
    ///
    /// @param head the branch that `HEAD` shall name, if that is to change
    /// @param reader of the objects that are or will be there
    /// @param arrival brings objects in; run when nothing speaks against the change any more
    public RefOutcome apply(
            List<RefChange> changes, Optional<RefName> head, ObjectReader reader, RefStore.Prelude arrival)
            throws IOException {
        var outcome = repository.refs().apply(changes, head, id -> peel(reader, id), () -> {
            arrival.run();
            moves.before(repository, left(changes, reader));
        });
        moves.after(repository);
        return outcome;
    }

    /// What refs named and their new values do not lead to. Whoever keeps a new value keeps what it rests on,
    /// too, so nobody needs to be told of that, and most pushes leave nothing.
    private static List<Oid> left(List<RefChange> changes, ObjectReader reader) throws IOException {
        var left = new ArrayList<Oid>();
        for (var change : changes) {
            if (!change.before().isZero() && !leadsTo(change.after(), change.before(), reader)) {
                left.add(change.before());
            }
        }
        return left;
    }

    /// Looks at the newest commits only; "no" may be wrong.
    private static boolean leadsTo(Oid after, Oid before, ObjectReader reader) throws IOException {
        if (after.isZero()) {
            return false;
        }
        try (var walk = new RevWalk(reader)) {
            if (!(walk.parseAny(GitIds.of(after)) instanceof RevCommit newest)) {
                return false;
            }
            var sought = GitIds.of(before);
            walk.markStart(newest);
            var commit = walk.next();
            for (int i = 0; i < COMMITS_LOOKED_AT && commit != null && !commit.equals(sought); i++) {
                commit = walk.next();
            }
            return commit != null && commit.equals(sought);
        }
    }

    private static Optional<Oid> peel(ObjectReader reader, Oid id) throws IOException {
        try (var walk = new RevWalk(reader)) {
            var object = walk.parseAny(GitIds.of(id));
            return object instanceof RevTag tag ? Optional.of(GitIds.of(walk.peel(tag))) : Optional.empty();
        }
    }
}
