package dev.grapnel.server;

import static dev.grapnel.server.HuntSite.ANN;
import static dev.grapnel.server.HuntSite.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.purgatory.hunt.HuntConfig;
import dev.grapnel.store.StoreSamples;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What hunting tells those who watch: metrics, log and the page of a repository (purgatory 10).
@Timeout(120)
final class HuntFiguresTest {
    private static final Oid NOWHERE = Oid.parse("7".repeat(40)).require();
    private static final Pattern SERIES = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    /// Every metric of purgatory 10.1 that concerns hunting, and its labels.
    private static final Map<String, Set<String>> METRICS = new TreeMap<>(Map.ofEntries(
            Map.entry("purgatory_dormant_records", Set.of()),
            Map.entry("purgatory_dormant_checks_total", Set.of("result")),
            Map.entry("purgatory_sync_queue_size", Set.of()),
            Map.entry("purgatory_sync_in_progress", Set.of()),
            Map.entry("purgatory_sync_backoff_seconds_count", Set.of()),
            Map.entry("purgatory_sync_attempts_total", Set.of("result")),
            Map.entry("purgatory_sync_refreshes_total", Set.of("result")),
            Map.entry("purgatory_sync_hedges_total", Set.of("outcome")),
            Map.entry("purgatory_sync_oids_needed", Set.of()),
            Map.entry("purgatory_sync_oids_fetched_total", Set.of()),
            Map.entry("purgatory_domain_in_flight", Set.of("domain")),
            Map.entry("purgatory_domain_requests_total", Set.of("domain", "result")),
            Map.entry("purgatory_domain_queued", Set.of("domain")),
            Map.entry("purgatory_domain_throttled_total", Set.of("domain", "cause")),
            Map.entry("purgatory_naughty_domains", Set.of("cause")),
            Map.entry("purgatory_fetch_bytes_total", Set.of()),
            Map.entry("purgatory_fetch_seconds_count", Set.of()),
            Map.entry("purgatory_url_refused_total", Set.of("rule")),
            Map.entry("ngit_purgatory_git_fetch_passes_total", Set.of()),
            Map.entry("ngit_purgatory_git_fetch_oids_total", Set.of("kind")),
            Map.entry("ngit_purgatory_git_subprocess_active", Set.of("operation", "role")),
            Map.entry("ngit_purgatory_git_subprocess_total", Set.of("operation", "role", "outcome")),
            Map.entry("ngit_purgatory_git_subprocess_duration_seconds_count", Set.of("operation", "role")),
            Map.entry("ngit_purgatory_git_subprocess_output_bytes_total", Set.of("operation", "role", "stream")),
            Map.entry("ngit_purgatory_git_deferred_total", Set.of("operation", "reason"))));

    @TempDir
    Path directory;

    /// What one visit can get, what only its author has, and what nobody has.
    private List<Event> publish(HuntSite site) throws Exception {
        var elsewhere = site.repository("secretname");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        var events = new ArrayList<Event>();
        events.add(site.announcement(
                ANN, "secretname", site.url("secretname"), site.url("missing"), "ssh://a.example/secretname.git"));
        events.add(site.server()
                .stateAt(
                        site.server().now(),
                        ANN,
                        "secretname",
                        List.of("refs/heads/main", one.toString()),
                        List.of("refs/heads/dev", NOWHERE.toString())));
        events.add(site.proposal(CAROL, ANN, "secretname", NOWHERE, "https://b.internal/x.git"));
        for (var event : events) {
            assertTrue(site.server().sync(event).isAccepted());
        }
        site.await(() -> site.hunt("secretname").isPresent());
        return events;
    }

    /// Row 173.
    @Test
    void everyMetricAppearsAndNoneNamesWhatStrangersChose() throws Exception {
        try (var site = new HuntSite(directory, "SYNC_DOMAIN_RATE_LIMIT", "4")) {
            var events = publish(site);
            site.server().pass(Duration.ofMillis(500));
            awaitAttempts(site, 1);
            site.server().pass(Duration.ofSeconds(20));
            site.await(() -> site.hunt("secretname")
                    .filter(hunt -> !hunt.waitingAt().isEmpty())
                    .isPresent());
            site.await(() -> series(site).containsKey("purgatory_domain_throttled_total")); // told a moment later
            var told = series(site);
            METRICS.forEach((name, labels) -> {
                assertTrue(told.containsKey(name), name);
                told.get(name).forEach(found -> assertEquals(labels, found.keySet(), name));
            });
            var server = site.server();
            assertEquals(1, server.metric("purgatory_sync_queue_size"));
            assertTrue(server.metric("purgatory_sync_oids_needed") > 0);
            assertEquals(1, server.metric("purgatory_sync_oids_fetched_total"));
            assertTrue(server.metric("purgatory_sync_attempts_total{result=\"incomplete\"}") >= 1);
            assertTrue(server.metric("purgatory_domain_throttled_total{cause=\"rate\",domain=\"127.0.0.1\"}") >= 1);
            assertEquals(1, server.metric("purgatory_domain_queued{domain=\"127.0.0.1\"}"));
            assertTrue(server.metric("purgatory_url_refused_total{rule=\"scheme\"}") >= 1);
            assertTrue(server.metric("purgatory_fetch_bytes_total") > 0);
            assertEquals(
                    0,
                    server.metric("ngit_purgatory_git_subprocess_active{operation=\"fetch_batch\",role=\"primary\"}"));
            assertTrue(server.metric(
                            "ngit_purgatory_git_subprocess_total{operation=\"ls_remote\",outcome=\"success\",role=\"primary\"}")
                    >= 1);
            namesNoStranger(told, events);
        }
    }

    private static void awaitAttempts(HuntSite site, int attempts) throws Exception {
        site.await(() -> site.hunt("secretname")
                .filter(hunt -> hunt.attempts() == attempts)
                .isPresent());
    }

