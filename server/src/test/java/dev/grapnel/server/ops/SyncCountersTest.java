package dev.grapnel.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.sync.MadeUpSync;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.Purpose;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.received.EventType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Numbers of sync by the names of sync 9.1. Row 148: each gauge is what the picture says.
final class SyncCountersTest {
    private static final String A = "wss://a.example";
    private static final RemoteUrl RELAY = MadeUpSync.url(A);

    private final Metrics metrics = new Metrics(
            new Build("1.2.3", "abc", "https://grapnel.example"), () -> 0, java.nio.file.Path.of("/nonexistent"));
    private final SyncCounters counters = metrics.sync();

    @AfterEach
    void close() {
        metrics.close();
    }

    private void show(SyncPicture picture) {
        picture.relays().forEach(relay -> counters.accept(new SyncNote.Registered(relay.url())));
        metrics.sync(new SyncView() {
            @Override
            public boolean isOn() {
                return true;
            }

            @Override
            public Optional<SyncPicture> picture() {
                return Optional.of(picture);
            }

            @Override
            public int compareNow(Optional<RemoteUrl> one) {
                return 0;
            }

            @Override
            public long inboundBytes() {
                return 77;
            }
        });
    }

    private void at(LinkNote note) {
        counters.accept(new SyncNote.AtRelay(RELAY, note));
    }

