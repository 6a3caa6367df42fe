package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue.Fields;

/// What a check found, as people read it. Names of repositories and refs come from strangers.
final class CheckText {
    private CheckText() {}

    static String line(Fields found) {
        return repository(found) + ": "
                + found.findText("sentence").map(SafeText::of).orElseGet(() -> trash(found));
    }

    static String repository(Fields found) {
        return SafeText.of(found.findText("owner").orElse("?") + "/"
                + found.findText("identifier").orElse("?"));
    }

    private static String trash(Fields found) {
        return "the empty state " + SafeText.of(found.findText("trash").orElse("?")) + " removed "
                + Figures.count(found.findNumber("refCount").orElse(0), "ref") + " at "
                + SafeText.of(found.findText("removedAt").orElse("?")) + "; objects are kept until "
                + SafeText.of(found.findText("until").orElse("?")) + " (--json lists the refs)";
    }

    /// @param isServed whether a server did it, who also repairs
    static String summary(Fields summary, boolean isRepaired, boolean isServed) {
        long found = summary.findNumber("differences").orElse(0);
        return "checked "
                + Figures.repositories(summary.findNumber("repositories").orElse(0)) + ": "
                + (found == 0
                        ? "no differences"
                        : Figures.count(found, "difference") + rest(found, summary, isRepaired, isServed));
    }

    private static String rest(long found, Fields summary, boolean isRepaired, boolean isServed) {
        if (!isRepaired) {
            return "; --repair puts right what can be";
        }
        long left = summary.findNumber("left").orElse(0);
        long queued = summary.findNumber("queued").orElse(0);
        return (left == 0 ? ", all put right" : ", " + Figures.number(Math.max(0, found - left)) + " put right")
                + (queued == 0 || isServed
                        ? ""
                        : "; no server runs, so " + Figures.repositories(queued)
                                + " entered the repair ledger, which the next start works off");
    }

    /// A line of the repair ledger.
    static String repair(Fields found) {
        var reason = found.findText("reason").orElse("");
        return repository(found) + ": since "
                + SafeText.of(found.findText("since").orElse("?")) + ", "
                + Figures.count(found.findNumber("attempts").orElse(0), "attempt") + ", next at "
                + SafeText.of(found.findText("nextAttempt").orElse("?"))
                + (reason.isEmpty() ? "" : ": " + SafeText.of(reason));
    }
}
