package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events are held, replaced, dropped, deleted and swept all the time, while others read in every way there is:
/// nothing that is held is ever seen (I-1).
///
/// `-Dgrapnel.visibility.seconds=60` runs for longer.
final class HeldVisibilityTest {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("grapnel.visibility.seconds", 4));
    private static final int WRITERS = 3;
    private static final int READERS = 3;
    private static final String HELD_KINDS =
            "[" + Kinds.ANNOUNCEMENT + "," + Kinds.STATE + "," + Kinds.PULL_REQUEST + "]";
    private static final String HELD_ONLY = "\"kinds\":" + HELD_KINDS;
    private static final String LIST_NOTHING = "6100000200";

    /// Some of what was sent last.
    private final CopyOnWriteArrayList<Event> recent = new CopyOnWriteArrayList<>();

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger swept = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();

    @Test
    void whatIsHeldIsNeverSeen(@TempDir Path directory) throws Exception {
        try (var server = GraspUnderTest.start(
                        directory,
                        new GraspUnderTest.Clock(),
                        "HUNT_ENABLED",
                        "false",
                        "PURGATORY_EXPIRY_SECS",
                        "1",
                        "PURGATORY_SOFT_EXPIRY_SECS",
                        "1");
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var live = new Listener(WireClient.open(server.service().port()))) {
            live.send("[\"REQ\",\"all\",{\"limit\":0}]");
            live.await("its beginning", () -> live.ends("all") == 1);
            long end = System.nanoTime() + TIME.toNanos();
            BooleanSupplier isOver = () -> System.nanoTime() - end > 0;
            var work = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                work.add(threads.submit(until(isOver, () -> write(server, number, isOver))));
            }
            for (int i = 0; i < READERS; i++) {
                int number = i;
                work.add(threads.submit(until(isOver, () -> read(server, number, isOver))));
            }
            work.add(threads.submit(until(isOver, () -> sweep(server, isOver))));
            for (var each : work) {
                each.get();
            }
            var marker = mark(server);
            live.await("the last event", () -> live.events("all").contains(marker));
            requireServedKinds(live, server);
            assertTrue(live.eventCount("all") > 10, "live feed: " + live.eventCount("all"));
        }
        assertTrue(held.get() > 20, "held: " + held);
        assertTrue(swept.get() > 2, "sweeps: " + swept);
        assertTrue(questions.get() > 20, "questions: " + questions);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static Callable<Boolean> until(BooleanSupplier isOver, Task task) {
        return () -> {
            while (!isOver.getAsBoolean()) {
                task.run();
            }
            return true;
        };
    }

    private static int author(int writer) {
        return 10 + writer;
    }

    /// The operator's own events are served, so that the readers have something to see.
    private static String mark(GraspUnderTest server) throws IOException {
        try (var client = server.connect()) {
            return client.publishOk(server.event(GraspUnderTest.OPERATOR, 1, List.of("t", "end")))
                    .id()
                    .toHex();
        }
    }

    private static void requireServedKinds(Listener live, GraspUnderTest server) throws IOException {
        try (var client = server.connect()) {
            for (var id : live.events("all")) {
                var events = client.events("{\"ids\":[\"" + id + "\"]}");
                assertTrue(
                        events.stream().allMatch(event -> event.kind() == 1 || event.kind() == Kinds.DELETION),
                        () -> "live: " + events);
                assertEquals(1, events.size(), "live, and served to nobody: " + id);
            }
        }
    }

    private void write(GraspUnderTest server, int writer, BooleanSupplier isOver) throws IOException {
        var random = new SplittableRandom(writer);
        int author = author(writer);
        try (var client = server.connect()) {
            while (!isOver.getAsBoolean()) {
                var identifier = "r" + random.nextInt(3);
                var salt = List.of("t", Long.toString(random.nextLong()));
                var event = switch (random.nextInt(8)) {
                    case 0, 1 -> server.announcement(author, identifier, salt);
                    case 2, 3 -> server.stateAt(server.now(), author, identifier, salt);
                    case 4, 5 -> pullRequest(server, author, identifier, salt);
                    case 6 -> takeBackOrLeave(server, author, identifier, random);
                    default -> server.event(GraspUnderTest.OPERATOR, 1, salt);
                };
                note(event);
                if (client.publish(event).message().startsWith("purgatory: ")) {
                    held.incrementAndGet();
                }
            }
        }
    }

    private static Event pullRequest(GraspUnderTest server, int author, String identifier, List<String> salt) {
        return server.event(
                author,
                Kinds.PULL_REQUEST,
                List.of("a", GraspUnderTest.coordinate(author, identifier)),
                List.of("c", "2".repeat(40)),
                salt);
    }

    private static Event takeBackOrLeave(
            GraspUnderTest server, int author, String identifier, SplittableRandom random) {
        return random.nextBoolean()
                ? server.elsewhereAt(server.now() + 1, author, identifier)
                : server.event(author, Kinds.DELETION, List.of("a", GraspUnderTest.coordinate(author, identifier)));
    }

    private void note(Event event) {
        if (event.kind() != 1 && event.kind() != Kinds.DELETION) {
            recent.add(event);
            if (recent.size() > 20) {
                recent.removeFirst();
            }
        }
    }

    /// Time goes some times as fast as it does, and slowly enough for sessions, which end when nothing comes for a
    /// minute.
    private void sweep(GraspUnderTest server, BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            server.clock().advance(Duration.ofMillis(50));
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            server.sweep();
            swept.incrementAndGet();
        }
    }

    private void read(GraspUnderTest server, int reader, BooleanSupplier isOver) throws IOException {
        try (var client = server.connect()) {
            for (int turn = reader; !isOver.getAsBoolean(); turn++) {
                for (var filter : filters()) {
                    ask(client, filter, turn % 3);
                    questions.incrementAndGet();
                }
            }
        }
    }

    /// All of them match nothing but what may be held.
    private List<String> filters() {
        var authors = IntStream.range(0, WRITERS)
                .mapToObj(writer -> "\"" + StoreSamples.author(author(writer)) + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        var coordinates = IntStream.range(0, WRITERS)
                .mapToObj(writer -> "\"" + GraspUnderTest.coordinate(author(writer), "r1") + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        var ids = recent.stream()
                .map(event -> "\"" + event.id() + "\"")
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
        return List.of(
                "{" + HELD_ONLY + "}",
                "{" + HELD_ONLY + ",\"authors\":" + authors + "}",
                "{" + HELD_ONLY + ",\"#a\":" + coordinates + "}",
                "{\"#d\":[\"r0\",\"r1\",\"r2\"]}",
                ids);
    }

    private static void ask(RelayClient client, String filter, int way) throws IOException {
        switch (way) {
            case 0 -> assertEquals(List.of(), client.events(filter), filter);
            case 1 -> assertTrue(client.ask("[\"COUNT\",\"c\"," + filter + "]").contains("{\"count\":0"), filter);
            default -> {
                var answer = client.ask("[\"NEG-OPEN\",\"n\"," + filter + ",\"" + LIST_NOTHING + "\"]");
                assertEquals("[\"NEG-MSG\",\"n\",\"" + LIST_NOTHING + "\"]", answer, filter);
                client.send("[\"NEG-CLOSE\",\"n\"]");
            }
        }
    }
}
