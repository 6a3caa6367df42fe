package dev.grapnel.git.push;

import dev.grapnel.git.refs.DefaultBranch;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Sharing;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
            complete();
            return verdict(
                    new Repointing(repository, moves).apply(changes, newHead(changes), reader, quarantine::moveIn));
        }
    }

    /// Gives the repository what the push rests on in others.
    public void complete() throws IOException {
        for (var loan : lent) {
            sharing.copyExactly(loan.from(), repository, loan.objects());
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
