package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Act.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Makes a failing world as small as it can within a bound: acts are left out, many at once and then one by one, as
/// long as the same invariant is broken (R10.3).
final class Shrinking {
    private final CoreFactory cores;
    private final int triesMax;
    private final long end;
    private int tries;

    /// @param triesMax worlds that are tried at most
    /// @param timeMax real time after which no other is begun
    Shrinking(CoreFactory cores, int triesMax, Duration timeMax) {
        this.cores = cores;
        this.triesMax = triesMax;
        this.end = System.nanoTime() + timeMax.toNanos();
    }

    /// Worlds that were tried.
    int tries() {
        return tries;
    }

    /// The smallest script that fails as this one does.
    ///
    /// @param failed how it went
    Script shrink(Script failing, Script.Showing failed) {
        var kept = failed.played();
        for (var kind : List.of(Kind.FAULT, Kind.LIAR, Kind.POST, Kind.RELAY, Kind.NODE)) {
            var rest = kept.stream().filter(act -> act.kind() != kind).toList();
            kept = fails(failing, rest, failed) ? rest : kept;
        }
        for (int size = Math.max(1, kept.size() / 2); size >= 1; size = size == 1 ? 0 : (size + 1) / 2) {
            kept = shrink(failing, kept, size, failed);
        }
        return failing.withActs(kept);
    }

    /// Leaves out so many at once, from the end, for what happens last is needed least.
    private List<Act> shrink(Script failing, List<Act> acts, int size, Script.Showing failed) {
        var kept = acts;
        for (int to = kept.size(); to > 0; to -= size) {
            var rest = new ArrayList<>(kept);
            rest.subList(Math.max(0, to - size), to).clear();
            if (fails(failing, rest, failed)) {
                kept = rest;
            }
        }
        return kept;
    }

    private boolean fails(Script failing, List<Act> acts, Script.Showing failed) {
        if (acts.isEmpty() || tries >= triesMax || System.nanoTime() > end) {
            return false;
        }
        tries++;
        return failing.withActs(acts).show(cores).sort().equals(failed.sort());
    }
}
