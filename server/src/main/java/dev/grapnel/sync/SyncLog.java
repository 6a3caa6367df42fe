package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.received.IntakeNotes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Writes down what sync does (sync 9.2): one line each, no word of a relay's own. Belongs to the loop.
///
/// What a relay can make happen again and again is worth a line an hour; the rest of it is for who looks closely.
public final class SyncLog implements Consumer<SyncNote>, IntakeNotes {
    private static final Logger LOG = LoggerFactory.getLogger(SyncLog.class);
    private static final Duration QUIET = Duration.ofHours(1);
    private static final Duration SUMMARY = Duration.ofMinutes(1);

    /// A few topics for each of as many relays as are followed.
    private static final int TOLD_MAX = 10_000;

    private final InstantSource clock;
    private final Consumer<Line> out;

    /// What was told when, the latest at the end.
    private final Map<Topic, Instant> told = new LinkedHashMap<>();

    /// Relays that have to wait, since that was told.
    private long keptWaiting;

    private Instant keptWaitingTold = Instant.EPOCH;

    /// Events that were looked at again, since that was told.
    private int readmitted;

    private int refetched;
    private Instant reprocessedTold = Instant.EPOCH;

    private record Topic(RemoteUrl relay, String what) {}

    /// One line.
    ///
    /// @param cause a fault of our own, with its stack
    record Line(Level level, String text, Optional<Throwable> cause) {}

    public SyncLog(InstantSource clock) {
        this(clock, SyncLog::write);
    }

    SyncLog(InstantSource clock, Consumer<Line> out) {
        this.clock = clock;
        this.out = out;
    }

    private static void write(Line line) {
        var log = LOG.atLevel(line.level());
        line.cause().map(log::setCause).orElse(log).log(line.text());
    }

    private void line(Level level, String text) {
        out.accept(new Line(level, text, Optional.empty()));
    }

    private void info(String text) {
        line(Level.INFO, text);
    }

    private void warn(String text) {
        line(Level.WARN, text);
    }

    private void debug(String text) {
        line(Level.DEBUG, text);
    }

    @Override
    public void accept(SyncNote note) {
        switch (note) {
            case SyncNote.Registered(var relay) -> info("sync.registered relay=" + relay);
            case SyncNote.Removed(var relay, boolean isWaiting) ->
                info("sync.removed relay=" + relay + " reason=\""
                        + (isWaiting ? "others have its place" : "nobody names it") + "\"");
            case SyncNote.Attempted _, SyncNote.Looked _ -> {
                // told by what came of it, or a number only
            }
            case SyncNote.Unreachable(var relay, var failure) ->
                line(
                        newsLevel(relay, "unreachable"),
                        "sync.unreachable relay=" + relay + " reason=\"" + failure.text() + "\"");
            case SyncNote.Declined(var relay, int status) ->
                line(newsLevel(relay, "declined"), "sync.declined relay=" + relay + " status=" + status);
            case SyncNote.Disconnected gone -> disconnected(gone);
            case SyncNote.Parked(var relay, var reason) ->
                info("sync.policy_limited relay=" + relay + " reason=\"" + reason + "\"");
            case SyncNote.Resumed(var relay) -> info("sync.rate_limit_over relay=" + relay);
            case SyncNote.AtRelay(var relay, var there) -> atRelay(relay, there);
            case SyncNote.Health(var health) -> health(health);
            case SyncNote.Bootstrapped(var relay, long accepted) ->
                info("sync.bootstrap relay=" + relay + " accepted=" + accepted
                        + (accepted > 0
                                ? ""
                                : ": no announcement there was new; if nothing of it is here either, the domain of"
                                        + " this server or the address of that relay may be wrong"));
            case SyncNote.BootstrapIsOwn(var relay) ->
                warn("sync.bootstrap_ignored relay=" + relay + " reason=\"it is this server\"");
            case SyncNote.Drifted(int differences) ->
                line(
                        Level.ERROR,
                        "sync.target_drift items=" + differences
                                + ": what was wanted was not what the store says; it is repaired, and a defect");
            case SyncNote.ClockSet(long seconds) ->
                warn("sync.clock_set seconds=" + seconds + ": every relay is compared in full soon");
            case SyncNote.Ready(int repositories, int roots, int relays) ->
                info("sync.ready repos=" + repositories + " roots=" + roots + " relays=" + relays);
        }
    }

