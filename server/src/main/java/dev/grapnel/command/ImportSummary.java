package dev.grapnel.command;

import dev.grapnel.store.tool.ImportReport;
import dev.grapnel.store.tool.ImportReport.Ending;
import dev.grapnel.store.tool.ImportReport.Position;
import java.io.PrintWriter;
import java.time.Duration;

/// What an import says at its end.
record ImportSummary(ImportReport report, Duration time) {
    void print(PrintWriter out) {
        if (report.read() > 0 || !(report.ending() instanceof Ending.Failed)) {
            counts(out);
        }
        switch (report.ending()) {
            case Ending.Complete() -> {}
            case Ending.Stopped(var position) -> stopped(out, position);
            case Ending.Failed(var position, var reason) -> {
                out.println("grapnel: " + reason);
                if (position.line() > 0) {
                    stopped(out, position);
                }
            }
        }
        out.flush();
    }

    private void counts(PrintWriter out) {
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
        line(out, report.refusedBefore(), "refused by the import that this one went on with");
        if (report.removed() > 0) {
            out.println("  " + Figures.count(report.removed(), "event")
                    + " left, replaced by newer versions or deleted by their authors");
        }
    }

    private static void stopped(PrintWriter out, Position position) {
        var where = position.line() == 0
                ? "before the first line"
                : "after line " + position.line() + " of " + position.source();
        out.println("grapnel: stopped " + where + "; repeat the command to go on");
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
