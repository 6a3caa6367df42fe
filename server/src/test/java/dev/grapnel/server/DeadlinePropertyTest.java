package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Row 35 of purgatory 11, P-215: no held announcement ends before a state that it authorises and that
/// names something, whatever happened before.
final class DeadlinePropertyTest {
    private static final int PEOPLE = 4;
    private static final int STEPS = 150;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void announcementsOutliveTheStatesTheyAuthorise(int seed) {
        var random = new Random(seed);
        try (var server = GraspUnderTest.start()) {
            var sent = new ArrayList<Event>();
            for (int step = 0; step < STEPS; step++) {
                var what = act(random, server, sent);
                check(server, "seed " + seed + " step " + step + ": " + what);
            }
        }
    }

    private static String act(Random random, GraspUnderTest server, List<Event> sent) {
        server.clock().advance(Duration.ofSeconds(random.nextInt(400)));
        int author = random.nextInt(PEOPLE);
        int choice = random.nextInt(10);
        if (choice == 0) {
            server.sweep();
            return "sweep";
        }
        Event event;
        if (choice < 4) {
            event = announcement(random, server, author);
        } else if (choice < 7) {
            event = random.nextInt(5) == 0 ? server.stateAt(server.now(), author, "x") : server.state(author, "x");
        } else if (sent.isEmpty()) {
            return "nothing";
        } else {
            event = sent.get(random.nextInt(sent.size()));
        }
        sent.add(event);
        var answer = random.nextBoolean() ? server.sync(event) : server.direct(event);
        return event.kind() + " of " + author + " " + answer.message();
    }

    private static Event announcement(Random random, GraspUnderTest server, int author) {
        var others = random.ints(0, PEOPLE).limit(random.nextInt(4)).distinct().toArray();
        var tag = GraspUnderTest.maintainers(others);
        return random.nextInt(4) == 0 ? server.elsewhere(author, "x", tag) : server.announcement(author, "x", tag);
    }

    private static void check(GraspUnderTest server, String where) {
        var pool = server.purgatory().of(new Identifier("x"));
        for (var state : pool.states()) {
            if (!state.isEmpty()) {
                Stream.concat(pool.authorising(state.author()).stream(), pool.findAnnounced(state.author()).stream())
                        .filter(_ -> pool.authorises(state.author()))
                        .map(Announced::held)
                        .flatMap(held -> held.stream().filter(HeldVoice::isHosted))
                        .forEach(held -> assertTrue(held.deadline() >= state.deadline(), where));
            }
        }
    }
}
