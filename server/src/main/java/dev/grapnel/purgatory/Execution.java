package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.List;

/// Judges an event inside a transaction and carries the verdict out. Used by the writer alone.
final class Execution {
    private final AcceptancePolicy policy;
    private final Happenings happenings;

    Execution(AcceptancePolicy policy, Happenings happenings) {
        this.policy = policy;
        this.happenings = happenings;
    }

    /// A request to vanish is everybody's right, whatever the policy is (relay 4.9). What the author took
    /// back is refused before the policy is asked (service 4.1).
    Admitted admit(Arrival arrival, StoreTransaction transaction) {
        var event = arrival.event();
        boolean isForTheStore = event.kind() == Kinds.VANISH
                || transaction.isServed(event.id())
                || transaction.findObstacle(event).isPresent();
        return isForTheStore ? save(arrival, List.of(), transaction) : carryOut(arrival, transaction);
    }

    private Admitted carryOut(Arrival arrival, StoreTransaction transaction) {
        return switch (policy.judge(arrival, transaction)) {
            case Verdict.Serve(var effects) -> save(arrival, effects, transaction);
            case Verdict.Hold hold -> hold(hold, transaction);
            case Verdict.Keep(var effects) -> {
                apply(effects, transaction);
                yield new Admitted.Stored(new SaveOutcome.Known(true));
            }
            case Verdict.Refuse(var refusal, var cause, var effects) -> {
                apply(effects, transaction);
                yield new Admitted.Refused(refusal, cause);
            }
            case Verdict.RefuseWaiting(var refusal, var cause) -> new Admitted.Refused(refusal, cause);
            case Verdict.Prepare(var repositories) -> new Admitted.Unprepared(repositories);
        };
    }

    private Admitted save(Arrival arrival, List<Effect> effects, StoreTransaction transaction) {
        var outcome = transaction.save(arrival.event());
        if (outcome instanceof SaveOutcome.Served(var _, var _, var dropped)) {
            apply(effects, transaction);
            var reason = arrival.event().kind() == Kinds.VANISH ? DropReason.VANISHED : DropReason.DELETED;
            dropped.forEach(row -> happenings.note(new Happening.Dropped(row, reason)));
        }
        return new Admitted.Stored(outcome);
    }

    private Admitted hold(Verdict.Hold hold, StoreTransaction transaction) {
        var outcome = transaction.hold(hold.row());
        if (outcome instanceof SaveOutcome.Waiting(var replaced)) {
            replaced.forEach(row -> happenings.note(new Happening.Dropped(row, DropReason.SUPERSEDED)));
            happenings.note(new Happening.NowHeld(hold.row()));
            apply(hold.effects(), transaction);
        }
        return new Admitted.Stored(outcome);
    }

    private void apply(List<Effect> effects, StoreTransaction transaction) {
        for (var effect : effects) {
            switch (effect) {
                case Effect.Put(var row) -> transaction.put(row);
                case Effect.Remove(var row) -> transaction.remove(row.table(), row.key());
                case Effect.Mismatch(var row, var commit) -> {
                    transaction.remove(row.table(), row.key());
                    happenings.note(new Happening.Mismatched(row, commit));
                }
                case Effect.Forget(var repository) ->
                    transaction.remove(Table.REPOSITORIES, RowKeys.repository(repository));
                case Effect.Amend(var id, var terms) -> transaction.amend(id, terms);
                case Effect.Revive(var id, var repository, var terms) -> {
                    transaction.amend(id, terms);
                    happenings.note(new Happening.Revived(repository, "event"));
                }
                case Effect.Drop(var id, var reason) ->
                    transaction.drop(id).ifPresent(row -> happenings.note(new Happening.Dropped(row, reason)));
            }
        }
    }
}