    private void disconnected(SyncNote.Disconnected gone) {
        boolean isFlood = gone.reason().equals(Link.FLOODED);
        var reason = gone.reason().isEmpty() ? gone.failure().text() : gone.reason();
        line(
                isFlood ? Level.WARN : Level.INFO,
                "sync.disconnected relay=" + gone.relay() + " gen=" + gone.generation() + " state=\""
                        + gone.before().text() + "\" reason=\"" + reason + "\""
                        + (gone.isPlanned() ? " planned=true" : ""));
    }

    private void atRelay(RemoteUrl relay, LinkNote note) {
        var at = " relay=" + relay;
        switch (note) {
            case LinkNote.Connected(var strategy, var gap, int generation) ->
                info("sync.connected" + at + " gen=" + generation + " strategy=" + strategy + " gap="
                        + gap.toSeconds());
            case LinkNote.Complete(int repositories, long roots, boolean isDoubtful, boolean isDaily) ->
                info((isDaily ? "sync.daily_complete" : "sync.complete") + at + " repos=" + repositories + " roots="
                        + roots + " doubts=" + isDoubtful);
            case LinkNote.Eose(var subscription) -> debug("sync.eose" + at + " sub=" + subscription);
            case LinkNote.Daily(boolean isPostponed) ->
                info((isPostponed ? "sync.daily_postponed" : "sync.daily") + at);
            case LinkNote.BatchEnded(var purpose, var result) ->
                debug("sync.batch" + at + " purpose=" + purpose.label() + " result=" + result);
            case LinkNote.OverQuota _ ->
                line(
                        newsLevel(relay, "quota"),
                        "sync.over_quota" + at + ": it has more new announcements or GRASP lists than are taken of a"
                                + " relay in an hour");
            case LinkNote.Page _ -> debug("sync.page" + at);
            case LinkNote.PageOverflow _ ->
                line(
                        newsLevel(relay, "page_overflow", Level.WARN),
                        "sync.page_overflow" + at + ": one second has more events of one value than a page; some may be"
                                + " missing");
            case LinkNote.Watchdog(var kind, boolean _) -> debug("sync.no_eose" + at + " class=" + kind);
            case LinkNote.Junk(var reason) -> debug("sync.junk" + at + " reason=" + reason);
            case LinkNote.Missed _ -> debug("sync.missed" + at);
            case LinkNote.Noticed(var meaning) -> debug("sync.notice" + at + " meaning=" + meaning);
            case LinkNote.Structural(var limit) -> info("sync.limit_learned" + at + " limit=" + limit);
            case LinkNote.Fruitless(var limit) ->
                line(newsLevel(relay, limit), "sync.limit_without_end" + at + " limit=" + limit);
            case LinkNote.Refused(var meaning) -> debug("sync.refused" + at + " meaning=" + meaning);
            case LinkNote.Chatter _ ->
                line(
                        newsLevel(relay, "chatter", Level.WARN),
                        "sync.chatter" + at + " what=\"messages that answer nothing\"");
            case LinkNote.RateLimited _ -> debug("sync.rate_refusal" + at);
            case LinkNote.PolicyRefusal(var category) ->
                line(newsLevel(relay, category), "sync.policy_refusal" + at + " category=" + category);
            case LinkNote.Consolidated(var result, int before, int after) ->
                line(
                        result.equals("done") ? Level.INFO : Level.DEBUG,
                        "sync.consolidated" + at + " result=" + result + " before=" + before + " after=" + after);
            case LinkNote.GivenUp(int before, int after) ->
                info((after > before ? "sync.classes_given_up" : "sync.classes_restored") + at + " before=" + before
                        + " after=" + after);
            case LinkNote.Width(int before, int after) ->
                info("sync.width" + at + " before=" + before + " after=" + after);
            case LinkNote.Compared(var result) -> debug("sync.compared" + at + " result=" + result);
            case LinkNote.Ids(var kind, int count) -> debug("sync.ids" + at + " class=" + kind + " items=" + count);
            case LinkNote.Hydrated(var phase, var outcome, int count) ->
                debug("sync.hydrated" + at + " phase=" + phase + " outcome=" + outcome + " items=" + count);
            case LinkNote.Verdict(var verdict) -> info("sync.verdict" + at + " reason=\"" + verdict + "\"");
            case LinkNote.AuthenticationFailed _ ->
                line(newsLevel(relay, "authentication"), "sync.authentication_failed" + at);
            case LinkNote.AnnouncementsComplete(long accepted) ->
                debug("sync.announcements_complete" + at + " accepted=" + accepted);
        }
    }

