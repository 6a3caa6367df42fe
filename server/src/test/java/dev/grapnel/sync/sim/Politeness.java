package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Limit;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// I8, I21 and I22 as relays see them: how often something is asked, how much is open, what is asked while nothing may
/// be, and how often the same wall is run against.
final class Politeness implements Invariant, Wiretap.Listener {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long DAY = Duration.ofDays(1).toNanos();
    private static final long COOLDOWN = Duration.ofSeconds(64).toNanos();
    private static final int REFUSALS_MAX = 40;

    /// 10 a second and a burst of 10, over ten seconds, with what the way there may push together.
    private static final int STARTS_MAX = 120;

    private static final int SLOTS_UNKNOWN = 20;

    private final SimWorld world;
    private final List<String> problems = new ArrayList<>();
    private final Map<Pair, Watch> watches = new LinkedHashMap<>();

    private record Pair(String node, RemoteUrl relay) {}

    /// What one relay has seen of one node.
    private static final class Watch {
        final Deque<Long> starts = new ArrayDeque<>();
        final Deque<Long> refusals = new ArrayDeque<>();
        long cooldown = Long.MIN_VALUE;
        boolean isSlotsTold;
    }

    Politeness(SimWorld world) {
        this.world = world;
        world.relays().forEach(this::watch);
        world.network().tap().listen(this);
    }

    /// What was said just before a connection ended may not have arrived.
    @Override
    public void gone(Wiretap.Tapped line) {
        var watch = watches.get(new Pair(line.node, line.relay));
        if (watch != null && watch.cooldown != Long.MIN_VALUE && world.time().nanos() <= watch.cooldown + SECOND) {
            watch.cooldown = Long.MIN_VALUE;
        }
    }

    @Override
    public String name() {
        return "I8, I21, I22";
    }

    @Override
    public List<String> problems(Moment moment) {
        world.relays().stream()
                .flatMap(relay -> relay.misdeeds().stream().limit(1).map(deed -> relay + ": " + deed))
                .filter(deed -> !problems.contains(deed))
                .forEach(problems::add);
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    private void watch(SimRelay relay) {
        relay.record().watchRequests(request -> requested(relay, request));
        relay.record().watchRefusals(refusal -> refused(relay, refusal));
        relay.record().watchUsage(usage -> used(relay, usage));
    }

    private Watch of(String node, SimRelay relay) {
        return watches.computeIfAbsent(new Pair(node, relay.url()), _ -> new Watch());
    }

    private void requested(SimRelay relay, RelayRecord.Request request) {
        var watch = of(request.client(), relay);
        long way = 4
                        * world.network()
                                .climate(request.client(), relay.url())
                                .latency()
                                .toNanos()
                + SECOND;
        if (watch.cooldown != Long.MIN_VALUE
                && request.at() > watch.cooldown + way
                && request.at() < watch.cooldown + COOLDOWN) {
            problems.add(request.client() + " asked " + relay + " for " + request.purpose() + " "
                    + Duration.ofNanos(request.at() - watch.cooldown) + " after it was asked to slow down");
        }
        if (request.purpose() != Purpose.LIVE && request.purpose() != Purpose.CATCH_UP) {
            watch.starts.add(request.at());
            while (watch.starts.getFirst() < request.at() - 10 * SECOND) {
                watch.starts.remove();
            }
            if (watch.starts.size() == STARTS_MAX + 1) {
                problems.add(request.client() + " began more than " + STARTS_MAX + " requests within 10 s at " + relay);
            }
        }
    }

    private void refused(SimRelay relay, RelayRecord.Refusal refusal) {
        var watch = of(refusal.client(), relay);
        // what a liar refuses may be a request that is over for us, and its text is none to heed (R4.20)
        if (refusal.limit() == Limit.QUERIES && relay.isHonest() && refusal.at() > watch.cooldown + COOLDOWN) {
            watch.cooldown = refusal.at();
        }
        if (refusal.limit() == Limit.FRAMES) {
            problems.add(refusal.client() + " sent more frames a minute than " + relay + " takes");
        }
        boolean isHonest = relay.isHonest() && !world.network().hasLost(refusal.client(), relay.url());
        if (refusal.limit().isStructural() && isHonest) {
            watch.refusals.add(refusal.at());
            while (watch.refusals.getFirst() < refusal.at() - DAY) {
                watch.refusals.remove();
            }
            if (watch.refusals.size() == REFUSALS_MAX + 1) {
                problems.add(refusal.client() + " was refused more than " + REFUSALS_MAX + " times a day at " + relay
                        + ", last: " + refusal.text());
            }
        }
    }

    private void used(SimRelay relay, RelayRecord.Usage usage) {
        var watch = of(usage.client, relay);
        int most = slotsMax(relay);
        boolean isExact = relay.lie().heedsClose() && !world.network().hasLost(usage.client, relay.url());
        if (usage.slots() > most && isExact && !watch.isSlotsTold) {
            watch.isSlotsTold = true;
            problems.add(usage.client + " has " + usage.slots() + " open at " + relay + ", where " + most + " may be");
        }
    }

    /// B less the reserve (R3.14). A document that was not got in time leaves the usual value.
    private static int slotsMax(SimRelay relay) {
        int known = relay.information()
                .flatMap(
                        document -> document.subscriptionsMax().stream().boxed().findFirst())
                .orElse(SLOTS_UNKNOWN);
        return Math.max(known, SLOTS_UNKNOWN) - 2;
    }
}
