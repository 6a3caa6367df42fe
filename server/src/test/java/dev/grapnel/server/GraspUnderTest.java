package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A real GRASP server on a real port, with a clock that goes only when told.
public final class GraspUnderTest implements AutoCloseable {
    /// What the server takes itself for.
    public static final String DOMAIN = "git.example.com";

    /// The number of the operator's key.
    public static final int OPERATOR = 999;

    private final Service service;
    private final Clock clock;

    private GraspUnderTest(Service service, Clock clock) {
        this.service = service;
        this.clock = clock;
    }

    /// Wall and monotonic time that go together, unless told otherwise.
    public static final class Clock implements InstantSource {
        private final AtomicLong wallMillis =
                new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
        private final AtomicLong nanos = new AtomicLong(5_000_000_000L);

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(wallMillis.get());
        }

        public void advance(Duration time) {
            wallMillis.addAndGet(time.toMillis());
            nanos.addAndGet(time.toNanos());
        }

        /// The wall clock alone.
        public void step(Duration time) {
            wallMillis.addAndGet(time.toMillis());
        }

        long nanoTime() {
            return nanos.get();
        }
    }

    /// In memory.
    public static GraspUnderTest start(String... settings) {
        return start(null, new Clock(), settings);
    }

    /// On disk, with a clock that may have been used before.
    public static GraspUnderTest start(@Nullable Path directory, Clock clock, String... settings) {
        var all = new ArrayList<>(
                List.of("DOMAIN", DOMAIN, "EVENTS_PER_SECOND_PER_IP", "1000000", "EVENTS_BURST_PER_IP", "1000000"));
        all.addAll(List.of(settings));
        var patient = Duration.ofDays(1000);
        var times = new WebSocketConfig(
                WebSocketConfig.DEFAULTS.messageMax(), patient, patient, WebSocketConfig.DEFAULTS.closeMax(), patient);
        try {
            return new GraspUnderTest(
                    Service.start(
                            RelayUnderTest.configuration(directory, all.toArray(String[]::new)),
                            StoreSamples.author(OPERATOR),
                            new Build("0.0.0-test", "", "https://example.com/grapnel"),
                            GitRules.GRASP,
                            times,
                            clock,
                            clock::nanoTime),
                    clock);
        } catch (ServiceFailure e) {
            throw new AssertionError(e);
        }
    }

    public Clock clock() {
        return clock;
    }

    public Service service() {
        return service;
    }

    public RelayClient connect() throws IOException {
        return new RelayClient(WireClient.open(service.port()));
    }

    /// What the server does each minute, now.
    public void sweep() {
        service.sweep();
    }

    /// The status of the git endpoint of a repository.
    public int gitStatus(int owner, String identifier) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + service.port() + "/" + new Npub(StoreSamples.author(owner)) + "/"
                + identifier + ".git/info/refs?service=git-upload-pack");
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    // ---- events, dated by the clock unless they say when

    /// An announcement that lists this server.
    @SafeVarargs
    public final Event announcement(int author, String identifier, List<String>... more) {
        return announcementAt(now(), author, identifier, more);
    }

    @SafeVarargs
    public final Event announcementAt(long second, int author, String identifier, List<String>... more) {
        var tags = Stream.concat(
                        Stream.of(
                                List.of("d", identifier),
                                List.of("clone", cloneUrl(author, identifier)),
                                List.of("relays", "wss://" + DOMAIN)),
                        Stream.of(more))
                .toList();
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, second, tags, "");
    }

    /// An announcement that names other servers only.
    @SafeVarargs
    public final Event elsewhere(int author, String identifier, List<String>... more) {
        return elsewhereAt(now(), author, identifier, more);
    }

    @SafeVarargs
    public final Event elsewhereAt(long second, int author, String identifier, List<String>... more) {
        var tags = Stream.concat(
                        Stream.of(
                                List.of("d", identifier),
                                List.of("clone", "https://other.example.org/r.git"),
                                List.of("relays", "wss://other.example.org")),
                        Stream.of(more))
                .toList();
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, second, tags, "");
    }

    public static String cloneUrl(int author, String identifier) {
        return "https://" + DOMAIN + "/" + new Npub(StoreSamples.author(author)) + "/" + identifier + ".git";
    }

    /// A state with one branch.
    public Event state(int author, String identifier) {
        return stateAt(now(), author, identifier, List.of("refs/heads/main", "1".repeat(40)));
    }

    @SafeVarargs
    public final Event stateAt(long second, int author, String identifier, List<String>... refs) {
        var tags = Stream.concat(Stream.of(List.of("d", identifier)), Stream.of(refs))
                .toList();
        return StoreSamples.event(author, Kinds.STATE, second, tags, "");
    }

    /// A pull request for a repository.
    public Event pullRequest(int author, int owner, String identifier) {
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                now(),
                List.of(List.of("a", coordinate(owner, identifier)), List.of("c", "2".repeat(40))),
                "please");
    }

    @SafeVarargs
    public final Event event(int author, int kind, List<String>... tags) {
        return StoreSamples.event(author, kind, now(), List.of(tags), "text");
    }

    public static String coordinate(int owner, String identifier) {
        return "30617:" + StoreSamples.author(owner) + ":" + identifier;
    }

    public long now() {
        return clock.instant().getEpochSecond();
    }

    @Override
    public void close() {
        service.close();
    }
}
