package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.reconcile.Ledger;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
        var one = CheckAnswer.findIdentifier(request);
        var before = count(one);
        Collection<Identifier> identifiers = one.isPresent() ? List.of(one.get()) : new TreeSet<>(ledger.waiting());
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
        var after = count(one);
        var summary = new JsonWriter(128)
                .raw("{\"identifiers\":")
                .number(identifiers.size())
                .raw(",\"failed\":")
                .number(failed)
                .raw(",\"released\":")
                .number(Math.max(0, before.held() - after.held()))
                .raw(",\"held\":")
                .number(after.held())
                .raw(",\"repairs\":")
                .number(after.repairs());
        if (one.isPresent() && !before.isKnown() && !after.isKnown()) {
            summary.raw(",\"unknown\":").string(one.get().text());
        }
        output.line(summary.raw("}"));
    }

    /// Of one name, or of all.
    private Ledger.Stock count(Optional<Identifier> one) {
        return one.map(ledger::stock)
                .orElseGet(() -> store.read(view -> new Ledger.Stock(
                        view.count(Table.HELD_ANNOUNCEMENTS)
                                + view.count(Table.HELD_STATES)
                                + view.count(Table.HELD_PROPOSALS),
                        view.count(Table.REPAIRS),
                        true)));
    }
}
