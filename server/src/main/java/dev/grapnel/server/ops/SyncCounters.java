package dev.grapnel.server.ops;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.server.ops.Tallies.Family;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.Purpose;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.received.EventType;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.world.Gate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Counts what sync does (sync 9.1), by the names dashboards know; what is so at the moment is written by [SyncGauges].
///
/// Told on the loop of sync, read by whoever scrapes.
public final class SyncCounters implements Consumer<SyncNote>, IntakeCounts {
    private static final Duration[] TIMES = {
        Duration.ofMillis(1),
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final Tallies tallies = new Tallies();
    private final RelayLabels labels = new RelayLabels();
    private final Family attempts =
            tallies.family("connection_attempts_total", "Handshakes with relays that came to an end", "result");
    private final Family events = tallies.family("events_total", "Events newly stored, by the way they came", "source");
    private final Family synced = tallies.family("events_synced_total", "Events newly stored");
    private final Family gaps =
            tallies.family("gap_events_total", "Events that the stream of a relay should have brought before");
    private final Family hotHits = byType("rejected_hot_cache_hits_total", "Refused events judged again at once");
    private final Family hotMisses = byType("rejected_hot_cache_misses_total", "Refused events fetched once more");
    private final Family hotExpired = byType("rejected_hot_cache_expired_total", "Refused events let go by age");
    private final Family coldExpired = byType("rejected_cold_index_expired_total", "Refusals forgotten by age");
    private final Family invalidated =
            byType("rejected_invalidated_total", "Refusals forgotten because what was missing came");
    private final Family batches = tallies.family("batch_results_total", "What became of batches", "purpose", "result");
    private final Family consolidations = tallies.family("consolidations_total", "Live filters packed anew", "result");
    private final Family pages = tallies.family("historic_pages_total", "Pages of stored events asked for");
    private final Family overflows =
            tallies.family("page_overflow_total", "Seconds with more events than a page holds");
    private final Family silences = tallies.family("eose_timeouts_total", "Requests that were not answered to the end");
    private final Family sessions = tallies.family("negentropy_sessions_total", "Comparisons", "result");
    private final Family ids = tallies.family("negentropy_ids_total", "Ids that comparisons showed", "class");
    private final Family rateLimited = tallies.family("rate_limited_total", "How often a relay wanted fewer requests");
    private final Family structural = tallies.family("structural_limits_total", "Limits of relays that were met");
    private final Family policy =
            tallies.family("policy_refusals_total", "Requests that relays refuse for good", "category");
    private final Family hydration =
            tallies.family("hydration_events_total", "Events asked for by id after comparisons", "phase", "outcome");
    private final Family watchdog =
            tallies.family("transient_req_watchdog_total", "Requests that we ended", "class", "outcome");
    private final Family junk = tallies.family("junk_total", "What came and nobody asked for", "reason");
    private final Family daily = tallies.family("daily_resyncs_total", "Daily comparisons", "result");
    private final Family drift = tallies.family("target_drift_total", "Differences of the index from the store");
    private final Family refusedUrls =
            tallies.family("refused_relay_urls_total", "Relays that are not connected to", "reason");
    /// Why relays that are followed may not be connected to, as it was the last time.
    private final Map<RemoteUrl, Rule> refused = new ConcurrentHashMap<>();

    private final Timer diffTime;
    private final Timer turnTime;
    private final Timer admitTime;

    SyncCounters(MeterRegistry registry) {
        diffTime = timer(registry, "diff_seconds", "How long relays take to be given what is newly wanted");
        turnTime = timer(registry, "loop_turn_seconds", "How long tasks of sync take");
        admitTime = timer(registry, "admit_seconds", "How long the gate takes for a synced event");
        zero(synced);
        zero(drift);
        zero(refusedUrls, "too_many", "no_place");
        zero(daily, "done", "postponed");
        zero(consolidations, "done", "no_gain", "merged");
        zero(sessions, "ok", "blocked", "unsupported", "timeout", "broken");
        zero(ids, "needed", "excluded", "fetched", "phantom");
        for (var path : Path.values()) {
            zero(events, word(path));
        }
        for (var type : EventType.values()) {
            List.of(hotHits, hotMisses, hotExpired, coldExpired, invalidated)
                    .forEach(family -> zero(family, word(type)));
        }
        for (var purpose : Purpose.values()) {
            for (var result : List.of("confirmed", "parked", "cancelled", "doubt")) {
                var _ = tallies.at(batches, purpose.label(), result);
            }
        }
        for (var kind : List.of(
                "historic_page",
                "catchup",
                "negentropy_hydration",
                "negentropy_retry",
                "negentropy_fallback",
                "sweep")) {
            var _ = tallies.at(watchdog, kind, "closed");
            var _ = tallies.at(watchdog, kind, "close_failed");
        }
    }

    private Family byType(String name, String help) {
        return tallies.family(name, help, "event_type");
    }

    private void zero(Family family, String... words) {
        if (words.length == 0) {
            var _ = tallies.at(family);
        }
        for (var word : words) {
            var _ = tallies.at(family, word);
        }
    }

    private static Timer timer(MeterRegistry registry, String name, String help) {
        return Timer.builder("ngit_sync_" + name)
                .description(help)
                .serviceLevelObjectives(TIMES)
                .register(registry);
    }

    /// Writes all of it, and how things are now.
    void write(SyncView view, StringBuilder out) {
        var picture = view.picture();
        picture.ifPresent(now -> {
            var refused = tallies.at(refusedUrls, "too_many");
            refused.add(now.index().refusedRelays() - refused.sum());
        });
        var text = new SampleText(out);
        tallies.write(text);
        picture.ifPresent(now -> new SyncGauges(now, view.inboundBytes(), labels).write(text));
    }

    /// A task of the loop took so long.
    public void turned(long nanos) {
        turnTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    /// The same gate, with its time taken.
    ///
    /// @param nanoTime a clock that only runs forward
    public Gate timed(Gate gate, LongSupplier nanoTime) {
        return (event, relay, answer) -> {
            long begun = nanoTime.getAsLong();
            gate.admit(event, relay, ruling -> {
                admitTime.record(nanoTime.getAsLong() - begun, TimeUnit.NANOSECONDS);
                answer.accept(ruling);
            });
        };
    }

    @Override
    public void accept(SyncNote note) {
        switch (note) {
            case SyncNote.Registered(var relay) -> {
                var _ = labels.give(relay);
            }
            case SyncNote.Removed(var relay, var _) -> {
                refused.remove(relay);
                labels.take(relay).ifPresent(tallies::remove);
            }
            case SyncNote.Attempted(var relay, boolean isSuccess) ->
                at(relay, attempts, isSuccess ? "success" : "failure").increment();
            case SyncNote.Unreachable(var relay, var failure) -> {
                if (failure instanceof Failure.Policy(var rule, var _)) {
                    refused(relay, rule);
                }
            }
            case SyncNote.AtRelay(var relay, var there) -> count(relay, there);
            case SyncNote.Health(var health) -> count(health);
            case SyncNote.Drifted(int differences) -> tallies.at(drift).add(differences);
            case SyncNote.Looked(var _, var took) -> diffTime.record(took);
            case SyncNote.Declined _,
                    SyncNote.Disconnected _,
                    SyncNote.Parked _,
                    SyncNote.Resumed _,
                    SyncNote.Bootstrapped _,
                    SyncNote.BootstrapIsOwn _,
                    SyncNote.ClockSet _,
                    SyncNote.Ready _ -> {
                // the log tells, or a gauge does
            }
        }
    }

    /// Counts relays, not how often they were tried.
    private void refused(RemoteUrl relay, Rule rule) {
        if (refused.put(relay, rule) != rule) {
            tallies.at(refusedUrls, rule.word()).increment();
        }
    }

    private LongAdder at(RemoteUrl relay, Family family, String... values) {
        return tallies.atRelay(labels.give(relay), family, values);
    }

    private void structural(RemoteUrl relay, String limit) {
        at(relay, structural).increment();
        if (limit.equals("filter_count")) {
            at(relay, policy, limit).increment();
        }
    }

    private void count(RemoteUrl relay, LinkNote note) {
        switch (note) {
            case LinkNote.Complete(var _, var _, var _, boolean isDaily) -> {
                if (isDaily) {
                    tallies.at(daily, "done").increment();
                }
            }
            case LinkNote.Daily(boolean isPostponed) -> {
                if (isPostponed) {
                    tallies.at(daily, "postponed").increment();
                }
            }
            case LinkNote.BatchEnded(var purpose, var result) ->
                tallies.at(batches, purpose.label(), result).increment();
            case LinkNote.Page _ -> at(relay, pages).increment();
            case LinkNote.PageOverflow _ -> at(relay, overflows).increment();
            case LinkNote.Watchdog(var kind, boolean isClosed) -> {
                at(relay, silences).increment();
                tallies.at(watchdog, kind, isClosed ? "closed" : "close_failed").increment();
            }
            case LinkNote.Junk(var reason) -> at(relay, junk, reason).increment();
            case LinkNote.Missed _ -> at(relay, gaps).increment();
            case LinkNote.Structural(var limit) -> structural(relay, limit);
            case LinkNote.Fruitless(var limit) -> structural(relay, limit);
            case LinkNote.PolicyRefusal(var category) ->
                at(relay, policy, category).increment();
            case LinkNote.Consolidated(var result, var _, var _) ->
                tallies.at(consolidations, result).increment();
            case LinkNote.Compared(var result) -> tallies.at(sessions, result).increment();
            case LinkNote.Ids(var kind, int count) -> tallies.at(ids, kind).add(count);
            case LinkNote.Hydrated(var phase, var outcome, int count) ->
                at(relay, hydration, phase, outcome).add(count);
            case LinkNote.Connected _,
                    LinkNote.Refused _,
                    LinkNote.Chatter _,
                    LinkNote.OverQuota _,
                    LinkNote.Eose _,
                    LinkNote.Noticed _,
                    LinkNote.RateLimited _, // what is refused while we wait does not count (R4.29)
                    LinkNote.GivenUp _,
                    LinkNote.Width _,
                    LinkNote.Verdict _,
                    LinkNote.AuthenticationFailed _,
                    LinkNote.AnnouncementsComplete _ -> {
                // the log tells, or a gauge does
            }
        }
    }

    private void count(HealthNote note) {
        if (note instanceof HealthNote.CoolingDown(var relay, var _)) {
            at(relay, rateLimited).increment();
        } else if (note instanceof HealthNote.KeptWaiting) {
            tallies.at(refusedUrls, "no_place").increment();
        }
    }

    // ---- received events

    @Override
    public void stored(Path path) {
        tallies.at(events, word(path)).increment();
        tallies.at(synced).increment();
    }

    @Override
    public void hotHit(EventType type) {
        tallies.at(hotHits, word(type)).increment();
    }

    @Override
    public void hotMiss(EventType type) {
        tallies.at(hotMisses, word(type)).increment();
    }

    @Override
    public void hotExpired(EventType type) {
        tallies.at(hotExpired, word(type)).increment();
    }

    @Override
    public void coldExpired(EventType type) {
        tallies.at(coldExpired, word(type)).increment();
    }

    @Override
    public void invalidated(EventType type) {
        tallies.at(invalidated, word(type)).increment();
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
