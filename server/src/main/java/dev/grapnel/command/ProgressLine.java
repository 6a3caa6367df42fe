package dev.grapnel.command;

import dev.grapnel.store.tool.ImportProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Shows how far an import is: on a terminal one line that changes, elsewhere a line now and then.
final class ProgressLine {
    private static final Duration BAR_EVERY = Duration.ofMillis(200);
    private static final Duration LINE_EVERY = Duration.ofSeconds(10);
    private static final long LINE_EVENTS = 100_000;
    private static final int BAR_WIDTH = 24;

    private final PrintWriter out;
    private final boolean isBar;
    private final LongSupplier nanos;
    private final long begun;
    private long shownAt;
    private long shownEvents;
    private int width;

    /// @param nanos a clock that never goes back
    ProgressLine(PrintWriter out, boolean isBar, LongSupplier nanos) {
        this.out = out;
        this.isBar = isBar;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
        this.shownAt = begun;
    }

    Duration elapsed() {
        return Duration.ofNanos(nanos.getAsLong() - begun);
    }

    void show(ImportProgress progress) {
        long now = nanos.getAsLong();
        var since = Duration.ofNanos(now - shownAt);
        boolean isDue = isBar
                ? since.compareTo(BAR_EVERY) >= 0
                : since.compareTo(LINE_EVERY) >= 0 || progress.events() - shownEvents >= LINE_EVENTS;
        if (!isDue) {
            return;
        }
        shownAt = now;
        shownEvents = progress.events();
        var text = text(progress, elapsed());
        if (isBar) {
            out.print("\r" + bar(progress) + text + " ".repeat(Math.max(0, width - text.length())));
            width = text.length();
        } else {
            out.println("grapnel: " + text);
        }
        out.flush();
    }

    /// Takes the changing line away, so that others can write there.
    void clear() {
        if (isBar && width > 0) {
            out.print("\r" + " ".repeat(BAR_WIDTH + 3 + width) + "\r");
            out.flush();
            width = 0;
        }
    }

    private static String bar(ImportProgress progress) {
        if (progress.bytesTotal().isEmpty()) {
            return "";
        }
        long total = Math.max(1, progress.bytesTotal().getAsLong());
        int done = Math.clamp(BAR_WIDTH * progress.bytes() / total, 0, BAR_WIDTH);
        return "[" + "#".repeat(done) + " ".repeat(BAR_WIDTH - done) + "] ";
    }

    private static String text(ImportProgress progress, Duration elapsed) {
        var text = new StringBuilder(Figures.bytes(progress.bytes()));
        progress.bytesTotal().ifPresent(total -> text.append(" of ").append(Figures.bytes(total)));
        text.append(", ").append(Figures.count(progress.events(), "event"));
        text.append(" (").append(Figures.rate(progress.events(), elapsed)).append(")");
        if (progress.refused() > 0) {
            text.append(", ").append(Figures.number(progress.refused())).append(" refused");
        }
        // The very beginning is slow and would promise too little.
        long done = progress.bytes() - progress.bytesPassed();
        if (progress.bytesTotal().isPresent() && done > progress.bytesTotal().getAsLong() / 50) {
            double left = (double) (progress.bytesTotal().getAsLong() - progress.bytes()) / done;
            var time = Duration.ofNanos((long) (elapsed.toNanos() * Math.max(0, left)));
            text.append(", ").append(Figures.clock(time)).append(" left");
        }
        return text.toString();
    }
}
