package dev.grapnel.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.DomainPicture;
import dev.grapnel.server.relay.RelayMeter.Incoming;
import dev.grapnel.server.relay.RelayMeter.Outgoing;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.GateTally;
import dev.grapnel.store.engine.RequestTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names, types and labels exactly as dashboards know them (service 11).
final class MetricsTest {
    private static final Build BUILD = new Build("1.2.3", "a\"b", "https://grapnel.example");

    @TempDir
    Path root = Path.of("");

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Metrics metrics = new Metrics(BUILD, nanos::get, Path.of("/nonexistent"));

    @AfterEach
    void close() {
        metrics.close();
    }

    private void assertLine(String line) {
        assertTrue(metrics.scrape().lines().anyMatch(line::equals), line + " is not in\n" + metrics.scrape());
    }

    private static List<String> types(String text, String prefix) {
        return text.lines()
                .filter(line -> line.startsWith("# TYPE " + prefix))
                .map(line -> line.substring("# TYPE ".length()))
                .sorted()
                .toList();
    }

    @Test
    void everyRowOfTheRelayIsThereUnderItsName() {
        metrics.gauge("ngit_websocket_unique_ips", "Addresses", () -> 2);
        metrics.gauge("ngit_websocket_flagged_abusers", "Addresses", () -> 1);
        metrics.offered(1);
        metrics.refused(1, Prefix.INVALID);
        assertEquals(
                List.of(
                        "ngit_build_info gauge",
                        "ngit_deletion_request_cleanup_outcomes_total counter",
                        "ngit_deletion_request_cleanup_removed_total counter",
                        "ngit_deletion_request_cleanup_runs_total counter",
                        "ngit_events_received_total counter",
                        "ngit_events_rejected_total counter",
                        "ngit_events_stored_total counter",
                        "ngit_git_bytes_total counter",
                        "ngit_git_operation_duration_seconds histogram",
                        "ngit_git_operation_duration_seconds_max gauge",
                        "ngit_git_operations_total counter",
                        "ngit_git_push_authorization_total counter",
                        "ngit_uptime_seconds counter",
                        "ngit_websocket_connection_duration_seconds histogram",
                        "ngit_websocket_connection_duration_seconds_max gauge",
                        "ngit_websocket_connections_active gauge",
                        "ngit_websocket_connections_total counter",
                        "ngit_websocket_flagged_abusers gauge",
                        "ngit_websocket_messages_received_total counter",
                        "ngit_websocket_messages_sent_total counter",
                        "ngit_websocket_unique_ips gauge"),
                types(metrics.scrape(), "ngit_"));
        assertEquals(
                List.of("grapnel_internal_errors_total counter", "grapnel_uncaught_errors_total counter"),
                types(metrics.scrape(), "grapnel_"));
    }

    @Test
    void deletionsAreCountedByWhatBecameOfThem() {
        metrics.deletions().gatesChanged(new GateTally(1, 2, 3, 4));
        metrics.deletions().passed();
        metrics.deletions().aged(new RequestTally(5, 6, 7, 8));
        metrics.deletions().failed();
        assertLine("purgatory_gates_total{outcome=\"put\"} 1.0");
        assertLine("purgatory_gates_total{outcome=\"used\"} 2.0");
        assertLine("purgatory_gates_total{outcome=\"expired\"} 3.0");
        assertLine("purgatory_gates_total{outcome=\"evicted\"} 4.0");
        assertLine("ngit_deletion_request_cleanup_runs_total 1.0");
        assertLine("ngit_deletion_request_cleanup_removed_total{type=\"main\"} 5.0");
        assertLine("ngit_deletion_request_cleanup_removed_total{type=\"tombstone\"} 6.0");
        assertLine("ngit_deletion_request_cleanup_removed_total{type=\"metadata\"} 7.0");
        assertLine("ngit_deletion_request_cleanup_outcomes_total{outcome=\"stale_or_concurrent_skip\"} 8.0");
        assertLine("ngit_deletion_request_cleanup_outcomes_total{outcome=\"failure\"} 1.0");
    }

