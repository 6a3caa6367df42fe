package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Things that happen at the same time: each has one of the outcomes it would have had one after the other, and
/// nobody waits for ever.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.race.rounds=1000` tries more often.
final class PushRaceTest extends TheoremWorldTest {
    private static final int ROUNDS = Integer.getInteger("grapnel.race.rounds", 25);
    private static final String OK = "ok " + MAIN;

    /// Begins all together and waits for all.
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static List<String> together(Callable<String>... works) throws Exception {
        var begin = new CyclicBarrier(works.length);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<String>>();
            for (var work : works) {
                running.add(threads.submit(() -> {
                    begin.await();
                    return work.call();
                }));
            }
            var answers = new ArrayList<String>();
            for (var work : running) {
                answers.add(work.get(60, TimeUnit.SECONDS));
            }
            return answers;
        }
    }

    private String tryPush(int owner, int commit) throws Exception {
        try {
            return world.push(TheoremWorld.address(owner, "x"), Map.of(MAIN, commit(commit)), Map.of(), false)
                    .orElse("404");
        } catch (IOException e) { // its connection is broken off: the repository went between question and answer
            return "gone: " + e.getMessage();
        }
    }

    private Oid main(int owner) throws Exception {
        return refs(owner, "x").getOrDefault(MAIN, Oid.ZERO);
    }

    private Event deletion(int author, Event event) {
        return StoreSamples.event(
                author,
                Kinds.DELETION,
                second(),
                List.of(List.of("e", event.id().toHex())),
                "");
    }

    /// Ann and Bob maintain each other's repositories.
    private void serveBoth() throws Exception {
        send(HELD, announcement(ANN, "x", BOB));
        send(HELD, announcement(BOB, "x", ANN));
        send(HELD, state(ANN, "x", 0, 0));
        pushMain(ANN, "x", 0);
        assertEquals(commit(0), main(BOB));
    }

    @Test
    void stateAndPushAtTheSameTime() throws Exception {
        serve(ANN, "x", 0);
        for (int round = 1; round <= ROUNDS; round++) {
            world.advance(Duration.ofSeconds(1));
            int commit = 1 + round % 7;
            int before = 1 + (round - 1) % 7;
            var state = state(ANN, "x", 0, commit);
            var answers = together(() -> world.submit(state, false), () -> tryPush(ANN, commit));
            world.rest();
            boolean isPushed = answers.get(1).contains(OK);
            assertTrue(answers.get(0).startsWith("true"), answers::toString);
            if (!isPushed && !isServed(state)) {
                assertEquals(round == 1 ? commit(0) : commit(before), main(ANN), answers::toString);
                pushMain(ANN, "x", commit);
            }
            assertTrue(isServed(state), answers::toString);
            assertEquals(commit(commit), main(ANN), answers::toString);
        }
    }

    @Test
    void twoMaintainersInTheSameSecond() throws Exception {
        serveBoth();
        for (int round = 1; round <= ROUNDS; round++) {
            world.advance(Duration.ofSeconds(1));
            int one = 1 + round % 3;
            int other = 4 + round % 3;
            var anns = state(ANN, "x", 0, one);
            var bobs = state(BOB, "x", 0, other);
            var answers = together(
                    () -> world.submit(anns, false),
                    () -> world.submit(bobs, false),
                    () -> tryPush(ANN, one),
                    () -> tryPush(BOB, other));
            world.rest();
            tryPush(ANN, one);
            tryPush(BOB, other);
            world.rest();
            var winner = anns.version().isNewerThan(bobs.version()) ? anns : bobs;
            assertTrue(isServed(winner), () -> answers + " leave " + winner + " waiting");
            var expected = commit(winner.equals(anns) ? one : other);
            assertEquals(expected, main(ANN), answers::toString);
            assertEquals(expected, main(BOB), answers::toString);
            assertEquals(Map.of(), world.repairs());
        }
    }

    @Test
    void pushWhileTheAnnouncementExpires() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var announcement = announcement(ANN, "x");
            send(HELD, announcement);
            var state = state(ANN, "x", 0, 0);
            send(HELD, state);
            world.advance(Duration.ofMinutes(31));
            var answers = together(
                    () -> {
                        world.sweep();
                        return "";
                    },
                    () -> tryPush(ANN, 0));
            world.rest();
            boolean isPushed = answers.get(1).contains(OK);
            assertEquals(isPushed, isServed(announcement), answers::toString);
            assertEquals(isPushed, isServed(state), answers::toString);
            if (isPushed) {
                assertEquals(commit(0), main(ANN));
            }
            world.advance(Duration.ofSeconds(1));
            world.submit(
                    StoreSamples.event(
                            ANN,
                            Kinds.DELETION,
                            second(),
                            List.of(
                                    List.of("a", coordinate(ANN, "x")),
                                    List.of("a", "30618" + coordinate(ANN, "x").substring(5))),
                            ""),
                    false);
            world.rest();
            world.advance(Duration.ofDays(100));
            world.sweep();
            world.cleanUp();
        }
    }

    @Test
    void deletionDuringAPush() throws Exception {
        serve(ANN, "x", 0);
        int current = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            world.advance(Duration.ofSeconds(1));
            int commit = 1 + round % 7;
            var state = state(ANN, "x", 0, commit);
            send(HELD.substring(0, 4), world.submit(state, false).substring(0, 4));
            var answers = together(() -> world.submit(deletion(ANN, state), false), () -> tryPush(ANN, commit));
            world.rest();
            boolean isHere = isServed(state)
                    || world.held().stream().anyMatch(row -> row.event().equals(state));
            assertFalse(isHere, answers::toString);
            // moved and moved back to an older state, moved, or never moved
            boolean isMoved = main(ANN).equals(commit(commit));
            assertTrue(isMoved || main(ANN).equals(commit(current)), answers::toString);
            current = isMoved ? commit : current;
            assertEquals(Map.of(), world.repairs());
        }
    }

    private static void send(String expected, String answer) {
        assertEquals(expected, answer);
    }

    @Test
    void twoPushesToRelatedRepositories() throws Exception {
        serveBoth();
        for (int round = 1; round <= ROUNDS; round++) {
            world.advance(Duration.ofSeconds(1));
            int commit = 1 + round % 7;
            var state = state(round % 2 == 0 ? ANN : BOB, "x", 0, commit);
            world.submit(state, false);
            var answers = together(() -> tryPush(ANN, commit), () -> tryPush(BOB, commit));
            assertTrue(answers.stream().anyMatch(answer -> answer.contains(OK)), answers::toString);
            assertTrue(isServed(state), answers::toString);
            assertEquals(commit(commit), main(ANN), answers::toString);
            assertEquals(commit(commit), main(BOB), answers::toString);
        }
    }
}
