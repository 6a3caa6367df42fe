package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.Wiretap.Asked;
import dev.grapnel.sync.sim.Wiretap.Tapped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// I21: whoever opens something has a slot for it, and what is streamed has no more bytes than the relay is known to
/// bear. Counted by what was sent, not by what the core believes.
final class Slots implements Invariant, Wiretap.Listener {
    /// A message waits so long at most before it is sent, and what was known when its slot was taken counts.
    private static final long QUEUE = Duration.ofSeconds(2).toNanos();

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Map<Tapped, Known> known = new LinkedHashMap<>();

    /// @param slots that could be taken
    private record Known(int slots, int live, long bytes, long at) {
        Known orBefore(Known before) {
            return at - before.at > QUEUE
                    ? this
                    : new Known(
                            Math.max(slots, before.slots),
                            Math.max(live, before.live),
                            Math.max(bytes, before.bytes),
                            at);
        }
    }

    Slots(SimWorld world) {
        this.world = world;
        world.network().tap().listen(this);
    }

    @Override
    public String name() {
        return "I21";
    }

    @Override
    public List<String> problems(Moment moment) {
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    @Override
    public void asked(Tapped line, Asked asked) {
        world.findLink(line.node, line.relay).ifPresent(link -> {
            var now = new Known(
                    link.slotsMax(),
                    link.liveSlotsMax(),
                    link.bytesMax().orElse(Long.MAX_VALUE),
                    world.time().nanos());
            var before = known.put(line, now);
            var allowed = before == null ? now : now.orBefore(before);
            if (!asked.isReplacement && line.slots() > allowed.slots()) {
                problems.add(line + " has " + line.slots() + " open, where " + allowed.slots() + " may be: " + asked);
            }
            if (asked.purpose == Purpose.LIVE) {
                look(line, asked, allowed);
            }
        });
    }

    private void look(Tapped line, Asked asked, Known allowed) {
        var live = line.live();
        if (!asked.isReplacement && live.size() > Math.max(1, allowed.live())) {
            problems.add(line + " streams by " + live.size() + ", where " + allowed.live() + " may be: " + asked);
        }
        long bytes = live.stream().mapToLong(open -> open.bytes).sum();
        if (bytes > allowed.bytes()) {
            problems.add(line + " streams by " + bytes + " bytes, where " + allowed.bytes() + " may be");
        }
    }

    @Override
    public void gone(Tapped line) {
        known.remove(line);
    }
}
