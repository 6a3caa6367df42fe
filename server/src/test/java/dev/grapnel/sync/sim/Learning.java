package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// I22, as far as it is about cooldowns: none begins but for a word about how often something is asked. How many
/// refusals there are, [Politeness] counts.
final class Learning implements Invariant {
    /// So long a refusal may have been on its way.
    private static final long WAY = Duration.ofMinutes(2).toNanos();

    private static final int TOO_MANY_REQUESTS = 429;

    private final SimWorld world;
    private final Map<String, Long> slowedAt = new LinkedHashMap<>();

    Learning(SimWorld world) {
        this.world = world;
        world.network()
                .watchRelays(relay -> relay.record().watchRefusals(refusal -> {
                    if (refusal.limit() == Limit.QUERIES) {
                        slowedAt.put(key(refusal.client(), relay.url()), refusal.at());
                    }
                }));
        world.network().watchDials(dial -> {
            if (dial.status() == TOO_MANY_REQUESTS) {
                slowedAt.put(key(dial.node(), dial.relay()), dial.ended());
            }
        });
    }

    private static String key(String node, RemoteUrl relay) {
        return node + " " + relay;
    }

    @Override
    public String name() {
        return "I22";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        for (var node : world.nodes()) {
            world.findCore(node.name())
                    .ifPresent(core -> core.takeCooldowns().forEach(cooldown -> {
                        boolean isHonest = world.findRelay(cooldown.relay())
                                .map(SimRelay::isHonest)
                                .orElse(true);
                        long slowed = slowedAt.getOrDefault(key(node.name(), cooldown.relay()), Long.MIN_VALUE / 2);
                        if (isHonest && cooldown.at() - slowed > WAY) {
                            problems.add(
                                    node + " rests at " + cooldown.relay() + " though nobody asked it to slow down");
                        }
                    }));
        }
        return problems;
    }
}
