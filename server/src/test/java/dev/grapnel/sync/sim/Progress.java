package dev.grapnel.sync.sim;

import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.Wiretap.Tapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// I18: a link that is syncing asks something, or hears an answer, before the sum of what it may wait for is over: an
/// answer that does not come (five minutes) and the longest pause before it is asked for again (ten).
final class Progress implements Invariant, Wiretap.Listener {
    private static final Duration LONGEST = Duration.ofMinutes(5 + 10 + 2);

    private final SimWorld world;

    Progress(SimWorld world) {
        this.world = world;
        world.network().tap().listen(this);
    }

    @Override
    public String name() {
        return "I18";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        for (var line : world.network().tap().lines()) {
            world.findLink(line.node, line.relay).ifPresent(link -> {
                long now = world.time().nanos();
                if (link.state() != LinkState.SYNCING || link.isCooling()) {
                    line.worked = now;
                } else if (now - line.worked > LONGEST.toNanos()) {
                    problems.add(stuck(line, now) + ": " + link);
                }
            });
        }
        return problems;
    }

    private static String stuck(Tapped line, long now) {
        return line + " is syncing, and nothing has happened for " + Duration.ofNanos(now - line.worked);
    }
}