    private List<String> lines() {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("ngit_sync_"))
                .toList();
    }

    private void assertLines(String... expected) {
        var lines = lines();
        for (var line : expected) {
            assertTrue(lines.contains("ngit_sync_" + line), line + " is not in\n" + String.join("\n", lines));
        }
    }

    @Test
    void everyNameIsThereWithItsType() {
        show(MadeUpSync.picture(MadeUpSync.well(A)));
        var types = new TreeSet<String>();
        metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("# TYPE ngit_sync_"))
                .map(line -> line.substring("# TYPE ngit_sync_".length()))
                // a library adds the longest time of late to each histogram
                .filter(line -> !line.contains("_seconds_max "))
                .forEach(types::add);
        assertEquals(
                List.of(
                        "admit_seconds histogram",
                        "batch_results_total counter",
                        "batches_in_flight gauge",
                        "batches_parked gauge",
                        "classes_given_up gauge",
                        "connection_attempts_total counter",
                        "consolidations_total counter",
                        "coverage_lag_seconds gauge",
                        "daily_resyncs_total counter",
                        "diff_seconds histogram",
                        "dirty_pairs gauge",
                        "eose_timeouts_total counter",
                        "events_synced_total counter",
                        "events_total counter",
                        "filter_width gauge",
                        "gap_events_total counter",
                        "historic_pages_total counter",
                        "hydration_events_total counter",
                        "inbound_bytes gauge",
                        "junk_total counter",
                        "ledger_slots gauge",
                        "live_filters gauge",
                        "live_items_sweep_only gauge",
                        "loop_turn_seconds histogram",
                        "naughty_relays_total gauge",
                        "negentropy_bytes gauge",
                        "negentropy_ids_total counter",
                        "negentropy_sessions_total counter",
                        "oldest_batch_seconds gauge",
                        "page_overflow_total counter",
                        "pairs gauge",
                        "policy_refusals_total counter",
                        "rate_limited_total counter",
                        "refused_relay_urls_total counter",
                        "rejected_cold_index_current gauge",
                        "rejected_cold_index_expired_total counter",
                        "rejected_hot_cache_current gauge",
                        "rejected_hot_cache_expired_total counter",
                        "rejected_hot_cache_hits_total counter",
                        "rejected_hot_cache_misses_total counter",
                        "rejected_invalidated_total counter",
                        "relay_connected gauge",
                        "relay_failures gauge",
                        "relay_status gauge",
                        "relays_connected_total gauge",
                        "relays_dead_total gauge",
                        "relays_tracked_total gauge",
                        "repos gauge",
                        "request_rate gauge",
                        "retained_state_current gauge",
                        "root_events gauge",
                        "structural_limits_total counter",
                        "sweep_oldest_pass_seconds gauge",
                        "target_drift_total counter",
                        "thread_members gauge",
                        "transient_req_watchdog_total counter"),
                List.copyOf(types));
    }

    @Test
    void eachGaugeIsWhatThePictureSays() {
        show(MadeUpSync.picture(
                MadeUpSync.well(A), MadeUpSync.busy("wss://b.example/x?key=1"), MadeUpSync.ill("ws://c.example:81")));
        assertLines(
                "relay_connected{relay=\"wss://a.example\"} 3",
                "relay_connected{relay=\"wss://b.example/x?…#44b8\"} 4",
                "relay_connected{relay=\"ws://c.example:81\"} 0",
                "relay_status{relay=\"wss://a.example\"} 1",
                "relay_status{relay=\"wss://b.example/x?…#44b8\"} 5",
                "relay_status{relay=\"ws://c.example:81\"} 3",
                "relay_failures{relay=\"ws://c.example:81\"} 5",
                "coverage_lag_seconds{relay=\"wss://a.example\"} 7",
                "batches_in_flight{relay=\"wss://b.example/x?…#44b8\"} 6",
                "batches_parked{relay=\"wss://b.example/x?…#44b8\"} 2",
                "oldest_batch_seconds{relay=\"wss://b.example/x?…#44b8\"} 75",
                "live_filters{relay=\"wss://a.example\"} 24",
                "live_items_sweep_only{relay=\"wss://b.example/x?…#44b8\"} 150",
                "ledger_slots{relay=\"wss://b.example/x?…#44b8\",use=\"limit\"} 20",
                "ledger_slots{relay=\"wss://b.example/x?…#44b8\",use=\"live\"} 3",
                "ledger_slots{relay=\"wss://b.example/x?…#44b8\",use=\"historic\"} 8",
                "ledger_slots{relay=\"wss://b.example/x?…#44b8\",use=\"negentropy\"} 1",
                "classes_given_up{relay=\"wss://b.example/x?…#44b8\"} 2",
                "filter_width{relay=\"wss://a.example\"} 100",
                "request_rate{relay=\"ws://c.example:81\"} 0.25",
                "sweep_oldest_pass_seconds{relay=\"wss://b.example/x?…#44b8\"} 300",
                "relays_tracked_total 3",
                "relays_connected_total 2",
                "relays_dead_total 0",
                "naughty_relays_total{category=\"dns_lookup_failed\"} 0",
                "naughty_relays_total{category=\"tls_certificate_invalid\"} 1",
                "naughty_relays_total{category=\"protocol_error\"} 0",
                "rejected_hot_cache_current{event_type=\"state\"} 2",
                "rejected_cold_index_current{event_type=\"other\"} 9",
                "rejected_cold_index_current{event_type=\"announcement\"} 0",
                "repos{level=\"full\"} 7",
                "repos{level=\"state_only\"} 3",
                "root_events 40",
                "thread_members 55",
                "pairs 19",
                "dirty_pairs 5",
                "retained_state_current{class=\"pending_batches\"} 6",
                "retained_state_current{class=\"pending_subscriptions\"} 9",
                "retained_state_current{class=\"auth_retries\"} 1",
                "retained_state_current{class=\"queued_connection_attempts\"} 6",
                "retained_state_current{class=\"thread_members\"} 55",
                "retained_state_current{class=\"member_prefixes\"} 61",
                "retained_state_current{class=\"phantoms\"} 2",
                "inbound_bytes 77",
                "negentropy_bytes 4096",
                "refused_relay_urls_total{reason=\"too_many\"} 2");
        lines().forEach(line -> assertFalse(line.endsWith(" -1"), line));
    }

    @Test
    void relaysThatAreRefusedCountOnceHoweverOftenTheyAreTried() {
        var other = MadeUpSync.url("wss://b.example");
        for (int i = 0; i < 3; i++) {
            counters.accept(new SyncNote.Unreachable(RELAY, new Failure.Policy(Rule.ADDRESS, "no")));
        }
        counters.accept(new SyncNote.Unreachable(other, new Failure.Policy(Rule.ADDRESS, "no")));
        assertLines("refused_relay_urls_total{reason=\"address\"} 2");
        counters.accept(new SyncNote.Unreachable(RELAY, new Failure.Policy(Rule.OWN, "ours")));
        counters.accept(new SyncNote.Removed(RELAY, false));
        counters.accept(new SyncNote.Unreachable(RELAY, new Failure.Policy(Rule.OWN, "ours")));
        assertLines("refused_relay_urls_total{reason=\"address\"} 2", "refused_relay_urls_total{reason=\"own\"} 2");
    }

    @Test
    void notesAreCounted() {
        counters.accept(new SyncNote.Registered(RELAY));
        counters.accept(new SyncNote.Attempted(RELAY, true));
        counters.accept(new SyncNote.Attempted(RELAY, false));
        counters.accept(new SyncNote.Unreachable(RELAY, new Failure.Policy(Rule.PORT, "no")));
        counters.accept(new SyncNote.Health(new HealthNote.CoolingDown(RELAY, Duration.ofSeconds(65))));
        counters.accept(new SyncNote.Drifted(3));
        counters.accept(new SyncNote.Looked(1, Duration.ofMillis(2)));
        counters.turned(1_000);
        at(new LinkNote.RateLimited());
        at(new LinkNote.BatchEnded(Purpose.ROOTS, "confirmed"));
        at(new LinkNote.Page());
        at(new LinkNote.PageOverflow());
        at(new LinkNote.Watchdog("sweep", true));
        at(new LinkNote.Junk("signature"));
        at(new LinkNote.Missed());
        at(new LinkNote.Structural("filter_count"));
        at(new LinkNote.PolicyRefusal("blocked"));
        at(new LinkNote.Consolidated("merged", 3, 2));
        at(new LinkNote.Compared("ok"));
        at(new LinkNote.Ids("needed", 5));
        at(new LinkNote.Hydrated("stream", "saved", 4));
        at(new LinkNote.Daily(true));
        at(new LinkNote.Complete(1, 2, false, true));
        assertLines(
                "connection_attempts_total{relay=\"wss://a.example\",result=\"success\"} 1",
                "connection_attempts_total{relay=\"wss://a.example\",result=\"failure\"} 1",
                "refused_relay_urls_total{reason=\"port\"} 1",
                "rate_limited_total{relay=\"wss://a.example\"} 1",
                "target_drift_total 3",
                "diff_seconds_count 1",
                "loop_turn_seconds_count 1",
                "batch_results_total{purpose=\"historic\",result=\"confirmed\"} 1",
                "historic_pages_total{relay=\"wss://a.example\"} 1",
                "page_overflow_total{relay=\"wss://a.example\"} 1",
                "eose_timeouts_total{relay=\"wss://a.example\"} 1",
                "transient_req_watchdog_total{class=\"sweep\",outcome=\"closed\"} 1",
                "junk_total{relay=\"wss://a.example\",reason=\"signature\"} 1",
                "gap_events_total{relay=\"wss://a.example\"} 1",
                "structural_limits_total{relay=\"wss://a.example\"} 1",
                "policy_refusals_total{relay=\"wss://a.example\",category=\"filter_count\"} 1",
                "policy_refusals_total{relay=\"wss://a.example\",category=\"blocked\"} 1",
                "consolidations_total{result=\"merged\"} 1",
                "negentropy_sessions_total{result=\"ok\"} 1",
                "negentropy_ids_total{class=\"needed\"} 5",
                "hydration_events_total{relay=\"wss://a.example\",phase=\"stream\",outcome=\"saved\"} 4",
                "daily_resyncs_total{result=\"postponed\"} 1",
                "daily_resyncs_total{result=\"done\"} 1");
    }

    @Test
    void receivedEventsAreCountedByPathAndType() {
        counters.stored(Path.CATCHUP);
        counters.stored(Path.LIVE);
        counters.hotHit(EventType.STATE);
        counters.hotMiss(EventType.OTHER);
        counters.hotExpired(EventType.OTHER);
        counters.coldExpired(EventType.ANNOUNCEMENT);
        counters.invalidated(EventType.STATE);
        assertLines(
                "events_total{source=\"catchup\"} 1",
                "events_total{source=\"live\"} 1",
                "events_total{source=\"historic\"} 0",
                "events_synced_total 2",
                "rejected_hot_cache_hits_total{event_type=\"state\"} 1",
                "rejected_hot_cache_misses_total{event_type=\"other\"} 1",
                "rejected_hot_cache_expired_total{event_type=\"other\"} 1",
                "rejected_cold_index_expired_total{event_type=\"announcement\"} 1",
                "rejected_invalidated_total{event_type=\"state\"} 1");
    }

    @Test
    void aThousandRelaysHaveNamesAndAllOthersShareOne() {
        var all = new SyncPicture.Relay[1_500];
        for (int i = 0; i < all.length; i++) {
            all[i] = MadeUpSync.well("wss://r" + i + ".example");
        }
        show(MadeUpSync.picture(all));
        for (var relay : all) {
            counters.accept(new SyncNote.AtRelay(relay.url(), new LinkNote.Page()));
        }
        var filters = lines().stream()
                .filter(line -> line.startsWith("ngit_sync_live_filters{"))
                .toList();
        assertEquals(1_001, filters.size());
        assertLines("live_filters{relay=\"other\"} " + 500 * 24, "historic_pages_total{relay=\"other\"} 500");
        assertFalse(
                String.join("\n", lines()).contains("relay_status{relay=\"other\"}"), "a sum of states says nothing");
    }

    @Test
    void seriesOfARelayGoAwayWithIt() {
        show(MadeUpSync.picture(MadeUpSync.well(A)));
        at(new LinkNote.Page());
        assertLines("historic_pages_total{relay=\"wss://a.example\"} 1");
        counters.accept(new SyncNote.Removed(RELAY, false));
        assertFalse(metrics.scrape().contains("a.example"), "though the last picture still has it");
    }

    @Test
    void withoutAPictureThereAreCountersOnly() {
        assertLines("events_synced_total 0");
        assertFalse(metrics.scrape().contains("ngit_sync_relays_tracked_total"));
    }
}
