package dev.grapnel.bench.hunt;

import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.purgatory.Scene;
import dev.grapnel.bench.push.RelayTalk;
import dev.grapnel.nostr.nip19.Npub;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server that fetches from this machine what events wait for, at once and without waiting for a push.
final class HuntingServer implements AutoCloseable {
    /// Owner of everything that is hunted.
    private static final int OWNER = 2_000;

    private static final int PATIENCE_SECONDS = 300;
    private static final Duration PAST = Duration.ofDays(1);
    private static final int QUIET_MILLIS = 300;
    private static final double QUIET_SHARE = 0.1;
    private static final int QUIET_LOOKS_MAX = 100;
    private static final List<String> FLAGS = List.of(
            "--address-allow",
            "127.0.0.0/8",
            "--sync-default-delay-secs",
            "0",
            "--sync-loop-interval-ms",
            "10",
            "--sync-domain-concurrent",
            "10",
            "--sync-domain-rate-limit",
            "1000",
            "--purgatory-sweep-interval-secs",
            "1");
    private static final List<String> OURS = List.of("hunting", "quarantine", "doomed", "making");

    private final Path directory;
    private final Host host;
    private final RelayTalk talk;
    private final HttpClient http = HttpClient.newHttpClient();
    private long second = Instant.now().minus(PAST).getEpochSecond();

    /// @param directory for its data
    /// @param flags further ones
    HuntingServer(Path directory, String... flags) throws IOException, InterruptedException {
        this.directory = directory;
        var all = new ArrayList<>(FLAGS);
        all.addAll(List.of(flags));
        this.host = Host.grasp(directory, Scene.DOMAIN, all.toArray(String[]::new));
        this.talk = new RelayTalk(host.uri(""));
    }

    /// One thing that was hunted; in seconds.
    ///
    /// @param served from publishing the state until a subscriber had it, and so its data is served, too
    /// @param fetched the visit alone: when it ends, all that came is checked and durable in the hunting area
    /// @param bytes that came
    /// @param cpu of the server until it was served
    record Hunted(double served, double fetched, long bytes, double cpu) {}

    Host host() {
        return host;
    }

    /// A repository that is announced, and whose state waits for a commit that is elsewhere.
    RelayTalk.Sent publish(String identifier, String elsewhere, List<String> refs, List<String> commits)
            throws IOException, InterruptedException {
        talk.publish(Scene.announcement(OWNER, identifier, second, elsewhere)).awaitHeld();
        var state = new LinkedHashMap<String, String>();
        for (int i = 0; i < refs.size(); i++) {
            state.put(refs.get(i), commits.get(i));
        }
        return talk.publish(Scene.state(OWNER, identifier, ++second, state));
    }

    /// The same with its branch `main` alone.
    RelayTalk.Sent publish(String identifier, String elsewhere, String tip) throws IOException, InterruptedException {
        return publish(identifier, elsewhere, List.of("refs/heads/main"), List.of(tip));
    }

    /// Waits until what was published is served.
    static double awaitServed(RelayTalk.Sent sent) throws IOException, InterruptedException {
        return (sent.awaitDelivered(PATIENCE_SECONDS) - sent.begun()) / 1e9;
    }

    /// Publishes, and waits until everything is served.
    Hunted hunt(String identifier, String elsewhere, String tip) throws IOException, InterruptedException {
        double before = metric("purgatory_fetch_seconds_sum");
        double bytesBefore = metric("purgatory_fetch_bytes_total");
        double cpuBefore = host.cpuSeconds();
        double served = awaitServed(publish(identifier, elsewhere, tip));
        double cpu = host.cpuSeconds() - cpuBefore;
        return new Hunted(
                served,
                metric("purgatory_fetch_seconds_sum") - before,
                (long) (metric("purgatory_fetch_bytes_total") - bytesBefore),
                cpu);
    }

    /// Where a repository is below the server, without its ending.
    String path(String identifier) {
        return new Npub(Scene.person(OWNER)) + "/" + identifier;
    }

    /// Waits until it has done what it does by itself after something has come, such as packing it anew: that is
    /// nobody's
    /// to wait for, and would be measured as part of whatever comes next.
    void awaitQuiet() throws IOException, InterruptedException {
        for (int look = 0; look < QUIET_LOOKS_MAX; look++) {
            double before = host.cpuSeconds();
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
            if (host.cpuSeconds() - before < QUIET_SHARE * QUIET_MILLIS / 1e3) {
                return;
            }
        }
    }

    /// One of its figures, as operators read them.
    double metric(String name) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(host.base() + "/metrics")).build();
        return http.send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("the server has no figure " + name));
    }

    /// Bytes of files in which fetched data lies before it is served, and in which it is deleted.
    long hidden() throws IOException {
        long bytes = 0;
        for (var part : OURS) {
            bytes += bytesBelow(directory.resolve("data/git/.grapnel").resolve(part));
        }
        return bytes;
    }

    /// Bytes of all files of its repositories.
    long all() throws IOException {
        return bytesBelow(directory.resolve("data/git"));
    }

    private static long bytesBelow(Path place) throws IOException {
        if (!Files.exists(place)) {
            return 0;
        }
        long bytes = 0;
        try (var files = Files.walk(place)) {
            for (var file : files.toList()) {
                var plain = file.toFile(); // files may go while they are looked at, and count nothing then
                bytes += plain.isFile() ? plain.length() : 0;
            }
        } catch (java.io.UncheckedIOException _) {
            return bytesBelow(place); // a directory went meanwhile
        }
        return bytes;
    }

    @Override
    public void close() {
        talk.close();
        host.close();
    }
}
