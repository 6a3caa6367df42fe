package dev.grapnel.server.control;

import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.RowPages;
import java.io.IOException;

/// Lists repositories that may not be what their events say (P-541).
public final class RepairsAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "repair list";

    private final EventStore store;

    public RepairsAnswer(EventStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws IOException {
        RowPages.<IOException>forEach(store, Table.REPAIRS, row -> {
            output.requireWanted();
            if (row instanceof Repair repair) {
                output.line(CheckAnswer.begin(repair.repository())
                        .raw(",\"since\":")
                        .string(repair.since().toString())
                        .raw(",\"attempts\":")
                        .number(repair.attempts())
                        .raw(",\"nextAttempt\":")
                        .string(repair.nextAttempt().toString())
                        .raw(",\"reason\":")
                        .string(repair.reason())
                        .raw("}"));
            }
        });
    }
}
