package dev.grapnel.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Shows how far a command is that goes through events.
final class EventLine {
    private final ChangingLine line;

    /// @param nanos a clock that never goes back
    EventLine(PrintWriter out, boolean isTerminal, LongSupplier nanos) {
        this.line = new ChangingLine(out, isTerminal, nanos);
    }

    /// @param total about how many there are
    void show(long events, long total) {
        line.show(elapsed -> Figures.number(events) + " of " + Figures.count(total, "event") + " ("
                + Figures.rate(events, Duration.ofNanos(elapsed)) + ")");
    }

    /// Takes the changing line away, so that others can write there.
    void clear() {
        line.clear();
    }
}
