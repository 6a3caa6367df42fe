package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.nostr.event.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How much others see of a real server that has much to hunt for: they count who comes.
@Timeout(180)
final class HuntCourtesyTest {
    private static final int PER_MINUTE = 30;
    private static final int AT_ONCE = 5;

    @TempDir
    private Path directory;

    /// Row 135.
    @Test
    void fortyIdentifiersComeToOneServerFiveAtOnceAndThirtyAMinute() throws Exception {
        try (var ground = HuntingGround.open(directory)) {
            var tip = ground.filled("all");
            var host = ground.host();
            var turnstile = new Semaphore(0);
            host.knows("all", tip, ground.pack("all")).before("all", asked -> {
                if (asked.isFirst()) {
                    turnstile.acquireUninterruptibly();
                }
            });
            var url = ground.url("one.example", host, "all");
            var names = IntStream.range(0, 40).mapToObj(i -> "x" + i).toList();
            ground.server()
                    .syncAll(names.stream()
                            .map(name -> ground.announcement(name, url))
                            .toList());
            var states = names.stream().map(name -> ground.state(name, tip)).toList();
            ground.server().syncAll(states);
            ground.await(() -> ground.hunt().counts().queued() == 40);
            ground.pass(Duration.ofMillis(500));
            ground.await(() -> host.asked().size() == AT_ONCE && queued(ground) == 40 - AT_ONCE);
            turnstile.release(40);
            ground.await(() -> served(ground, states) == PER_MINUTE);
            ground.pass(Duration.ofMillis(59_999));
            ground.awaitQuiet();
            assertEquals(PER_MINUTE, host.visits(), "the others wait until the minute is over");
            ground.pass(Duration.ofMillis(1));
            ground.await(() -> served(ground, states) == 40);
            assertEquals(40, host.visits());
            assertEquals(AT_ONCE, host.openMost());
        }
    }

    private static int queued(HuntingGround ground) {
        return ground.domain("one.example").orElseThrow().queued();
    }

    private static long served(HuntingGround ground, List<Event> events) {
        return events.stream().filter(ground.server()::isServed).count();
    }

    /// Row 171, with fewer events than the catalogue has: what they name differs, so that all of it might be asked for.
    @Test
    void victimOfManyPullRequestsSeesThirtyRequestsAMinute() throws Exception {
        try (var ground = HuntingGround.open(directory)) {
            int names = 3;
            var tip = ground.filled("true");
            var host = ground.host();
            host.says("true", ScriptedServer.status(404));
            var url = ground.url("victim.example", host, "true");
            var proposals = new ArrayList<Event>();
            for (int i = 0; i < 60; i++) {
                var path = "false" + i;
                host.says(path, ScriptedServer.status(404));
                var nothing = GitProgram.oid("%040x".formatted(i + 1));
                proposals.add(ground.proposal(100 + (i % 5), "x" + (i % names), nothing, url.replace("true", path)));
            }
            var honest = ground.proposal(100, "x0", tip, url);
            proposals.addFirst(honest);
            for (int i = 0; i < names; i++) {
                ground.server().serve(ground.announcement("x" + i));
            }
            ground.server().syncAll(proposals);
            ground.await(() -> ground.hunt().counts().queued() == names);
            for (int second = 0; second < 120; second += 20) {
                ground.pass(Duration.ofSeconds(20));
                ground.awaitQuiet();
            }
            assertMinutes(host);
            assertEquals(host.visits(), host.connections(), "nothing is asked beyond that");
            host.knows("true", tip, ground.pack("true"));
            for (int minute = 0; minute < 20 && !ground.server().isServed(honest); minute++) {
                ground.pass(Duration.ofMinutes(1));
                ground.awaitQuiet();
            }
            ground.awaitServed(honest);
            assertMinutes(host);
        }
    }

    private static void assertMinutes(TroubledHost host) {
        var asked = host.asked().stream().filter(TroubledHost.Asked::isFirst).toList();
        assertTrue(asked.size() > PER_MINUTE, "it is asked at all");
        for (var first : asked) {
            var end = first.at().plusSeconds(60);
            long count = asked.stream()
                    .filter(one -> !one.at().isBefore(first.at()) && one.at().isBefore(end))
                    .count();
            assertTrue(count <= PER_MINUTE, count + " visits in a minute");
        }
        assertTrue(host.openMost() <= AT_ONCE, host.openMost() + " at once");
    }
}
