package dev.grapnel.server;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntNote;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes down what hunting does (purgatory 10.2). URLs stand here cleaned, and nothing that a stranger's server
/// said.
final class HuntLog implements Consumer<HuntNote> {
    private static final Logger LOG = LoggerFactory.getLogger(HuntLog.class);
    private static final int DOMAINS_MAX = 1_000;

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Host, Long> told = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Host, Long> eldest) {
            return size() > DOMAINS_MAX;
        }
    };

    HuntLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public void accept(HuntNote note) {
        switch (note) {
            case HuntNote.Queued(var identifier, var delay, long generation) ->
                LOG.debug("hunt.queued identifier={} delay={} generation={}", identifier, delay, generation);
            case HuntNote.Started(var identifier, long generation) ->
                LOG.debug("hunt.started identifier={} generation={}", identifier, generation);
            case HuntNote.Finished(var identifier, int oids, int urls, var duration) ->
                LOG.info("hunt.finished identifier={} oids={} urls={} duration={}", identifier, oids, urls, duration);
            case HuntNote.Incomplete(var identifier, var _, int attempt, int missing, var next) ->
                LOG.debug(
                        "hunt.incomplete identifier={} attempt={} missing={} next_delay={}",
                        identifier,
                        attempt,
                        missing,
                        next);
            case HuntNote.Stuck(var identifier, var after) ->
                LOG.error("hunt.stuck identifier={} after={}", identifier, after);
            case HuntNote.Broke(var identifier, var cause) -> LOG.error("hunt.broke identifier={}", identifier, cause);
            case HuntNote.Visited visited ->
                LOG.debug(
                        "hunt.url identifier={} url={} result={} advertised={} speculative={} oids={}",
                        visited.identifier(),
                        clean(visited.url().text()),
                        visited.result(),
                        visited.advertised(),
                        visited.speculative(),
                        visited.oids());
            case HuntNote.Failed(var domain, var failure) -> failed(domain, failure.label());
            case HuntNote.Refreshed(var identifier, boolean isMoved) ->
                LOG.debug("hunt.refreshed identifier={} cause=copy moved={}", identifier, isMoved);
            case HuntNote.Hedged(var identifier, var second) ->
                LOG.debug("hunt.hedged identifier={} second={}", identifier, second);
            case HuntNote.Enqueued(var domain, var identifier) ->
                LOG.debug("throttle.queued domain={} identifier={}", domain, identifier);
            case HuntNote.Woken(var domain, var identifier) ->
                LOG.debug("throttle.woken domain={} identifier={}", domain, identifier);
            case HuntNote.Naughty naughty -> naughty(naughty);
            case HuntNote.UrlRefused(var domain, var rule) ->
                LOG.debug(
                        "url.refused domain={} rule={}",
                        domain.map(Host::toString).orElse("none"),
                        rule);
            case HuntNote.DormantRevived(var event, var identifier, var domain) ->
                LOG.info("dormant.revived event={} identifier={} domain={}", event, identifier, domain);
            case HuntNote.Requested _,
                    HuntNote.Asked _,
                    HuntNote.Deferred _,
                    HuntNote.HedgeEnded _,
                    HuntNote.Throttled _,
                    HuntNote.DormantChecked _ -> {
                // counted, not told
            }
        }
    }

    /// The first of a domain within an hour is worth a warning.
    private void failed(Host domain, String failure) {
        if (isFirst(domain)) {
            LOG.warn("hunt.fetch_failed domain={} class={}", domain, failure);
        } else {
            LOG.debug("hunt.fetch_failed domain={} class={}", domain, failure);
        }
    }

    private boolean isFirst(Host domain) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            var last = told.get(domain);
            boolean isFirst = last == null || now - last >= Duration.ofHours(1).toNanos();
            if (isFirst) {
                told.put(domain, now);
            }
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    private static void naughty(HuntNote.Naughty note) {
        if (note.isFirst()) {
            LOG.warn(
                    "domain.naughty domain={} class={} until={}",
                    note.domain(),
                    note.cause().label(),
                    note.until());
        } else {
            LOG.debug(
                    "domain.naughty domain={} class={} until={}",
                    note.domain(),
                    note.cause().label(),
                    note.until());
        }
    }

    /// P-811; a URL that may be asked has neither query nor user info.
    private static String clean(String url) {
        return url.length() <= 200 ? url : url.substring(0, 200);
    }
}
