package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.Wiretap.Asked;
import dev.grapnel.sync.sim.Wiretap.Tapped;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// I4, as far as it is about streams: nothing is streamed twice over one connection, but for the seconds in which new
/// filters take the place of old ones.
final class LiveOnce implements Invariant, Wiretap.Listener {
    private static final Duration HAND_OVER = Duration.ofMillis(5_001);

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();

    LiveOnce(SimWorld world) {
        this.world = world;
        world.network().tap().listen(this);
    }

    @Override
    public String name() {
        return "I4";
    }

    @Override
    public List<String> problems(Moment moment) {
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    @Override
    public void asked(Tapped line, Asked asked) {
        if (asked.purpose == Purpose.LIVE && !twice(line).isEmpty()) {
            var before = twice(line);
            world.time().after(HAND_OVER, () -> {
                var after = twice(line);
                after.entrySet().retainAll(before.entrySet());
                after.forEach((value, ids) -> problems.add(line + " streams " + value + " twice: " + ids));
            });
        }
    }

    /// Values of more than one filter, by their letter, and which.
    private static Map<String, String> twice(Tapped line) {
        Map<String, String> met = new HashMap<>();
        Map<String, String> twice = new HashMap<>();
        for (var asked : line.live()) {
            for (var filter : asked.filters) {
                for (var tag : filter.tags()) {
                    for (var value : tag.values().toList()) {
                        if (tag.letter() == 'a' && isOfMember(value)) {
                            continue;
                        }
                        var key = "#" + tag.letter() + " " + value;
                        var other = met.put(key, asked.id.text());
                        if (other != null) {
                            twice.put(key, other + " and " + asked.id.text());
                        }
                    }
                }
            }
        }
        return twice;
    }

    /// What a version that is gone by now has in common with the one that took its place stays in the filters of both
    /// until everything is packed anew (R2.6).
    static boolean isOfMember(String address) {
        return !address.startsWith("30617:") && !address.startsWith("30618:");
    }

    @Override
    public void gone(Tapped line) {
        line.subscriptions.clear(); // nothing of it is open any more
    }
}
