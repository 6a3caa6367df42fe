package dev.grapnel.command;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/// Shows how far a command is that goes through repositories.
final class CountLine {
    private final ChangingLine line;

    /// @param nanos a clock that never goes back
    CountLine(PrintWriter out, boolean isTerminal, LongSupplier nanos) {
        this.line = new ChangingLine(out, isTerminal, nanos);
    }

    /// @param done repositories that are finished
    /// @param objects of the one at hand
    void show(int done, int total, long objects) {
        line.show(_ -> Figures.number(done) + " of " + Figures.repositories(total)
                + (objects == 0 ? "" : ", " + Figures.count(objects, "object") + " of the next"));
    }

    /// Takes the changing line away, so that others can write there.
    void clear() {
        line.clear();
    }
}
