package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Patience.Kind;
import java.time.Duration;

/// What follows when a relay closes a live group (R4.20): by what its words mean it is opened again, and what came
/// meanwhile is asked for.
final class LiveClosings {
    private static final Duration REOPEN_MAX = Duration.ofMinutes(5);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final int SILENCES_MAX = 3;

    /// As what silence counts: nobody knows why.
    private static final String SILENT = "";

    private final Link link;
    private final LivePlan plan;
    private final RefusedFilters refused;

    LiveClosings(Link link, LivePlan plan) {
        this.link = link;
        this.plan = plan;
        this.refused = link.work().refusedFilters();
    }

    void closed(LiveGroup group, String text) {
        if (!plan.isCurrent(group)) {
            group.setClosed();
            return;
        }
        group.missed(link.loop().wall().getEpochSecond());
        link.freeze(); // while it still counts as open
        group.setClosed();
        var line = RefusalLine.of(text, false);
        link.lessons().refused(line);
        switch (line) {
            case OPEN_BYTES, FILTER_COUNT, ITEMS, SESSIONS, VALUES, LIMIT, SUBSCRIPTIONS -> limited(group, line, text);
            case AUTH -> authenticate(group);
            case RATE -> {
                link.lessons().slowDown(RefusalLine.namesQueries(text));
                reopen(group, Refusals.SHORTLY);
            }
            case POLICY -> park(group, text);
            case INVALID -> halve(group, text);
            case OTHER -> {
                link.note(new LinkNote.Refused(line.word()));
                reopen(group, wait(group.countClosing()));
            }
        }
    }

    /// A NOTICE refused what was just sent (R4.21).
    void refuseSilent(Duration within, String text) {
        plan.all().filter(group -> group.isUnanswered(within)).toList().forEach(group -> refuse(group, text));
    }

    boolean isRefusedAll() {
        return plan.all().allMatch(this::isShut);
    }

    /// Whether the relay refuses to stream something.
    boolean isRefusedAny() {
        return plan.all().anyMatch(this::isShut);
    }

    private boolean isShut(LiveGroup group) {
        return group.isParked() || (!group.isOpen() && link.patience().rests(Kind.LIVE));
    }

    /// A group counts as refused, although the relay did not close it.
    void refuse(LiveGroup group, String text) {
        plan.close(group);
        closed(group, text);
    }

    /// Nothing came for it, not even its EOSE, although the relay ends other requests: some refuse by a NOTICE
    /// (R4.21), and would never stream it. Relays that never say EOSE for what is streamed are left in peace soon.
    void silent(LiveGroup group) {
        boolean answersOthers = plan.isAnswered() || link.work().hasEnded();
        if (plan.isCurrent(group) && answersOthers && group.countSilence() < SILENCES_MAX) {
            long age = (link.loop().nanos() - group.openedAt()) / 1_000_000_000;
            group.missed(link.loop().wall().getEpochSecond() - age);
            refuse(group, SILENT);
        }
    }

    /// It meets a limit. What can be made no smaller is opened once more, and then left alone for a day.
    private void limited(LiveGroup group, RefusalLine line, String text) {
        boolean isOutgrown = isOutgrown(group, line);
        if (!isOutgrown && link.lessons().learn(line, text, Kind.LIVE)) {
            reopen(group, isMended(line) ? AT_ONCE : wait(group.countClosing()));
            return;
        }
        int before = group.countClosing();
        if (isOutgrown || line.isAboutRoom() || before == 0) {
            reopen(group, wait(before));
        } else {
            rest(group);
        }
    }

    /// Perhaps it is too much at once (line 11).
    private void halve(LiveGroup group, String text) {
        int before = group.countClosing();
        boolean isLess = (before == 0 && group.filterCount() > 1 && lessen(group, RefusalLine.FILTER_COUNT, text))
                || (before < 2 && group.width() > 1 && lessen(group, RefusalLine.VALUES, text));
        if (isLess) {
            reopen(group, Refusals.SHORTLY);
        } else {
            park(group, text);
        }
    }

    /// Whether less is sent at once from now on than this.
    private boolean lessen(LiveGroup group, RefusalLine line, String text) {
        return isOutgrown(group, line) || link.lessons().learn(line, text);
    }

    private static Duration wait(int before) {
        var time = Refusals.SHORTLY.multipliedBy(1L << Math.min(before, 10));
        return time.compareTo(REOPEN_MAX) > 0 ? REOPEN_MAX : time;
    }

    private void authenticate(LiveGroup group) {
        if (!group.mayAuthenticate()) {
            park(group, "auth-required");
            return;
        }
        link.authentication().over(isKnown -> {
            if (isKnown) {
                reopen(group, AT_ONCE);
            } else {
                park(group, "auth-required");
            }
        });
    }

    /// Whether what is sent next is another than what was refused, so that nothing need be waited for.
    private static boolean isMended(RefusalLine line) {
        return switch (line) {
            case OPEN_BYTES, FILTER_COUNT, VALUES, LIMIT -> true;
            case ITEMS, SESSIONS, SUBSCRIPTIONS, AUTH, RATE, POLICY, INVALID, OTHER -> false;
        };
    }

    /// Whether it is larger than what is sent since: several groups are refused at once for one limit.
    private boolean isOutgrown(LiveGroup group, RefusalLine line) {
        var bearing = link.bearing();
        return (line == RefusalLine.FILTER_COUNT && group.filterCount() > bearing.filtersPerRequest())
                || (line == RefusalLine.VALUES
                        && group.width() > bearing.sizes(plan.isWide()).width());
    }

    /// Whether just these filters were refused lately, or all, on whatever connection (R4.3); they are opened when that
    /// is
    /// over.
    boolean isRefused(LiveGroup group) {
        var left = restOf(group);
        group.setParked(left.isPositive());
        if (left.isPositive()) {
            group.missed(link.loop().wall().getEpochSecond());
            reopen(group, left);
        }
        return left.isPositive();
    }

    private Duration restOf(LiveGroup group) {
        var own = refused.isEmpty() ? Duration.ZERO : refused.left(group.fingerprint());
        var ofAll = link.patience().left(Kind.LIVE);
        return own.compareTo(ofAll) > 0 ? own : ofAll;
    }

    private void park(LiveGroup group, String text) {
        link.note(new LinkNote.PolicyRefusal(Refusals.category(text)));
        link.lessons().refused(Kind.LIVE, RefusalLine.POLICY);
        rest(group);
    }

    private void rest(LiveGroup group) {
        group.setParked(true);
        refused.add(group.fingerprint(), Refusals.POLICY_TIME);
        reopen(group, Refusals.POLICY_TIME);
        link.look();
    }

    private void reopen(LiveGroup group, Duration wait) {
        var at = link.generation();
        link.loop().after(wait, () -> {
            if (at != link.generation() || !link.isUp() || !plan.isCurrent(group) || group.isOpen()) {
                return;
            }
            plan.openWhenRoom(group);
        });
    }

    /// Asks for what groups missed that were closed and deliver again.
    void catchUp() {
        plan.all().toList().forEach(this::catchUp);
    }

    /// Asks for what was missed by a group that delivers again. Not before: it may be closed again at once, and every
    /// time would leave another question.
    private void catchUp(LiveGroup group) {
        group.takeMissed().ifPresent(since -> plan.missed(group, since));
    }
}
