package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Writes down what hunting does (purgatory 10.2). A server that keeps failing is worth one line an hour.
public final class HuntLog implements Consumer<HuntNote> {
    private static final Logger LOG = LoggerFactory.getLogger(HuntLog.class);
    private static final Duration QUIET = Duration.ofHours(1);
    private static final int DOMAINS_MAX = 1000;
    private static final int URL_MAX = 200;

    private final InstantSource clock;
    private final Consumer<Line> out;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Host, Instant> failedAt = new Recent<>(DOMAINS_MAX, (_, _) -> {});

    /// One line.
    ///
    /// @param cause a fault of our own, with its stack
    record Line(Level level, String text, Optional<Throwable> cause) {}

    public HuntLog(InstantSource clock) {
        this(clock, HuntLog::write);
    }

    HuntLog(InstantSource clock, Consumer<Line> out) {
        this.clock = clock;
        this.out = out;
    }

    private static void write(Line line) {
        var log = LOG.atLevel(line.level());
        line.cause().map(log::setCause).orElse(log).log(line.text());
    }

    @Override
    public void accept(HuntNote note) {
        line(note).ifPresent(out);
    }

    private Optional<Line> line(HuntNote note) {
        return switch (note) {
            case HuntNote.Queued(var identifier, var delay, var generation) ->
                debug("hunt.queued identifier=" + identifier + " delay=" + delay + " generation=" + generation);
            case HuntNote.Started(var identifier, var generation) ->
                debug("hunt.started identifier=" + identifier + " generation=" + generation);
            case HuntNote.Finished(var identifier, var oids, var urls, var duration) ->
                line(
                        Level.INFO,
                        "hunt.finished identifier=" + identifier + " oids=" + oids + " urls=" + urls + " duration="
                                + duration);
            case HuntNote.Incomplete incomplete -> debug(text(incomplete));
            case HuntNote.Stuck(var identifier, var after) ->
                line(
                        Level.ERROR,
                        "hunt.stuck identifier=" + identifier + " after=" + after
                                + ": given up and tried again; a fetch that ignores its limits is a defect");
            case HuntNote.Broke(var identifier, var cause) ->
                Optional.of(new Line(Level.ERROR, "hunt.error identifier=" + identifier, Optional.of(cause)));
            case HuntNote.Visited visited -> debug(text(visited));
            case HuntNote.Failed(var domain, var failure, var reason) ->
                line(
                        isOdd(failure) && isNews(domain) ? Level.WARN : Level.DEBUG,
                        "hunt.fetch_failed domain=" + domain + " class=" + failure.label()
                                + (reason.isEmpty() ? "" : " reason=\"" + reason + "\""));
            case HuntNote.Refreshed(var identifier, var isMoved) ->
                isMoved ? debug("hunt.refreshed identifier=" + identifier + " cause=copy") : Optional.empty();
            case HuntNote.Hedged(var identifier, var second) ->
                debug("hunt.hedged identifier=" + identifier + " second=" + second);
            case HuntNote.Enqueued(var domain, var identifier, var cause) ->
                debug("throttle.queued domain=" + domain + " identifier=" + identifier + " cause="
                        + cause.map(HuntLog::word).orElse("none"));
            case HuntNote.Woken(var domain, var identifier) ->
                debug("throttle.woken domain=" + domain + " identifier=" + identifier + " cause=permit");
            case HuntNote.Naughty(var domain, var cause, var until, var isFirst) ->
                line(
                        isFirst ? Level.WARN : Level.DEBUG,
                        "domain.naughty domain=" + domain + " class=" + cause.label() + " until=" + until);
            case HuntNote.UrlRefused(var domain, var rule) ->
                debug("url.refused domain=" + domain.map(Host::text).orElse("none") + " rule=" + rule);
            case HuntNote.DormantRevived(var event, var identifier, var domain) ->
                line(Level.INFO, "dormant.revived event=" + event + " identifier=" + identifier + " domain=" + domain);
            case HuntNote.Requesting _,
                    HuntNote.Requested _,
                    HuntNote.Asked _,
                    HuntNote.Deferred _,
                    HuntNote.HedgeEnded _,
                    HuntNote.Throttled _,
                    HuntNote.DormantChecked _ -> Optional.empty(); // numbers only
        };
    }

    private static String word(Obstacle obstacle) {
        return obstacle.name().toLowerCase(Locale.ROOT);
    }

    private static String text(HuntNote.Incomplete incomplete) {
        return "hunt.incomplete identifier=" + incomplete.identifier() + " attempt=" + incomplete.attempt()
                + " missing=" + incomplete.missing() + " next_delay=" + incomplete.nextDelay();
    }

    private static String text(HuntNote.Visited visited) {
        return "hunt.url identifier=" + visited.identifier() + " url="
                + clean(visited.url().text()) + " result=" + visited.result() + " advertised=" + visited.advertised()
                + " speculative=" + visited.speculative() + " oids=" + visited.oids();
    }

    /// Without what nobody should read, and short (P-811).
    static String clean(String url) {
        int question = url.indexOf('?');
        var plain = (question < 0 ? url : url.substring(0, question)).replaceFirst("//[^/@]*@", "//");
        var printable = plain.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= URL_MAX ? printable : printable.substring(0, URL_MAX);
    }

    /// That strangers publish addresses which are not for us is the rule rather than the exception.
    private static boolean isOdd(Failure failure) {
        return !(failure instanceof Failure.Forbidden);
    }

    private boolean isNews(Host domain) {
        var now = clock.instant();
        lock.lock();
        try {
            var before = failedAt.get(domain);
            boolean isNews = before == null || !before.plus(QUIET).isAfter(now);
            if (isNews) {
                failedAt.put(domain, now);
            }
            return isNews;
        } finally {
            lock.unlock();
        }
    }

    private static Optional<Line> debug(String text) {
        return line(Level.DEBUG, text);
    }

    private static Optional<Line> line(Level level, String text) {
        return Optional.of(new Line(level, text, Optional.empty()));
    }
}