    @Test
    void gitIsCountedAndThoseThatMoveTheMostAreNamed() {
        var busy = new RepositoryAddress(StoreSamples.author(1), new Identifier("busy"));
        var quiet = new RepositoryAddress(StoreSamples.author(1), new Identifier("quiet"));
        metrics.git().finished(GitMeter.Operation.CLONE, true, Duration.ofSeconds(3));
        metrics.git().finished(GitMeter.Operation.PUSH, false, Duration.ofMillis(1));
        metrics.git().moved(busy, 10, 1000);
        metrics.git().moved(quiet, 1, 1);
        metrics.git().judged(GitMeter.Authorization.REJECTED);
        metrics.publishTopRepositories(1);
        assertLine("ngit_git_operations_total{operation=\"clone\",status=\"success\"} 1.0");
        assertLine("ngit_git_operations_total{operation=\"push\",status=\"error\"} 1.0");
        assertLine("ngit_git_operation_duration_seconds_bucket{operation=\"clone\",le=\"2.5\"} 0");
        assertLine("ngit_git_operation_duration_seconds_bucket{operation=\"clone\",le=\"5.0\"} 1");
        assertLine("ngit_git_bytes_total{direction=\"in\"} 11.0");
        assertLine("ngit_git_bytes_total{direction=\"out\"} 1001.0");
        assertLine("ngit_git_push_authorization_total{result=\"rejected\"} 1.0");
        var top = metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("ngit_git_top_repos_bytes{"))
                .toList();
        assertEquals(1, top.size());
        assertTrue(top.getFirst().endsWith("/busy\"} 1010.0"), top.getFirst());
    }

    @Test
    void connectionsAreCountedAndMeasured() {
        metrics.opened();
        metrics.opened();
        metrics.closed(Duration.ofMillis(15_500));
        assertLine("ngit_websocket_connections_active 1");
        assertLine("ngit_websocket_connections_total 2.0");
        for (var bucket : List.of("1.0", "5.0", "15.0")) {
            assertLine("ngit_websocket_connection_duration_seconds_bucket{le=\"" + bucket + "\"} 0");
        }
        for (var bucket : List.of("30.0", "60.0", "300.0", "900.0", "3600.0", "+Inf")) {
            assertLine("ngit_websocket_connection_duration_seconds_bucket{le=\"" + bucket + "\"} 1");
        }
        assertLine("ngit_websocket_connection_duration_seconds_sum 15.5");
        assertLine("ngit_websocket_connection_duration_seconds_count 1");
        assertEquals(
                9,
                metrics.scrape()
                        .lines()
                        .filter(line -> line.startsWith("ngit_websocket_connection_duration_seconds_bucket"))
                        .count());
    }

    @Test
    void messagesAreCountedByTypeAsOnTheWire() {
        for (var type : Incoming.values()) {
            metrics.received(type);
            assertLine("ngit_websocket_messages_received_total{type=\""
                    + type.name().replace('_', '-') + "\"} 1.0");
        }
        for (var type : Outgoing.values()) {
            metrics.sent(type, 3);
            assertLine(
                    "ngit_websocket_messages_sent_total{type=\"" + type.name().replace('_', '-') + "\"} 3.0");
        }
        assertLine("ngit_websocket_messages_received_total{type=\"NEG-OPEN\"} 1.0");
    }

    @Test
    void eventsAreCountedByKindAndReason() {
        metrics.offered(1);
        metrics.offered(1);
        metrics.stored(1);
        metrics.refused(1, Prefix.RATE_LIMITED);
        metrics.refused(30_617, Prefix.INVALID);
        assertLine("ngit_events_received_total{kind=\"1\"} 2.0");
        assertLine("ngit_events_stored_total{kind=\"1\"} 1.0");
        assertLine("ngit_events_rejected_total{kind=\"1\",reason=\"rate-limited\"} 1.0");
        assertLine("ngit_events_rejected_total{kind=\"30617\",reason=\"invalid\"} 1.0");
    }

    @Test
    void kindsBeyondTwoHundredAreOther() {
        for (int kind = 40_000; kind < 40_300; kind++) {
            metrics.offered(kind);
            metrics.stored(kind);
            metrics.refused(kind, Prefix.BLOCKED);
        }
        metrics.offered(Kinds.ANNOUNCEMENT);
        metrics.offered(-1);
        metrics.offered(65_536);
        var kinds = new TreeSet<String>();
        metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("ngit_events_received_total{"))
                .forEach(line -> kinds.add(line.replaceAll(".*kind=\"([^\"]*)\".*", "$1")));
        assertTrue(kinds.size() <= KindCounters.KINDS_MAX + 1, kinds.size() + " kinds");
        assertTrue(kinds.contains("other"));
        assertTrue(kinds.contains("30617"), "strangers cannot crowd out what the relay lives on");
        int own = kinds.size() - 2;
        assertLine("ngit_events_received_total{kind=\"other\"} " + (300 - own + 2) + ".0");
        assertLine("ngit_events_rejected_total{kind=\"other\",reason=\"blocked\"} " + (300 - own) + ".0");
    }

    @Test
    void uptimeGrowsFromTheStart() {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2_500));
        assertLine("ngit_uptime_seconds 2.5");
        assertLine("ngit_build_info{version=\"1.2.3\",commit=\"a\\\"b\"} 1");
    }

    @Test
    void figuresOfPartsKeepTheirExactNames() {
        metrics.gauge("ngit_repositories_total", "A\\B\nC", () -> 1e15);
        metrics.counter("ngit_odd_seconds", "D", () -> 0.25);
        assertLine("# HELP ngit_repositories_total A\\\\B\\nC");
        assertLine("# TYPE ngit_repositories_total gauge");
        assertLine("ngit_repositories_total 1000000000000000");
        assertLine("# TYPE ngit_odd_seconds counter");
        assertLine("ngit_odd_seconds 0.25");
    }

    @Test
    void nameIsTakenOnce() {
        metrics.gauge("grapnel_x", "x", () -> 1);
        assertThrows(IllegalArgumentException.class, () -> metrics.counter("grapnel_x", "x", () -> 1));
        assertThrows(IllegalArgumentException.class, () -> metrics.gauge("bad name", "x", () -> 1));
    }

    @Test
    void figureThatCannotBeToldHidesNoOther() {
        metrics.gauge("grapnel_a", "a", () -> {
            throw new IllegalStateException("made up by a test");
        });
        metrics.gauge("grapnel_b", "b", () -> Double.NaN);
        metrics.gauge("grapnel_c", "c", () -> Double.POSITIVE_INFINITY);
        assertFalse(metrics.scrape().contains("grapnel_a"));
        assertFalse(metrics.scrape().contains("grapnel_b"));
        assertLine("grapnel_c +Inf");
    }

    @Test
    void failuresAreCounted() {
        metrics.failed();
        assertLine("grapnel_internal_errors_total 1");
        new UncaughtErrors(metrics).uncaughtException(Thread.currentThread(), new IllegalStateException("made up"));
        assertLine("grapnel_uncaught_errors_total 1");
    }

    @Test
    void machineTellsItsFigures() {
        for (var prefix : List.of("jvm_memory_used_bytes", "jvm_gc_", "jvm_threads_live_threads")) {
            assertFalse(types(metrics.scrape(), prefix).isEmpty(), prefix);
        }
    }

    @Test
    void nothingIsSaidOfAProcessWithoutProc() {
        assertEquals(List.of(), types(metrics.scrape(), "process_"));
    }

    @Test
    void linuxTellsAboutTheProcessAndItsGroup() throws IOException {
        write("proc/self/stat", "7 (a ) (b) S 1 7 7 0 -1 4194560 9 0 0 0 250 125 0 0 20 0 33 0 4200 5 6 7");
        write("proc/self/status", "Name:\tjava\nVmSize:\t    2000 kB\nVmRSS:\t    1000 kB\nThreads:\t33\n");
        write(
                "proc/self/limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024    4096    files\n");
        write("proc/self/fd/0", "");
        write("proc/self/fd/1", "");
        write("proc/stat", "cpu 1 2 3\nbtime 1700000000\n");
        write("proc/self/cgroup", "0::/system.slice/grapnel.service\n");
        write("sys/fs/cgroup/system.slice/grapnel.service/cpu.stat", "usage_usec 1500000\nuser_usec 7\n");
        write("sys/fs/cgroup/system.slice/grapnel.service/memory.current", "12345\n");
        try (var linux = new Metrics(BUILD, nanos::get, root)) {
            var lines = linux.scrape().lines().toList();
            for (var line : List.of(
                    "# TYPE process_cpu_seconds_total counter",
                    "process_cpu_seconds_total 3.75",
                    "process_open_fds 2",
                    "process_max_fds 1024",
                    "process_virtual_memory_bytes 2048000",
                    "process_resident_memory_bytes 1024000",
                    "process_threads 33",
                    "process_start_time_seconds 1700000042",
                    "# TYPE ngit_cgroup_cpu_seconds_total counter",
                    "ngit_cgroup_cpu_seconds_total 1.5",
                    "ngit_cgroup_memory_current_bytes 12345")) {
                assertTrue(lines.contains(line), line + " is not in " + lines);
            }
        }
    }

    @Test
    void groupThatLeadsOutsideIsIgnored() throws IOException {
        write("proc/self/cgroup", "0::/../../../x\n");
        write("x/memory.current", "1\n");
        try (var linux = new Metrics(BUILD, nanos::get, root)) {
            assertEquals(List.of(), types(linux.scrape(), "ngit_cgroup"));
        }
    }

    private void write(String path, String text) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// Two readers at once got an error, because rows of domains were replaced while the other read.
    @Test
    void readersAtTheSameTimeDoNotDisturbEachOther() throws Exception {
        metrics.hunt();
        metrics.domains(
                () -> Map.of(Host.parse("git.example.com").require(), new DomainPicture(1, 1, 1, Optional.empty())));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = IntStream.range(0, 4)
                    .mapToObj(_ -> threads.submit(() -> {
                        for (int count = 0; count < 200; count++) {
                            assertTrue(metrics.scrape().contains("purgatory_domain_queued"));
                            metrics.publishTopRepositories(10);
                        }
                    }))
                    .toList();
            for (var reader : readers) {
                reader.get();
            }
        }
    }
}
