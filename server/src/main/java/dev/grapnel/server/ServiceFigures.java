package dev.grapnel.server;

import dev.grapnel.server.live.LiveMatcher;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.relay.ScanPool;
import dev.grapnel.server.websocket.MemoryBudget;
import dev.grapnel.store.EventStore;

/// Figures of what waits, and of the memory it takes.
record ServiceFigures(
        MemoryBudget arrivals,
        MemoryBudget departures,
        ScanPool scans,
        ScanPool counts,
        LiveMatcher matcher,
        EventStore store) {
    void add(Metrics metrics) {
        metrics.gauge("grapnel_arrival_bytes", "Memory of messages that are still coming.", arrivals::used);
        metrics.gauge("grapnel_departure_bytes", "Memory of messages that are not sent yet.", departures::used);
        metrics.gauge("grapnel_scans_waiting", "Slices of scans that wait for their turn.", scans::waiting);
        metrics.gauge("grapnel_counts_waiting", "Counts and sets that wait for their turn.", counts::waiting);
        metrics.gauge("grapnel_live_waiting", "Events on their way to subscribers.", matcher::waiting);
        metrics.gauge("grapnel_commit_number", "Number of the last commit.", store::commitNumber);
    }
}