    private static void namesNoStranger(Map<String, List<Map<String, String>>> told, List<Event> events) {
        var values = told.entrySet().stream()
                .filter(entry -> entry.getKey().contains("purgatory"))
                .flatMap(entry -> entry.getValue().stream())
                .flatMap(labels -> labels.values().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        for (var value : values) {
            assertFalse(value.contains("secretname") || value.contains("/") || value.contains("npub"), value);
            for (var event : events) {
                assertFalse(
                        value.contains(event.id().toHex())
                                || value.contains(event.author().toHex()),
                        value);
            }
        }
        var domains = told.values().stream()
                .flatMap(List::stream)
                .flatMap(labels -> labels.entrySet().stream())
                .filter(label -> label.getKey().equals("domain"))
                .map(Map.Entry::getValue)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of("127.0.0.1", "other"), domains, "a domain that was never asked has no name");
    }

    /// Labels of all series, by name.
    private static Map<String, List<Map<String, String>>> series(HuntSite site) {
        var found = new TreeMap<String, List<Map<String, String>>>();
        site.server().service().metrics().scrape().lines().forEach(line -> {
            var series = SERIES.matcher(line);
            if (series.matches()) {
                var labels = new TreeMap<String, String>();
                if (series.group(2) != null) {
                    var label = LABEL.matcher(series.group(2));
                    while (label.find()) {
                        labels.put(label.group(1), label.group(2));
                    }
                }
                found.computeIfAbsent(series.group(1), _ -> new ArrayList<>()).add(labels);
            }
        });
        return found;
    }

    /// Row 173, purgatory 10.2.
    @Test
    void everythingIsLoggedUnderItsName() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory");
                var site = new HuntSite(directory, "SYNC_DOMAIN_RATE_LIMIT", "3")) {
            publish(site);
            assertEquals(
                    "DEBUG hunt.queued identifier=secretname delay=PT0.5S generation=1",
                    log.lines("hunt.queued", 1).getFirst());
            site.server().pass(Duration.ofMillis(500));
            awaitAttempts(site, 1);
            site.server().pass(Duration.ofSeconds(20));
            log.lines("throttle.queued", 1);
            site.server().service().hunting().change(HuntConfig.DEFAULTS.limits());
            log.lines("throttle.woken", 1);
            site.server().pass(Duration.ofMinutes(30));
            site.await(() -> site.hunt("secretname").isEmpty());
            var elsewhere = site.repository("good");
            var one = elsewhere.commit("one");
            elsewhere.run("update-ref", "refs/heads/main", one.toString());
            site.publish(ANN, "good", one, site.url("good"));
            begins(log, "DEBUG hunt.started identifier=secretname generation=");
            begins(log, "DEBUG hunt.incomplete identifier=secretname attempt=1 missing=1 next_delay=PT20S");
            begins(
                    log,
                    "DEBUG hunt.url identifier=secretname url=" + site.url("secretname") + " result=ok advertised=");
            begins(log, "WARN hunt.fetch_failed domain=127.0.0.1 class=not_there");
            begins(log, "DEBUG throttle.queued domain=127.0.0.1 identifier=secretname cause=rate");
            begins(log, "DEBUG throttle.woken domain=127.0.0.1 identifier=secretname cause=");
            begins(log, "DEBUG url.refused domain=none rule=scheme");
            begins(log, "DEBUG dormant.recorded event=");
            begins(log, "INFO hunt.finished identifier=good oids=1 urls=1 duration=");
        }
    }

    private static void begins(LogWatch log, String line) throws InterruptedException {
        int from = line.indexOf(' ') + 1;
        var lines = log.lines(line.substring(from, line.indexOf(' ', from)), 1);
        assertTrue(lines.stream().anyMatch(found -> found.startsWith(line)), () -> line + ": " + lines);
    }

    @Test
    void thePageOfARepositoryTellsWhereItsDataIsLookedFor() throws Exception {
        try (var site = new HuntSite(directory)) {
            var elsewhere = site.repository("x");
            var one = elsewhere.commit("one");
            elsewhere.run("update-ref", "refs/heads/main", one.toString());
            site.publish(ANN, "x", one, site.url("x"));
            assertFalse(page(site).contains("looks for what is missing"));
            site.server().clock().advance(Duration.ofSeconds(1));
            site.server().sync(site.state(ANN, "x", NOWHERE));
            site.await(() -> site.hunt("x").isPresent());
            site.server().pass(Duration.ofMillis(500));
            site.await(() -> site.hunt("x").filter(hunt -> hunt.attempts() == 1).isPresent());
            var page = page(site);
            assertTrue(
                    page.contains("This server looks for what is missing at the addresses that its maintainers"
                            + " published, again at "),
                    page);
            assertTrue(page.contains(site.url("x") + "</code> does not have what is missing."), page);
        }
    }

    /// P-902: nobody shall wait for what never comes.
    @Test
    void thePageOfAServerThatDoesNotHuntPromisesNothing() throws Exception {
        try (var site = new HuntSite(directory, "HUNT_ENABLED", "false")) {
            site.server().serve(site.announcement(ANN, "x", site.url("x")));
            site.server().sync(site.state(ANN, "x", NOWHERE));
            site.server().pass(Duration.ofMinutes(1));
            assertTrue(page(site).contains("Awaited"), page(site));
            assertFalse(page(site).contains("looks for what is missing"));
        }
    }

    private static String page(HuntSite site) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + site.server().service().port() + "/"
                + new Npub(StoreSamples.author(ANN)) + "/x.git");
        try (var client = PlainHttp.client()) {
            return client.send(
                            HttpRequest.newBuilder(uri)
                                    .header("Accept", "text/html")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
