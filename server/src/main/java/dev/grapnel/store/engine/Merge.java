package dev.grapnel.store.engine;

import dev.grapnel.store.table.ReadTables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Walks through what several filters match, in one order, each posting once, and knows which filters each is
/// for. A filter that has had its limit is not asked any more (relay 2.6).
///
/// It outlives snapshots: [#open] goes on behind the last posting that was found.
final class Merge {
    /// What [#advance] found.
    enum State {
        /// A posting: [#high], [#low], [#lanes].
        FOUND,
        /// Nothing yet, but others want their turn, or the question has cost too much.
        STOPPED,
        /// Nothing more.
        DONE
    }

    private final List<Lane> lanes;
    private final Steps steps;
    private List<Lane> found = List.of();
    private long high;
    private long low;
    private boolean begun;

    Merge(List<Lane> lanes, Steps steps) {
        this.lanes = lanes;
        this.steps = steps;
    }

    /// Reads from these tables from now on.
    void open(ReadTables tables) {
        found = List.of();
        for (var lane : lanes) {
            lane.open(tables, steps, high, begun ? low + 1 : 0);
        }
    }

    /// Goes to the next posting.
    State advance() {
        for (var lane : found) {
            var scan = lane.findScan();
            if (scan != null) {
                scan.next();
            }
        }
        found = List.of();
        return lanes.size() == 1 ? advanceOne() : advanceAll();
    }

    private State advanceOne() {
        var scan = lanes.getFirst().findScan();
        if (scan != null && !isSettled(scan)) {
            return State.STOPPED;
        }
        if (scan == null || scan.isDone()) {
            return State.DONE;
        }
        moveTo(scan);
        found = lanes;
        return State.FOUND;
    }

    private State advanceAll() {
        FilterScan first = null;
        for (var lane : lanes) {
            var scan = lane.findScan();
            if (scan != null && !isSettled(scan)) {
                return State.STOPPED;
            }
            if (scan != null && !scan.isDone() && (first == null || isBefore(scan, first))) {
                first = scan;
            }
        }
        if (first == null) {
            return State.DONE;
        }
        moveTo(first);
        found = new ArrayList<>();
        for (var lane : lanes) {
            if (isHere(lane.findScan())) {
                found.add(lane);
            }
        }
        return State.FOUND;
    }

    private static boolean isSettled(FilterScan scan) {
        scan.settle();
        return scan.isSettled();
    }

    private void moveTo(FilterScan scan) {
        high = scan.high();
        low = scan.low();
        begun = true;
    }

    private boolean isHere(@Nullable FilterScan scan) {
        return scan != null && scan.high() == high && scan.low() == low;
    }

    private static boolean isBefore(FilterScan scan, FilterScan other) {
        return Posting.isBefore(scan.high(), scan.low(), other.high(), other.low());
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    /// The filters the current posting is for.
    List<Lane> lanes() {
        return found;
    }
}
