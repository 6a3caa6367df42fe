package dev.grapnel.sync.sim;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.sim.Endpoint.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Things go wrong now and then (sync 10.2), until some moment; then nothing is wrong any more.
final class Faults {
    private static final List<Welcome> REFUSALS = List.of(
            new Welcome.Failed(new Failure.ConnectFailed()),
            new Welcome.Failed(new Failure.LookupFailed()),
            new Welcome.Failed(new Failure.Broken()),
            new Welcome.Refused(503, Optional.empty()),
            new Welcome.Refused(429, Optional.of(Duration.ofSeconds(30))),
            new Welcome.Silent());

    private final SimWorld world;
    private final RandomGenerator random;
    private final Duration every;
    private final long end;

    /// @param every how much time is between two faults, about
    /// @param howLong until when there are some
    Faults(SimWorld world, RandomGenerator random, Duration every, Duration howLong) {
        this.world = world;
        this.random = random;
        this.every = every;
        this.end = world.time().nanos() + howLong.toNanos();
    }

    void begin() {
        plan();
    }

    private void plan() {
        var wait = Duration.ofNanos(1 + random.nextLong(2 * every.toNanos()));
        if (world.time().nanos() + wait.toNanos() < end) {
            world.time().after(wait, () -> {
                strike();
                world.faulted();
                plan();
            });
        }
    }

    /// Something is done, and undone after a while that ends in time.
    private void during(Duration most, Runnable begin, Runnable undo) {
        long rest = Math.max(1, Math.min(most.toNanos(), end - world.time().nanos()));
        begin.run();
        world.time().after(Duration.ofNanos(random.nextLong(rest)), () -> {
            undo.run();
            world.faulted();
        });
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void strike() {
        var relay = one(world.relays());
        var node = one(world.nodes());
        var network = world.network();
        var weather = network.weather(node.name(), relay.url());
        switch (random.nextInt(14)) {
            case 0, 1 -> network.connections(relay.url()).forEach(link -> link.cut(new Failure.Broken()));
            case 2 -> during(Duration.ofHours(3), () -> network.stop(relay.url()), () -> network.start(relay.url()));
            case 3 ->
                during(
                        Duration.ofMinutes(20),
                        () -> network.beginOutage(node.name()),
                        () -> network.endOutage(node.name()));
            case 4 ->
                during(
                        Duration.ofMinutes(10),
                        () -> {
                            network.connections(node.name()).forEach(SimConnection::swallow);
                            weather.swallow(true);
                        },
                        () -> weather.swallow(false));
            case 5 ->
                during(
                        Duration.ofMinutes(30),
                        () -> weather.jitter(Duration.ofSeconds(2)),
                        () -> weather.jitter(Duration.ZERO));
            case 6 ->
                during(
                        Duration.ofMinutes(30),
                        () -> weather.disorder(Duration.ofSeconds(2)),
                        () -> weather.disorder(Duration.ZERO));
            case 7 -> during(Duration.ofMinutes(30), () -> weather.repetition(0.1), () -> weather.repetition(0));
            case 8 -> during(Duration.ofMinutes(30), () -> weather.cut(0.02), () -> weather.cut(0));
            case 9 ->
                during(
                        Duration.ofMinutes(20),
                        () -> network.weather(relay.url()).handshakes(one(REFUSALS)),
                        () -> network.weather(relay.url()).handshakes(Welcome.GRANTED));
            case 10 -> crash(node);
            case 11 -> during(Duration.ofMinutes(5), () -> fill(node, true), () -> fill(node, false));
            case 12 -> relay.lag();
            default -> {
                if (node.isAlive()) {
                    node.files().corrupt();
                    crash(node);
                }
            }
        }
    }

    private static void fill(SimNode node, boolean isFull) {
        if (node.isAlive()) {
            node.fillDisk(isFull);
        }
    }

    private void crash(SimNode node) {
        if (node.isAlive()) {
            during(Duration.ofMinutes(10), node::crash, () -> {
                if (!node.isAlive()) {
                    node.restart();
                }
            });
        }
    }
}
