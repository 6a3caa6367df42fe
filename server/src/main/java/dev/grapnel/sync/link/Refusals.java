package dev.grapnel.sync.link;

import java.time.Duration;
import java.util.List;
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
        link.lessons().refused(line);
        switch (line) {
            case FILTER_COUNT, VALUES -> {
                boolean isSmall = !isOutgrown(task, line) && !learn(task, line, text);
                if (!isSmall || !askOtherwise(task)) {
                    cut(task);
                }
            }
            case OPEN_BYTES, LIMIT, ITEMS, SESSIONS -> {
                if (learn(task, line, text) || !askOtherwise(task)) {
                    retryOnce(task);
                }
            }
            case SUBSCRIPTIONS -> {
                if (learn(task, line, text)) {
                    work.later(task, SHORTLY);
                } else if (!askOtherwise(task)) {
                    retryOnce(task); // there is no room for it at all
                }
            }
            case AUTH -> authenticate(task);
            case RATE -> {
                link.lessons().slowDown(RefusalLine.namesQueries(text));
                work.resume(task);
            }
            case POLICY -> refuse(task, text);
            case INVALID -> halve(task, text);
            case OTHER -> {
                link.note(new LinkNote.Refused(line.word()));
                retryOnce(task);
            }
        }
    }

    /// Whether it is larger than what is sent since: several requests are refused at once for one limit.
    private boolean isOutgrown(Task task, RefusalLine line) {
        return line == RefusalLine.FILTER_COUNT
                ? task.filterCount() > work.bearing().filtersPerRequest()
                : task.width() > work.sizes().width();
    }

    /// Remembers a limit; a comparison that can be made no smaller says nothing of other requests.
    private boolean learn(Task task, RefusalLine line, String text) {
        return task.instead().isPresent()
                ? link.lessons().learn(line, text)
                : link.lessons().learn(line, text, task.kind());
    }

    /// What cannot be compared is read.
    private boolean askOtherwise(Task task) {
        var other = task.instead();
        other.ifPresent(instead -> {
            work.failedComparisons().refused();
            work.replace(task, List.of(instead));
        });
        return other.isPresent();
    }

    /// A request as small as can be that is refused for its size twice is not wanted at all.
    private void cut(Task task) {
        var pieces = task.cut(work.sizes().width());
        if (pieces.size() > 1) {
            work.replace(task, pieces);
        } else if (task.mayBeSentAgain()) {
            work.later(task, SHORTLY);
        } else {
            work.refused(task, POLICY_TIME);
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
        if (task.filterCount() > 1) {
            work.replace(task, task.cut(work.sizes().width())); // which of them is meant is seen when each is alone
            return;
        }
        link.note(new LinkNote.PolicyRefusal(category(text)));
        link.lessons().refused(task.kind(), RefusalLine.POLICY);
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
    ///
    /// @return whether it was news
    boolean learn(RefusalLine line, String text) {
        return link.lessons().learn(line, text);
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
        if (lower.contains("filter count")) {
            return "filter_count";
        }
        return "blocked";
    }
}
