package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The dials of I8, and I17: failed attempts are repeated as slowly as R6.1 to R6.10 say, nobody dials itself twice,
/// and the relay that the operator named is always followed, and dialled again within the longest wait (R6.4).
///
/// A restart may have lost what was written down, and a node without any link may guess that it is itself to blame and
/// probe (R6.6): failures of both are not counted, so what is required here is never more than the rules are.
final class Backoff implements Invariant {
    private static final Duration STABLE = Duration.ofMinutes(5);
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration NAUGHTY = Duration.ofHours(12);
    private static final Duration PARKED = Duration.ofHours(24);
    private static final Duration SLACK = Duration.ofSeconds(1);

    /// What an attempt itself may take, and the look that notices that it is due.
    private static final Duration ATTEMPT = Duration.ofMinutes(2);

    private final SimWorld world;
    private final List<String> problems = new ArrayList<>();
    private final Map<Pair, History> histories = new LinkedHashMap<>();
    private final Map<String, Integer> selfDials = new TreeMap<>();

    private record Pair(String node, RemoteUrl relay) {}

    private static final class History {
        int streak;
        long ended = Long.MIN_VALUE;
        Duration wait = Duration.ZERO;
        int crashes;
        boolean mayProbe;
        long notedAt;
    }

    Backoff(SimWorld world) {
        this.world = world;
        world.network().watchDials(this::dialled);
        world.network().watchLinks(this::lost);
    }

    @Override
    public String name() {
        return "I8, I17";
    }

    @Override
    public List<String> problems(Moment moment) {
        world.nodes().stream()
                .filter(node -> world.findCore(node.name()).isPresent())
                .forEach(node -> node.bootstrap().ifPresent(relay -> lookAtBootstrap(node, relay)));
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    private void lookAtBootstrap(SimNode node, RemoteUrl relay) {
        boolean isFor = world.findRelay(relay)
                .filter(SimRelay::isHonest)
                .filter(some -> !some.hasServedNothing(node.name())) // else it may rest (6.1)
                .isPresent();
        if (world.findLink(node.name(), relay).isEmpty()) {
            problems.add(node + " does not follow " + relay + ", with which it is to begin");
        }
        boolean isLinked = world.network().connections(node.name()).stream()
                .anyMatch(connection -> connection.relay().equals(relay));
        long now = world.time().nanos();
        var alone = Duration.ofNanos(now - Math.max(of(node.name(), relay).notedAt, node.begunAt()));
        if (isFor && !isLinked && alone.compareTo(LONGEST.plus(ATTEMPT)) > 0) {
            problems.add(node + " has not dialled " + relay + " for " + alone);
        }
    }

    private History of(String node, RemoteUrl relay) {
        return histories.computeIfAbsent(new Pair(node, relay), _ -> new History());
    }

    private void dialled(DialRecord dial) {
        checkSelf(dial);
        var history = of(dial.node(), dial.relay());
        history.notedAt = dial.ended();
        int crashes = world.nodes().stream()
                .filter(node -> node.name().equals(dial.node()))
                .mapToInt(node -> node.crashes() + node.jumps()) // some waits go by the clock that was set
                .sum();
        boolean isSameLife = crashes == history.crashes;
        history.crashes = crashes;
        if (!isSameLife) {
            history.streak = 0;
        }
        boolean isAlone = world.network().connections(dial.node()).isEmpty();
        if (isSameLife && !isAlone && !history.mayProbe && history.ended != Long.MIN_VALUE) {
            var waited = Duration.ofNanos(dial.begun() - history.ended);
            if (waited.plus(SLACK).compareTo(history.wait) < 0) {
                problems.add(dial.node() + " dialled " + dial.relay() + " after " + waited + " instead of "
                        + history.wait + ", failures: " + history.streak);
            }
        }
        history.mayProbe = isAlone;
        switch (dial.result()) {
            case OPENED -> history.ended = Long.MIN_VALUE;
            case CANCELLED -> {}
            case STATUS, NO_SUCH_NAME, TLS, FAILED -> failed(history, dial, isAlone);
        }
    }

    private void checkSelf(DialRecord dial) {
        boolean isSelf = world.nodes().stream()
                .anyMatch(node -> node.name().equals(dial.node()) && node.url().equals(dial.relay()));
        if (isSelf && selfDials.merge(dial.node(), 1, Integer::sum) > 1) {
            problems.add(dial.node() + " dialled itself again");
        }
    }

    private void failed(History history, DialRecord dial, boolean isAlone) {
        history.ended = dial.ended();
        if (dial.status() == 429) {
            history.wait = Duration.ofSeconds(5);
            return;
        }
        if (dial.status() == 401 || dial.status() == 403) {
            history.wait = PARKED;
            return;
        }
        history.streak += isAlone ? 0 : 1;
        boolean isNaughty = dial.result() == DialRecord.Result.NO_SUCH_NAME
                || dial.result() == DialRecord.Result.TLS
                || (dial.result() == DialRecord.Result.STATUS && dial.status() < 500);
        boolean isBootstrap = world.findNode(dial.node())
                .map(node -> node.bootstrap().equals(Optional.of(dial.relay())))
                .orElse(false);
        history.wait = isNaughty && !isBootstrap ? NAUGHTY : waitAfter(history.streak); // R6.4
    }

    private static Duration waitAfter(int failures) {
        var wait = FIRST.multipliedBy(1L << Math.clamp(failures - 1, 0, 20));
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    private void lost(LinkRecord link) {
        var history = of(link.node(), link.relay());
        var lived = Duration.ofNanos(link.ended() - link.opened());
        history.ended = link.ended();
        history.notedAt = link.ended();
        if (lived.compareTo(STABLE) >= 0) {
            history.streak = 0;
        }
        if (link.byNode()) {
            history.wait = Duration.ZERO; // why it left cannot be seen from here
        } else {
            history.streak += world.network().connections(link.node()).isEmpty() ? 0 : 1;
            history.wait = waitAfter(history.streak);
        }
    }
}
