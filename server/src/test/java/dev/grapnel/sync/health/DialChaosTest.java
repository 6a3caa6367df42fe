package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Whatever happens in whatever order: limits hold at every moment, and nobody is forgotten.
final class DialChaosTest {
    private static final int SEEDS = 12;
    private static final int STEPS = 200;
    private static final int RELAYS = 60;
    private static final int FOLLOWED_MAX = 24;
    private static final int LINKS_MAX = 9;
    private static final int HOSTS = 12;

    private static final List<Failure> FAILURES = List.of(
            new Failure.ConnectFailed(),
            new Failure.NoSuchName(),
            new Failure.CertificateInvalid(),
            new Failure.Protocol("no"),
            new Failure.Busy("no place"),
            new Failure.Timeout(Failure.Limit.WHOLE));

    private final Map<Integer, Standing> wanted = new HashMap<>();

    @Test
    void limitsHoldAndNobodyIsForgotten() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var chance = new Random(seed);
            wanted.clear();
            var ground = new DialGround(DialGround.config(FOLLOWED_MAX, LINKS_MAX));
            ground.address(relay -> HealthBookTest.url("wss://h" + relay % HOSTS + ".example/" + relay));
            for (int step = 0; step < STEPS; step++) {
                step(ground, chance);
                check(ground, "seed " + seed + " step " + step);
            }
            checkEveryTurn(ground, "seed " + seed);
        }
    }

    /// All relays lie at one machine, five at each host of it: who waits for the one waits for the other, too.
    @Test
    void whoWaitsForTwoPlacesIsDialledOnceWhenItHasThem() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var chance = new Random(seed);
            var ground = new DialGround();
            ground.address(relay -> HealthBookTest.url("wss://h" + relay / 5 + ".example/" + relay));
            ground.machine(_ -> "10.0.0.1");
            ground.wantAll(0, 20, DialGround.ONE);
            for (int step = 0; step < 4 * STEPS; step++) {
                ground.pass(Duration.ofSeconds(chance.nextLong(1, 600)));
                int relay = chance.nextInt(20);
                if (ground.up.containsKey(relay)) {
                    ground.drop(relay, new Failure.Broken(), false);
                }
                var figures = ground.order.figures();
                assertTrue(figures.connected() <= ground.up.size(), "seed " + seed + " step " + step);
            }
        }
    }

    private void step(DialGround ground, RandomGenerator chance) {
        int relay = chance.nextInt(RELAYS);
        switch (chance.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                int count = chance.nextInt(4);
                var standing = new Standing(relay == 0, relay < 3, count, count == 0 && relay >= 3);
                wanted.put(relay, standing);
                ground.want(relay, standing);
            }
            case 4 -> {
                wanted.remove(relay);
                ground.order.unwant(relay);
            }
            case 5 -> ground.does(relay, behaviour(chance));
            case 6 -> ground.usually(behaviour(chance));
            case 7 -> {
                if (ground.up.containsKey(relay)) {
                    ground.drop(relay, FAILURES.get(chance.nextInt(FAILURES.size())), chance.nextBoolean());
                }
            }
            case 8 -> ground.park(relay, Duration.ofMinutes(chance.nextInt(100)));
            default -> ground.pass(Duration.ofMillis(chance.nextLong(1, 400_000)));
        }
    }

    private static Behaviour behaviour(RandomGenerator chance) {
        return switch (chance.nextInt(6)) {
            case 0 -> Behaviour.fails(FAILURES.get(chance.nextInt(FAILURES.size())));
            case 1 -> Behaviour.answers(List.of(200, 403, 429, 503).get(chance.nextInt(4)), Optional.empty());
            case 2 -> Behaviour.accepts().thenDrops(Duration.ofMillis(chance.nextLong(1, 1_000_000)));
            case 3 -> Behaviour.accepts().after(Duration.ofSeconds(chance.nextInt(10)));
            default -> Behaviour.accepts().thenSyncs(Duration.ofSeconds(chance.nextInt(1_000)));
        };
    }

    private void check(DialGround ground, String where) {
        var figures = ground.order.figures();
        assertTrue(ground.inUseMax <= LINKS_MAX, where);
        assertTrue(figures.followed() <= FOLLOWED_MAX, where);
        assertEquals(wanted.size(), figures.followed() + figures.waiting(), where);
        assertEquals(ground.dialling.size(), figures.dialling(), where);
        assertTrue(figures.connected() <= ground.up.size(), where);
        var hosts = new HashMap<Integer, Integer>();
        var inUse = new HashSet<>(ground.up.keySet());
        inUse.addAll(ground.dialling);
        inUse.remove(0); // the bootstrap relay needs no place
        inUse.forEach(relay -> hosts.merge(relay % HOSTS, 1, Integer::sum));
        assertTrue(hosts.values().stream().allMatch(count -> count <= 3), where + " " + inUse);
    }

    /// When all is well again, everybody who is followed has a turn.
    private void checkEveryTurn(DialGround ground, String where) {
        for (int relay = 0; relay < RELAYS; relay++) {
            ground.does(relay, Behaviour.accepts().thenSyncs(Duration.ofSeconds(5)));
        }
        for (int relay = 3 * HOSTS; relay < RELAYS; relay++) {
            ground.order.unwant(relay); // so that there is a place at each host for those who stay
        }
        ground.pass(Duration.ofHours(30)); // the longest wait of anybody is a day
        ground.forgetAttempts();
        Set<Integer> seen = new HashSet<>();
        for (int minute = 0; minute < 6 * 60; minute++) {
            ground.pass(Duration.ofMinutes(1));
            seen.addAll(ground.up.keySet());
        }
        assertEquals(ground.order.figures().followed(), seen.size(), where);
        assertTrue(!wanted.containsKey(0) || ground.up.containsKey(0), where + ": the bootstrap relay");
    }
}
