package dev.grapnel.command;

import dev.grapnel.store.tool.ImportReport;
import java.io.PrintWriter;
import java.time.Duration;

/// What an import says at its end.
record ImportSummary(ImportReport report, Duration time) {
    void print(PrintWriter out) {
        out.println("grapnel: read " + Figures.count(report.read(), "event") + " in " + Figures.seconds(time) + " ("
                + Figures.rate(report.read(), time) + ")");
        line(out, report.stored(), "stored");
        line(out, report.known(), "already here");
        line(out, report.older(), "older than what is here");
        line(out, report.refused(), "refused");
        for (var reason : report.reasons()) {
            var first = reason.first();
            out.println("  " + pad(reason.count()) + "  " + reason.text() + " (first: line " + first.line() + " of "
                    + first.source() + first.id().map(id -> ", id " + id).orElse("") + ")");
        }
        if (report.removed() > 0) {
            out.println("  " + Figures.count(report.removed(), "event")
                    + " left, replaced by newer versions or deleted by their authors");
        }
        report.stopped()
                .ifPresent(position -> out.println("grapnel: stopped "
                        + (position.line() == 0
                                ? "before the first line"
                                : "after line " + position.line() + " of " + position.source())
                        + "; repeat the command to go on"));
        out.flush();
    }

    private static void line(PrintWriter out, long count, String what) {
        if (count > 0) {
            out.println(pad(count) + "  " + what);
        }
    }

    private static String pad(long count) {
        return String.format("%12s", Figures.number(count));
    }
}
