package dev.grapnel.sync.link;

import java.time.Duration;
import java.util.Locale;

/// What follows when a relay refuses a request, by what its words mean (R4.20).
final class Refusals {
    static final Duration POLICY_TIME = Duration.ofHours(24);
    static final Duration SHORTLY = Duration.ofSeconds(5);

    private final HistoricWork work;
    private final Link link;

    Refusals(HistoricWork work, Link link) {
        this.work = work;
        this.link = link;
    }

    /// A task was refused.
    ///
    /// @param isComparison whether by NEG-ERR
    void refused(Task task, String text, boolean isComparison) {
        var line = RefusalLine.of(text, isComparison);
        switch (line) {
            case FILTER_COUNT, VALUES -> {
                learn(line, text);
                cut(task);
            }
            case OPEN_BYTES, LIMIT -> {
                learn(line, text);
                retryOnce(task);
            }
            case ITEMS, SESSIONS -> {
                learn(line, text);
                work.resume(task);
            }
            case SUBSCRIPTIONS -> {
                learn(line, text);
                work.later(task, SHORTLY);
            }
            case AUTH -> authenticate(task);
            case RATE -> {
                link.slowDown(RefusalLine.namesQueries(text));
                work.resume(task);
            }
            case POLICY -> refuse(task, text);
            case INVALID -> halve(task, text);
            case OTHER -> retryOnce(task);
        }
    }

    private void cut(Task task) {
        var pieces = task.cut(work.sizes().width());
        if (pieces.size() > 1) {
            work.replace(task, pieces);
        } else {
            retryOnce(task); // it is as small as can be
        }
    }

    private void retryOnce(Task task) {
        if (task.mayBeSentAgain()) {
            work.later(task, SHORTLY);
        } else {
            work.failed(task, false);
        }
    }

    private void authenticate(Task task) {
        if (task.mayAuthenticate()) {
            link.authentication().over(isKnown -> {
                if (isKnown) {
                    work.resume(task);
                } else {
                    refuse(task, "auth-required");
                }
            });
        } else {
            refuse(task, "auth-required");
        }
    }

    private void refuse(Task task, String text) {
        link.note(new LinkNote.PolicyRefusal(category(text)));
        work.refused(task, POLICY_TIME);
    }

    /// Perhaps it is too much at once (line 11).
    private void halve(Task task, String text) {
        var pieces = task.cut(Math.max(1, work.sizes().width() / 2));
        if (task.mayBeHalved() && pieces.size() > 1) {
            pieces.forEach(Task::mayBeHalved);
            work.replace(task, pieces);
        } else {
            refuse(task, text);
        }
    }

    /// Remembers a limit, and plans anew by it.
    void learn(RefusalLine line, String text) {
        link.learn(line, text);
    }

    static String category(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("auth")) {
            return "authentication_required";
        }
        if (lower.contains("member") || lower.contains("payment")) {
            return "membership_required";
        }
        if (lower.contains("restricted")) {
            return "restricted";
        }
        if (lower.contains("invalid") || lower.contains("unsupported") || lower.contains("validation")) {
            return "filter_incompatible";
        }
        return "blocked";
    }
}