    private void health(HealthNote note) {
        switch (note) {
            case HealthNote.Naughty(var relay, var fault, var until, boolean isFirst) ->
                line(
                        isFirst ? Level.WARN : Level.DEBUG,
                        "sync.naughty relay=" + relay + " category=" + fault.category() + " until=" + until);
            case HealthNote.NaughtyOver(var relay) -> info("sync.naughty_over relay=" + relay);
            case HealthNote.Died(var relay) ->
                warn("sync.dead relay=" + relay + ": it failed for a day and is tried once a day from now on");
            case HealthNote.CoolingDown(var relay, var length) ->
                info("sync.rate_limited relay=" + relay + " seconds=" + length.toSeconds());
            case HealthNote.TurnedAway(var relay, int status) ->
                info("sync.policy_limited relay=" + relay + " status=" + status);
            case HealthNote.KeptWaiting _ -> keptWaiting();
            case HealthNote.CutOff _ ->
                warn("sync.cut_off: no relay can be reached, so this server's own network is blamed");
            case HealthNote.BackOnline _ -> info("sync.back_online");
            case HealthNote.Forgotten(var reason) ->
                warn("sync.health_unreadable reason=\"" + reason + "\": nothing is known of relays from before");
            case HealthNote.NotWritten(var cause) -> warn("sync.health_unwritten reason=\"" + cause + "\"");
        }
    }

    /// Anybody can name relays, so a line an hour tells of all of them.
    private void keptWaiting() {
        keptWaiting++;
        var now = clock.instant();
        if (!now.isBefore(keptWaitingTold.plus(QUIET))) {
            info("sync.waiting relays=" + keptWaiting
                    + ": as many relays are followed as may be (--sync-max-relays), so" + " these wait");
            keptWaitingTold = now;
            keptWaiting = 0;
        }
    }

    // ---- received events

    @Override
    public void refusedMissing() {
        debug("sync.refused_missing: nothing is known of events that were refused before");
    }

    @Override
    public void refusedUnusable(String file, String reason) {
        warn("sync.refused_unreadable file=" + file + " reason=\"" + reason + "\": what was in it is forgotten");
    }

    @Override
    public void refusedUnwritten(String file, IOException problem) {
        warn("sync.refused_unwritten file=" + file + " reason=\"" + problem + "\"");
    }

    @Override
    public void refusedOutdated() {
        info("sync.refused_outdated: the rules have changed, so everything that was refused may come again");
    }

    /// A line a minute: whoever sends answers before what they answer could have as many as events.
    @Override
    public void reprocessed(int readmittedNow, int refetchedNow) {
        readmitted += readmittedNow;
        refetched += refetchedNow;
        var now = clock.instant();
        if (readmitted + refetched > 0 && !now.isBefore(reprocessedTold.plus(SUMMARY))) {
            info("sync.reprocessed items=" + (readmitted + refetched) + " readmitted=" + readmitted + " refetched="
                    + refetched);
            readmitted = 0;
            refetched = 0;
            reprocessedTold = now;
        }
    }

    /// INFO for the first of an hour, DEBUG after.
    private Level newsLevel(RemoteUrl relay, String what) {
        return newsLevel(relay, what, Level.INFO);
    }

    /// What was told longest ago is forgotten first.
    private Level newsLevel(RemoteUrl relay, String what, Level first) {
        var topic = new Topic(relay, what);
        var now = clock.instant();
        var before = told.get(topic);
        if (before != null && before.plus(QUIET).isAfter(now)) {
            return Level.DEBUG;
        }
        told.remove(topic);
        told.put(topic, now);
        if (told.size() > TOLD_MAX) {
            told.remove(told.keySet().iterator().next());
        }
        return first;
    }
}
