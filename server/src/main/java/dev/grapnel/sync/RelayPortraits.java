package dev.grapnel.sync;

import dev.grapnel.sync.health.DialOrder;
import dev.grapnel.sync.health.RequestRate;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.Map;

/// What is to be told of a relay, from everybody who knows something.
record RelayPortraits(Scheduler loop, WantedIndex index, DialOrder order, RelayTroubles troubles) {
    SyncPicture.Relay of(RelayEntry entry) {
        long now = loop.nanos();
        var record = order.findRecord(entry.relay());
        return new SyncPicture.Relay(
                entry.url(),
                entry.isBootstrap(),
                entry.isConfigured(),
                index.pairCount(entry.relay()),
                index.fullCount(entry.relay()),
                order.status(entry.relay()),
                record.map(found -> found.streak(now)).orElse(0),
                record.map(found -> found.coolingFor(now)).orElse(Duration.ZERO),
                entry.rate().map(RequestRate::perThousandSeconds).orElse(0),
                entry.reason(),
                entry.link().picture(),
                order.findWait(entry.relay()),
                record.map(found -> found.learned().known(loop.wall())).orElse(Map.of()),
                troubles.of(entry.url()));
    }
}
