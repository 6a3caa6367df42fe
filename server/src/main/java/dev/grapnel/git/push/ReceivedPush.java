package dev.grapnel.git.push;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.refs.DefaultBranch;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Sharing;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;

/// A push whose objects are here and checked, in quarantine until somebody lets them in.
///
/// @param repository where to
/// @param quarantine what came
/// @param moves who hears of it
/// @param sharing copies from other repositories
/// @param lent what it rests on in other repositories; copied before refs move, so that each is complete in
///     itself
public record ReceivedPush(
        RepositoryLease repository,
        Quarantine quarantine,
        RefMoves moves,
        Sharing sharing,
        List<Foundation.Loan> lent) {
    private static final int COMMITS_LOOKED_AT = 1000;

    public ReceivedPush {
        lent = List.copyOf(lent);
    }

    /// Moves objects in and refs where the commands want them, all or nothing; durable when it returns.
    PushVerdict apply(List<PushCommand> commands) throws IOException {
        var changes = commands.stream()
                .map(command -> new RefChange(new RefName(command.ref()), command.before(), command.after()))
                .toList();
        try (var reader = quarantine.all()) {
            var moved = findMoved(changes);
            if (moved.isPresent()) {
                return verdict(moved.get());
            }
            for (var loan : lent) {
                sharing.copyExactly(loan.from(), repository, loan.objects());
            }
            var outcome = repository.refs().apply(changes, newHead(changes), id -> peel(reader, id), () -> {
                quarantine.moveIn();
                moves.before(repository, left(changes, reader));
            });
            moves.after(repository);
            return verdict(outcome);
        }
    }

    /// Whoever comes too late shall not leave copies behind. Looked at once more when refs change.
    private Optional<RefOutcome> findMoved(List<RefChange> changes) throws IOException {
        var now = repository.refs().current();
        return changes.stream()
                .filter(change -> !now.target(change.name()).equals(change.before()))
                .<RefOutcome>map(change -> new RefOutcome.Moved(change.name(), now.target(change.name())))
                .findFirst();
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

    /// Where nobody says what the default branch is, it stays while it exists. Empty if it stays.
    private Optional<RefName> newHead(List<RefChange> changes) throws IOException {
        var now = repository.refs().current();
        var names = new TreeSet<>(now.values().keySet());
        for (var change : changes) {
            if (change.after().isZero()) {
                names.remove(change.name());
            } else {
                names.add(change.name());
            }
        }
        return names.contains(now.head())
                ? Optional.empty()
                : Optional.of(DefaultBranch.of(names)).filter(name -> !name.equals(now.head()));
    }

    private static Optional<Oid> peel(ObjectReader reader, Oid id) throws IOException {
        try (var walk = new RevWalk(reader)) {
            var object = walk.parseAny(GitIds.of(id));
            return object instanceof RevTag tag ? Optional.of(GitIds.of(walk.peel(tag))) : Optional.empty();
        }
    }

    private static PushVerdict verdict(RefOutcome outcome) {
        return switch (outcome) {
            case RefOutcome.Done _ -> new PushVerdict.Allowed();
            case RefOutcome.Moved(var name, var actual) ->
                refused(
                        name,
                        "fetch first: " + name + " is at " + actual.toString().substring(0, 8));
            case RefOutcome.Clash(var name, var with) ->
                refused(name, "cannot exist beside " + with + ": one name is a part of the other");
            case RefOutcome.Unwritable(var name, var reason) -> refused(name, reason);
        };
    }

    private static PushVerdict refused(RefName name, String reason) {
        return new PushVerdict.Refused(Set.of(name.text()), reason, List.of());
    }
}
