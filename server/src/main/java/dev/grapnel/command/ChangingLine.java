package dev.grapnel.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/// Shows how far a command is: on a terminal one line that changes, elsewhere a line now and then.
final class ChangingLine {
    private static final Duration BAR_EVERY = Duration.ofMillis(200);
    private static final Duration LINE_EVERY = Duration.ofSeconds(10);

    private final PrintWriter out;
    private final boolean isTerminal;
    private final LongSupplier nanos;
    private final long begun;
    private long shownAt;
    private int width;

    /// @param nanos a clock that never goes back
    ChangingLine(PrintWriter out, boolean isTerminal, LongSupplier nanos) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
        this.shownAt = begun;
    }

    /// Shows a text, unless the last one is too young.
    ///
    /// @param text from the nanoseconds since the beginning
    void show(LongFunction<String> text) {
        long now = nanos.getAsLong();
        if (now - shownAt < (isTerminal ? BAR_EVERY : LINE_EVERY).toNanos()) {
            return;
        }
        shownAt = now;
        write(text.apply(now - begun));
    }

    private void write(String text) {
        if (isTerminal) {
            out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            width = text.length();
        } else {
            out.println("grapnel: " + text);
        }
        out.flush();
    }

    /// Takes the changing line away, so that others can write there.
    void clear() {
        if (width > 0) {
            out.print("\r" + " ".repeat(width) + "\r");
            out.flush();
            width = 0;
        }
    }
}
