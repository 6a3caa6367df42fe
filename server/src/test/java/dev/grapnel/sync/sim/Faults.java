package dev.grapnel.sync.sim;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Endpoint.Welcome;
import java.time.Duration;
import java.util.ArrayList;
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

    private static final List<Welcome> TLS_FAULTS = List.of(
            new Welcome.Failed(new Failure.CertificateInvalid()),
            new Welcome.Failed(new Failure.HandshakeRefused()),
            new Welcome.Failed(new Failure.TlsFailed()));

    private static final Welcome NO_NAME = new Welcome.Failed(new Failure.NoSuchName());
    private static final int CRASH_AFTER_MAX = 300;
    private static final Duration CLOCK_MAX = Duration.ofHours(2);

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
                world.act(Act.Kind.FAULT, () -> () -> strike(one(List.of(Fault.values()))));
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

    /// Whom a node may be connected to: relays and other nodes.
    private RemoteUrl place(SimNode node) {
        var places = new ArrayList<RemoteUrl>();
        world.relays().forEach(relay -> places.add(relay.url()));
        world.nodes().stream().filter(other -> other != node).forEach(other -> places.add(other.url()));
        return one(places);
    }

    private void strike(Fault fault) {
        var relay = one(world.relays());
        var node = one(world.nodes());
        var place = place(node);
        var network = world.network();
        var weather = network.weather(node.name(), place);
        switch (fault) {
            case CUT -> network.connections(place).forEach(link -> link.cut(new Failure.Broken()));
            case DOWN -> during(Duration.ofHours(3), () -> network.stop(place), () -> network.start(place));
            case OUTAGE ->
                during(
                        Duration.ofMinutes(20),
                        () -> network.beginOutage(node.name()),
                        () -> network.endOutage(node.name()));
            case HALF_OPEN ->
                during(
                        Duration.ofMinutes(10),
                        () -> {
                            network.connections(node.name()).forEach(SimConnection::swallow);
                            weather.swallow(true);
                        },
                        () -> weather.swallow(false));
            case DELAY ->
                during(
                        Duration.ofMinutes(30),
                        () -> weather.jitter(Duration.ofSeconds(2)),
                        () -> weather.jitter(Duration.ZERO));
            case REORDER ->
                during(
                        Duration.ofMinutes(30),
                        () -> weather.disorder(Duration.ofSeconds(2)),
                        () -> weather.disorder(Duration.ZERO));
            case DUPLICATE ->
                during(Duration.ofMinutes(30), () -> weather.repetition(0.1), () -> weather.repetition(0));
            case CUT_ANYWHERE -> during(Duration.ofMinutes(30), () -> weather.cut(0.02), () -> weather.cut(0));
            case LOSS ->
                during(
                        Duration.ofMinutes(30),
                        () -> network.lose(node.name(), relay.url(), 0.1),
                        () -> network.weather(node.name(), relay.url()).loss(0));
            case REFUSE -> refuse(place, one(REFUSALS));
            case NO_NAME -> refuse(place, NO_NAME);
            case TLS -> refuse(place, one(TLS_FAULTS));
            case CRASH -> crash(node);
            case CRASH_ANYWHERE -> crashLater(node);
            case DISK_FULL -> during(Duration.ofMinutes(5), () -> fill(node, true), () -> fill(node, false));
            case CORRUPT -> {
                if (node.isAlive()) {
                    node.files().corrupt();
                    crash(node);
                }
            }
            case CLOCK -> {
                var by = Duration.ofSeconds(random.nextLong(2 * CLOCK_MAX.toSeconds()) - CLOCK_MAX.toSeconds());
                during(Duration.ofHours(1), () -> node.jump(by), () -> node.jump(by.negated()));
            }
            case LAG -> relay.lag();
            case GIT_AWAY ->
                during(
                        Duration.ofHours(1),
                        () -> world.git().setAway(node.name(), true),
                        () -> world.git().setAway(node.name(), false));
        }
    }

    private void refuse(RemoteUrl place, Welcome how) {
        var weather = world.network().weather(place);
        during(Duration.ofMinutes(20), () -> weather.handshakes(how), () -> weather.handshakes(Welcome.GRANTED));
    }

    private static void fill(SimNode node, boolean isFull) {
        if (node.isAlive()) {
            node.fillDisk(isFull);
        }
    }

    /// What is busy breaks at other places than what waits: links are cut, so that there is something to be said.
    private void crashLater(SimNode node) {
        if (node.isAlive()) {
            node.life().port().afterHeard(1 + random.nextInt(CRASH_AFTER_MAX), () -> {
                if (world.time().nanos() < end) {
                    crash(node);
                    world.faulted();
                }
            });
            world.network().connections(node.name()).forEach(link -> link.cut(new Failure.Broken()));
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
