package dev.grapnel.command;

import java.io.PrintWriter;
import java.util.function.Consumer;

/// Prints problems up to a number, and counts them all.
final class Problems implements Consumer<String> {
    /// How many are printed.
    static final int PRINTED_MAX = 1_000;

    private final PrintWriter out;
    private long count;

    Problems(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void accept(String problem) {
        if (++count <= PRINTED_MAX) {
            out.println("grapnel: " + problem);
        }
    }

    synchronized long count() {
        return count;
    }

    /// Says how many were not printed.
    synchronized void finish() {
        if (count > PRINTED_MAX) {
            out.println("grapnel: and " + (count - PRINTED_MAX) + " problems more");
        }
        out.flush();
    }
}
