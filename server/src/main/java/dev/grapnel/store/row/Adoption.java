package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;

/// How far a repository of the existing server has been taken over (P-718).
///
/// @param step the last step that is durable
/// @param changedAt when it was reached
/// @param note what the operator should know; empty if nothing. Cut where it is too long
public record Adoption(RepositoryAddress repository, Step step, Instant changedAt, String note) implements Row {
    /// In this order; repeating a step changes nothing.
    public enum Step implements Coded {
        PENDING(1),
        /// Its objects are its own.
        LINKED(2),
        /// Nothing its refs reach is missing.
        VERIFIED(3),
        DONE(4);

        private final int code;

        Step(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    public Adoption {
        changedAt = Millis.of(changedAt);
        note = Checks.note(note);
    }

    @Override
    public Table table() {
        return Table.ADOPTIONS;
    }

    @Override
    public Bytes key() {
        return RowKeys.repository(repository);
    }
}
