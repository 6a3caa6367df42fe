package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Ledger.Use;
import java.time.Duration;
import java.util.OptionalLong;

/// What follows when a relay closes a live group (R4.20): by what its words mean it is opened again, and what came
/// meanwhile is asked for.
final class LiveClosings {
    private static final int OVERLAP = 900;
    private static final Duration REOPEN_MAX = Duration.ofMinutes(5);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Link link;
    private final LivePlan plan;
    private OptionalLong missedSince = OptionalLong.empty();

    LiveClosings(Link link, LivePlan plan) {
        this.link = link;
        this.plan = plan;
    }

    /// Since when something may have been missed that a new plan must ask for; asked once.
    OptionalLong takeMissedSince() {
        var since = missedSince;
        missedSince = OptionalLong.empty();
        return since;
    }

    void forget() {
        missedSince = OptionalLong.empty();
    }

    void closed(LiveGroup group, String text) {
        group.setClosed();
        if (!plan.isCurrent(group)) {
            return;
        }
        long closedAt = link.loop().wall().getEpochSecond();
        missedSince = OptionalLong.of(Math.min(missedSince.orElse(closedAt), closedAt));
        link.freeze();
        var line = RefusalLine.of(text, false);
        switch (line) {
            case OPEN_BYTES, FILTER_COUNT, ITEMS, SESSIONS, VALUES, LIMIT, SUBSCRIPTIONS -> {
                boolean isNews = link.learn(line, text);
                boolean isSoon = isNews && line != RefusalLine.SUBSCRIPTIONS;
                reopen(group, isSoon ? AT_ONCE : wait(group.countClosing()), closedAt);
            }
            case AUTH -> authenticate(group, closedAt);
            case RATE -> {
                link.slowDown(RefusalLine.namesQueries(text));
                reopen(group, Refusals.SHORTLY, closedAt);
            }
            case POLICY -> park(group, text);
            case INVALID -> halve(group, text, closedAt);
            case OTHER -> reopen(group, wait(group.countClosing()), closedAt);
        }
    }

    /// Perhaps it is too much at once (line 11).
    private void halve(LiveGroup group, String text, long closedAt) {
        int before = group.countClosing();
        if (before < 2) {
            link.learn(before == 0 ? RefusalLine.FILTER_COUNT : RefusalLine.VALUES, text);
            reopen(group, Refusals.SHORTLY, closedAt);
        } else {
            park(group, text);
        }
    }

    private static Duration wait(int before) {
        var time = Refusals.SHORTLY.multipliedBy(1L << Math.min(before, 10));
        return time.compareTo(REOPEN_MAX) > 0 ? REOPEN_MAX : time;
    }

    private void authenticate(LiveGroup group, long closedAt) {
        if (!group.mayAuthenticate()) {
            park(group, "auth-required");
            return;
        }
        link.authentication().over(isKnown -> {
            if (isKnown) {
                reopen(group, AT_ONCE, closedAt);
            } else {
                park(group, "auth-required");
            }
        });
    }

    private void park(LiveGroup group, String text) {
        group.setParked();
        link.note(new LinkNote.PolicyRefusal(Refusals.category(text)));
        link.look();
    }

    private void reopen(LiveGroup group, Duration wait, long closedAt) {
        var at = link.generation();
        link.loop().after(wait, () -> {
            if (at != link.generation() || !link.isUp() || !plan.isCurrent(group) || group.isOpen()) {
                return;
            }
            if (link.isCooling() || !link.ledger().hasRoom(Use.LIVE)) {
                reopen(group, Refusals.SHORTLY, closedAt);
                return;
            }
            plan.open(group);
            link.work().addCatchUp(group.questions(), Math.max(0, closedAt - OVERLAP));
            if (plan.isAllOpen()) {
                missedSince = OptionalLong.empty();
            }
        });
    }
}
