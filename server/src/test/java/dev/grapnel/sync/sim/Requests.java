package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.Wiretap.Asked;
import dev.grapnel.sync.sim.Wiretap.Tapped;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// I8, as far as it is about what is asked: nothing during a cooldown, no faster than R3.15 allows, and nothing that
/// was answered completely once more in the same epoch.
final class Requests implements Invariant, Wiretap.Listener {
    private static final double SECOND = 1e9;
    private static final int BURST = 10;
    private static final double FIRST = 2;
    private static final double FASTEST = 10;

    /// A comparison is sent when what is here was counted, a moment after its turn.
    private static final double SLACK = 0.5;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Map<String, Pace> paces = new LinkedHashMap<>();
    private final Map<Tapped, Map<String, Long>> answered = new LinkedHashMap<>();

    /// How fast one life of a node asks one relay.
    private static final class Pace {
        double credit = BURST;
        double rate = FIRST;
        long at;
        long risenAt;

        Pace(long now) {
            at = now;
            risenAt = now;
        }
    }

    Requests(SimWorld world) {
        this.world = world;
        world.network().tap().listen(this);
    }

    @Override
    public String name() {
        return "I8";
    }

    @Override
    public List<String> problems(Moment moment) {
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    @Override
    public void asked(Tapped line, Asked asked) {
        var link = world.findLink(line.node, line.relay);
        if (link.isPresent() && link.get().isCooling()) {
            problems.add(line + " was asked during its cooldown: " + asked);
        }
        if (asked.purpose != Purpose.LIVE && asked.purpose != Purpose.CATCH_UP) {
            pace(line, asked);
        }
        boolean isExcused = isOfStates(asked) || isOfVersions(asked) || hasLost(line);
        if (link.isPresent() && !link.get().isShort() && isWhole(asked) && !isExcused) {
            lookForRepetition(line, asked);
        }
    }

    // ---- how fast

    private void pace(Tapped line, Asked asked) {
        long now = world.time().nanos();
        int crashes = world.findNode(line.node).map(SimNode::crashes).orElse(0);
        var pace = paces.computeIfAbsent(line + " " + crashes, _ -> new Pace(now));
        double rate =
                world.findCore(line.node).map(core -> core.rate(line.relay)).orElse(FASTEST);
        if (rate > pace.rate) {
            double times = Math.rint(Math.log(rate / pace.rate) / Math.log(2));
            if (rate > FASTEST || now - pace.risenAt < (times - 1) * MINUTE.toNanos()) {
                problems.add(line + " is asked faster too soon: " + pace.rate + ", then " + rate + " a second");
            }
            pace.risenAt = now;
        }
        pace.credit = Math.min(BURST, pace.credit + (now - pace.at) / SECOND * Math.max(rate, pace.rate)) - 1;
        pace.rate = rate;
        pace.at = now;
        if (pace.credit < -SLACK) {
            problems.add(line + " was asked faster than " + rate + " a second: " + asked);
            pace.credit = 0;
        }
    }

    // ---- what twice

    /// Whether it asks for stored events of all times.
    private static boolean isWhole(Asked asked) {
        return (asked.purpose == Purpose.HISTORIC || asked.purpose == Purpose.NEGENTROPY)
                && asked.filters.getFirst().since().isEmpty();
    }

    /// Repositories of one name are asked for by one value, and one that comes later is an item of its own: states
    /// that were refused before may be taken now.
    private static boolean isOfStates(Asked asked) {
        return asked.filters.getFirst().tags().stream().anyMatch(tag -> tag.letter() == 'd');
    }

    /// Each version of an addressable member is an item of its own, whose address is that of the one before (R3.21).
    private static boolean isOfVersions(Asked asked) {
        return asked.filters.getFirst().tags().stream()
                .anyMatch(tag ->
                        tag.letter() == 'a' && tag.values().toList().stream().allMatch(LiveOnce::isOfMember));
    }

    /// Where messages got lost only convergence counts (10.2): what failed is asked again.
    private boolean hasLost(Tapped line) {
        return world.network().hasLost(line.node, line.relay);
    }

    private static String key(Asked asked) {
        return asked.purpose + " " + asked.filters.getFirst();
    }

    private void lookForRepetition(Tapped line, Asked asked) {
        var before = answered.getOrDefault(line, Map.of()).get(key(asked));
        if (before == null || before <= lastReason(line)) {
            return;
        }
        problems.add(line + " was asked once more what it answered "
                + Duration.ofNanos(world.time().nanos() - before) + " ago: " + asked);
    }

    /// When there last was a reason to ask everything, or something, again: a new epoch, an event that could not be
    /// stored, a repository that left and may have come back. What ends with the very event that failed is
    /// closed at the moment of the failure.
    private long lastReason(Tapped line) {
        long epoch = world.findCore(line.node)
                .map(core -> core.comparedAt(line.relay).orElse(Long.MIN_VALUE))
                .orElse(Long.MIN_VALUE);
        long failure = world.findNode(line.node).map(SimNode::failedAt).orElse(Long.MIN_VALUE);
        long left =
                world.findNode(line.node).map(node -> node.past().announcedAt()).orElse(Long.MIN_VALUE);
        return Math.max(epoch, Math.max(failure, left));
    }

    @Override
    public void over(Tapped line, Asked asked, boolean byRelay) {
        boolean isComplete = asked.isAnswered && !byRelay;
        if (isComplete && isWhole(asked)) {
            answered.computeIfAbsent(line, _ -> new HashMap<>())
                    .put(key(asked), world.time().nanos());
        }
    }

    @Override
    public void gone(Tapped line) {
        answered.remove(line);
    }
}
