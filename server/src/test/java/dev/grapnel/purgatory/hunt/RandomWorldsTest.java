package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Identifier;
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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Worlds by chance: domains with their own pace and moods, events that come and go. Whatever happens, limits hold, who
/// waits is not overtaken for ever and nobody sleeps beside a free permit; once servers behave, everything that can be
/// had comes, nobody is forgotten and no permit is lost.
final class RandomWorldsTest {
    private static final int SEEDS = Integer.getInteger("grapnel.hunt.seeds", 20);
    private static final int GUESSABLE = 12;
    private static final int FIRST = Integer.getInteger("grapnel.hunt.seed", 0);

    @Test
    void limitsHoldAndWhateverCanBeHadComes() throws InterruptedException, ExecutionException {
        // tasks of a world take turns, which costs least among threads of one kind
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
                int number = seed;
                threads.submit(() -> play(number)).get();
            }
        }
    }

    private static Void play(int seed) throws UnknownHostException {
        try {
            new Run(seed).play();
            return null;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
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
            man.world.onTalk = this::check;
            man.listener = new Fairness(man)::note;
        }

        void play() throws UnknownHostException {
            build();
            for (int second = 0; second < 900; second++) {
                if (chance.nextInt(4) == 0) {
                    disturb();
                }
                man.seconds(1);
                check();
                checkAwake();
            }
            calm();
            finish();
        }

        private void build() throws UnknownHostException {
            int domains = 1 + chance.nextInt(5);
            for (int d = 0; d < domains; d++) {
                var address = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, (byte) chance.nextInt(3)});
                boolean isCounted = chance.nextBoolean();
                for (int u = 0; u <= chance.nextInt(4); u++) {
                    var url = "https://d" + d + ".example/" + u;
                    urls.add(url);
                    var server = man.world.server(url);
                    server.answersAfter(Duration.ofMillis(chance.nextInt(3) * chance.nextLong(2000)));
                    server.takes(Duration.ofMillis(chance.nextInt(4) * chance.nextLong(20_000)));
                    server.isVague = chance.nextInt(4) == 0;
                    server.allowsUnadvertised = chance.nextInt(4) > 0;
                    server.address = isCounted ? address : null;
                }
            }
        }

        private void disturb() {
            var server = man.world.server(urls.get(chance.nextInt(urls.size())));
            switch (chance.nextInt(14)) {
                case 0 -> server.fails(new Failure.Passing());
                case 1 -> server.fails(new Failure.NotThere());
                case 2 -> server.fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(chance.nextInt(120)))));
                case 3 -> server.breaks = chance.nextBoolean();
                case 4 -> server.works();
                case 5 -> man.hunt.refresh(id("i" + chance.nextInt(12)));
                case 6 -> man.hunt.recheck(id("i" + chance.nextInt(12)));
                case 7 -> server.redirect = Optional.of(new Host("d" + chance.nextInt(5) + ".example"));
                case 8 -> server.fetchFailure = Optional.of(new Failure.Full(Room.AREA));
                case 9 -> server.stale.addAll(server.refs.values());
                default -> publish();
            }
        }

        /// An event whose objects are somewhere among the URLs it names.
        private void publish() {
            int number = chance.nextInt(12);
            var identifier = id("i" + number);
            var named = new ArrayList<String>();
            for (int i = 0; i <= chance.nextInt(4); i++) {
                named.add(urls.get(chance.nextInt(urls.size())));
            }
            var needed = new ArrayList<Oid>();
            for (int i = 0; i <= chance.nextInt(3); i++) {
                var oid = oid(oids++);
                needed.add(oid);
                give(oid, man.world.server(named.get(chance.nextInt(named.size()))), i == 0 && number == 0);
            }
            man.world.waits(identifier, needed, named.toArray(String[]::new)).by(chance.nextInt(4));
            man.hunt.notice(identifier, chance.nextInt(3) == 0 ? Occasion.DIRECT : Occasion.SYNCED);
        }

        /// Some have what they do not advertise. They are asked for it only while half of their rate is unused, which
        /// must happen while all others try again.
        private void give(Oid oid, ScriptedServer server, boolean isHidden) {
            if (isHidden && server.allowsUnadvertised && limits.perMinute() >= GUESSABLE) {
                server.hides(oid);
            } else {
                server.has(oid);
            }
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

        /// Nobody sleeps while what it waits for is free. At the end of a step no turn is without its conversation.
        private void checkAwake() {
            var counts = man.hunt.counts().domains();
            int inFlight =
                    counts.values().stream().mapToInt(DomainPicture::inFlight).sum();
            boolean isMachineBusy =
                    man.world.connected.values().stream().anyMatch(count -> count >= limits.perAddress());
            if (inFlight >= limits.fetches() || isMachineBusy) {
                return;
            }
            counts.forEach((host, domain) -> assertTrue(
                    domain.queued() <= domain.inFlight()
                            || domain.inFlight() >= limits.concurrent()
                            || domain.starts() >= limits.perMinute()
                            || domain.pausedUntil().isPresent(),
                    () -> host + " sleeps: " + domain));
        }

        /// Everybody behaves from now on.
        private void calm() {
            man.world.servers.values().forEach(server -> {
                server.works();
                server.breaks = false;
                server.redirect = Optional.empty();
                server.stale.clear();
            });
        }

        /// The longest rest is ten minutes and the longest pause between attempts two.
        private void finish() {
            for (int minute = 0; minute < 180 && !man.world.waiting.isEmpty(); minute++) {
                man.seconds(60);
                check();
                checkAwake();
            }
            assertEquals(Set.of(), man.world.waiting.keySet(), () -> "left of " + limits + man.hunt.pictures(3));
            man.seconds(300);
            assertEquals(0, man.hunt.counts().queued(), "queue");
            assertEquals(0, man.world.talking(), "conversations");
            assertEquals(0, man.time.tasks(), "tasks");
            assertEquals(Map.of(), man.hunt.counts().domains(), "permits and queues");
            checkRates();
        }

        private void checkRates() {
            var starts = new HashMap<Host, List<Long>>();
            for (var call : man.world.calls("charge")) {
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

    /// Who waits for a domain is overtaken by nobody twice.
    private static final class Fairness {
        private final Huntsman man;
        private final Map<Host, Map<Identifier, Map<Identifier, Integer>>> overtaken = new HashMap<>();
        private final Map<Host, Map<Identifier, Long>> woken = new HashMap<>();

        Fairness(Huntsman man) {
            this.man = man;
        }

        void note(HuntNote note) {
            if (note instanceof HuntNote.Enqueued(var host, var identifier, var _)) {
                boolean isWoken =
                        Long.valueOf(man.time.now()).equals(of(woken, host).get(identifier));
                if (!isWoken && !man.world.isTalking(identifier, host)) {
                    of(overtaken, host).putIfAbsent(identifier, new HashMap<>());
                }
            } else if (note instanceof HuntNote.Started(var identifier, var _)) { // it may have left before
                overtaken.forEach((host, waiting) ->
                        waiting.keySet().removeIf(other -> other.equals(identifier) && !isWaiting(other, host)));
            } else if (note instanceof HuntNote.Woken(var host, var identifier)) {
                of(woken, host).put(identifier, man.time.now());
                var waiting = of(overtaken, host);
                waiting.remove(identifier);
                waiting.keySet().removeIf(other -> !isWaiting(other, host));
                waiting.forEach((other, by) -> {
                    int times = by.merge(identifier, 1, Integer::sum);
                    assertTrue(times < 2, () -> identifier + " overtakes " + other + " at " + host);
                });
            }
        }

        private boolean isWaiting(Identifier identifier, Host host) {
            return man.hunt
                    .picture(identifier)
                    .filter(picture -> picture.waitingAt().contains(host))
                    .isPresent();
        }

        private static <V> Map<Identifier, V> of(Map<Host, Map<Identifier, V>> all, Host host) {
            return all.computeIfAbsent(host, _ -> new HashMap<>());
        }
    }
}
