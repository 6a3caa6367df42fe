package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Worlds by chance: domains with their own pace and moods, events that come and go. Whatever happens, limits hold;
/// once
/// servers behave, everything that can be had comes, nobody is forgotten and no permit is lost.
final class RandomWorldsTest {
    private static final int SEEDS = Integer.getInteger("grapnel.hunt.seeds", 100);
    private static final int FIRST = Integer.getInteger("grapnel.hunt.seed", 0);

    @Test
    void limitsHoldAndWhateverCanBeHadComes() throws UnknownHostException {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new Run(seed).play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Run {
        private final SplittableRandom chance;
        private final Limits limits;
        private final Huntsman man;
        private final List<String> urls = new ArrayList<>();
        private int oids;

        Run(int seed) {
            chance = new SplittableRandom(seed);
            limits = new Limits(
                    1 + chance.nextInt(4),
                    2 + chance.nextInt(20),
                    List.of(),
                    2 + chance.nextInt(8),
                    1 + chance.nextInt(3));
            man = new Huntsman(Huntsman.with(limits), seed);
        }

        void play() throws UnknownHostException {
            build();
            for (int second = 0; second < 900; second++) {
                if (chance.nextInt(4) == 0) {
                    disturb();
                }
                man.seconds(1);
                check();
            }
            calm();
            finish();
        }

        private void build() throws UnknownHostException {
            int domains = 1 + chance.nextInt(5);
            for (int d = 0; d < domains; d++) {
                var address = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, (byte) chance.nextInt(3)});
                for (int u = 0; u <= chance.nextInt(4); u++) {
                    var url = "https://d" + d + ".example/" + u;
                    urls.add(url);
                    var server = man.world.server(url);
                    server.answersAfter(Duration.ofMillis(chance.nextInt(3) * chance.nextLong(2000)));
                    server.takes(Duration.ofMillis(chance.nextInt(4) * chance.nextLong(20_000)));
                    if (chance.nextBoolean()) {
                        server.address = address;
                    }
                }
            }
        }

        private void disturb() {
            var server = man.world.server(urls.get(chance.nextInt(urls.size())));
            switch (chance.nextInt(10)) {
                case 0 -> server.fails(new Failure.Passing());
                case 1 -> server.fails(new Failure.NotThere());
                case 2 -> server.fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(chance.nextInt(120)))));
                case 3 -> server.breaks = chance.nextBoolean();
                case 4 -> server.works();
                case 5 -> man.hunt.refresh(id("i" + chance.nextInt(12)));
                case 6 -> man.hunt.recheck(id("i" + chance.nextInt(12)));
                default -> publish();
            }
        }

        /// An event whose objects are somewhere among the URLs it names.
        private void publish() {
            var identifier = id("i" + chance.nextInt(12));
            var named = new ArrayList<String>();
            for (int i = 0; i <= chance.nextInt(4); i++) {
                named.add(urls.get(chance.nextInt(urls.size())));
            }
            var needed = new ArrayList<Oid>();
            for (int i = 0; i <= chance.nextInt(3); i++) {
                var oid = oid(oids++);
                needed.add(oid);
                man.world.server(named.get(chance.nextInt(named.size()))).has(oid);
            }
            man.world.waits(identifier, needed, named.toArray(String[]::new));
            man.hunt.notice(identifier, chance.nextInt(3) == 0 ? Occasion.DIRECT : Occasion.SYNCED);
        }

        private void check() {
            var world = man.world;
            world.talking.forEach((host, count) ->
                    assertTrue(count <= limits.concurrent(), () -> count + " conversations with " + host));
            assertTrue(world.talking() <= limits.fetches(), () -> world.talking() + " conversations");
            var inFlight = man.hunt.counts().domains().values().stream()
                    .mapToInt(DomainPicture::inFlight)
                    .sum();
            assertTrue(world.talking() <= inFlight, "a conversation without a permit");
            world.connected.forEach((address, count) ->
                    assertTrue(count <= limits.perAddress(), () -> count + " connections with " + address));
        }

        /// Everybody behaves from now on.
        private void calm() {
            man.world.servers.values().forEach(server -> {
                server.works();
                server.breaks = false;
            });
        }

        /// The longest rest is ten minutes and the longest pause between attempts two.
        private void finish() {
            for (int minute = 0; minute < 180 && !man.world.waiting.isEmpty(); minute++) {
                man.seconds(60);
                check();
            }
            assertEquals(Map.of(), man.world.waiting, "left");
            man.seconds(300);
            assertEquals(0, man.hunt.counts().queued(), "queue");
            assertEquals(0, man.world.talking(), "conversations");
            assertEquals(0, man.time.tasks(), "tasks");
            assertEquals(Map.of(), man.hunt.counts().domains(), "permits and queues");
            checkRates();
        }

        private void checkRates() {
            var starts = new HashMap<Host, List<Long>>();
            for (var call : man.world.calls("visit")) {
                starts.computeIfAbsent(ScriptedWorld.fit(call.url()).domain(), _ -> new ArrayList<>())
                        .add(call.at());
            }
            starts.forEach((host, times) -> {
                for (int i = limits.perMinute(); i < times.size(); i++) {
                    long span = times.get(i) - times.get(i - limits.perMinute());
                    assertTrue(span >= 60_000, () -> host + " too often");
                }
            });
        }
    }
}
