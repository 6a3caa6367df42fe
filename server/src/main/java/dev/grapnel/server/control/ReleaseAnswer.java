package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.reconcile.Ledger;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/// Looks at once at everything that waits or needs repair, or at one name (P-541).
public final class ReleaseAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "purgatory release";

    private final EventStore store;
    private final Ledger ledger;
    private final Releasing releasing;

    public ReleaseAnswer(EventStore store, Ledger ledger, Releasing releasing) {
        this.store = store;
        this.ledger = ledger;
        this.releasing = releasing;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var before = count();
        var identifiers = wanted(request);
        int failed = 0;
        for (var identifier : identifiers) {
            output.requireWanted();
            try {
                releasing.release(identifier);
            } catch (IOException e) {
                failed++;
                output.line(new JsonWriter(256)
                        .raw("{\"identifier\":")
                        .string(identifier.text())
                        .raw(",\"problem\":")
                        .string(String.valueOf(e.getMessage()))
                        .raw("}"));
            }
        }
        output.line(new JsonWriter(128)
                .raw("{\"identifiers\":")
                .number(identifiers.size())
                .raw(",\"failed\":")
                .number(failed)
                .raw(",\"released\":")
                .number(Math.max(0, before.held() - count().held()))
                .raw(",\"held\":")
                .number(count().held())
                .raw(",\"repairs\":")
                .number(count().repairs())
                .raw("}"));
    }

    private Collection<Identifier> wanted(ControlRequest request) throws ControlRefusal {
        var one = CheckAnswer.findIdentifier(request);
        return one.isPresent() ? List.of(one.get()) : new TreeSet<>(ledger.waiting());
    }

    private record Counts(long held, long repairs) {}

    private Counts count() {
        return store.read(view -> new Counts(
                view.count(Table.HELD_ANNOUNCEMENTS) + view.count(Table.HELD_STATES) + view.count(Table.HELD_PROPOSALS),
                view.count(Table.REPAIRS)));
    }
}
