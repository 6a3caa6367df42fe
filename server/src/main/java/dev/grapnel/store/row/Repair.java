package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// A repository whose refs may differ from what its events say (P-541): to be looked at after a start, and
/// again until it is aligned.
///
/// @param since when it first was, or could have become, different
/// @param attempts how often aligning it has failed since then
/// @param nextAttempt not before this time
/// @param reason why it failed the last time, for the operator; empty if nobody has tried. Cut where it is
///     too long
/// @param gone proposals that were taken back: their refs go
public record Repair(
        RepositoryAddress repository,
        Instant since,
        int attempts,
        Instant nextAttempt,
        String reason,
        SortedSet<EventId> gone)
        implements Row {
    /// @throws IllegalArgumentException if the number of attempts is negative
    public Repair {
        Checks.notNegative("the number of attempts", attempts);
        since = Millis.of(since);
        nextAttempt = Millis.of(nextAttempt);
        reason = Checks.note(reason);
        gone = Collections.unmodifiableSortedSet(new TreeSet<>(gone));
    }

    /// Without proposals that were taken back.
    public Repair(RepositoryAddress repository, Instant since, int attempts, Instant nextAttempt, String reason) {
        this(repository, since, attempts, nextAttempt, reason, new TreeSet<>());
    }

    /// Nobody has tried yet.
    public static Repair due(RepositoryAddress repository, Instant now) {
        return new Repair(repository, now, 0, now, "");
    }

    /// The same, to be tried at another time.
    public Repair dueAt(Instant next) {
        return new Repair(repository, since, attempts, next, reason, gone);
    }

    /// The same after another failure.
    public Repair failed(String why, Instant next) {
        return new Repair(repository, since, attempts + 1, next, why, gone);
    }

    /// The same, to be done at once, for another proposal that was taken back.
    public Repair without(EventId proposal, Instant now) {
        var all = new TreeSet<>(gone);
        all.add(proposal);
        return new Repair(repository, since, attempts, now, reason, all);
    }

    @Override
    public Table table() {
        return Table.REPAIRS;
    }

    @Override
    public Bytes key() {
        return RowKeys.repository(repository);
    }
}
