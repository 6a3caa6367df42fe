package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.ops.SyncCounters;
import dev.grapnel.server.sync.OwnCalls;
import dev.grapnel.server.sync.SyncThread;
import dev.grapnel.server.sync.SyncWorld;
import dev.grapnel.store.EventStore;
import dev.grapnel.sync.GateLog;
import dev.grapnel.sync.SyncLog;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.HealthNote;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Makes the part of the service that follows other relays, and those who count and log what it does.
///
/// @param calls by which our own handshakes are recognised when they come back
/// @param heapBytes memory this process may use
/// @param cores processors
record SyncOpening(
        Configuration settings,
        ServiceDomain domain,
        Build build,
        OwnCalls calls,
        Metrics metrics,
        RandomGenerator chance,
        InstantSource clock,
        LongSupplier nanoTime,
        long heapBytes,
        int cores) {
    /// @param fingerprint of everything that decides which events are accepted
    /// @param hunting with whom it shares whom to leave alone
    /// @throws IOException if its directory cannot be used
    Syncing open(
            SecretKey operator,
            Outside outside,
            EventStore store,
            Pools pools,
            String fingerprint,
            Admission admission,
            EventRules rules,
            Hunting hunting)
            throws IOException {
        var counters = metrics.sync();
        var log = new SyncLog(clock);
        Consumer<SyncNote> heard = log;
        var surroundings = new SyncWorld.Surroundings(
                outside.names(), outside.tls(), calls, operator, chance, clock, nanoTime, heapBytes, cores);
        var world =
                new SyncWorld(settings, domain, build, store, pools, surroundings, new LoopWatch(counters, metrics));
        var syncing = new Syncing(
                settings,
                fingerprint,
                world,
                outside,
                admission,
                rules,
                hunting.naughty(),
                new Syncing.Listeners(
                        heard.andThen(counters).andThen(note -> tell(hunting, note)),
                        counters,
                        log,
                        gate -> new GateLog(counters.timed(gate, nanoTime), clock)),
                chance);
        hunting.linkBy(syncing);
        return syncing;
    }

    /// Whether this server is cut off is seen by its links first.
    private static void tell(Hunting hunting, SyncNote note) {
        if (note instanceof SyncNote.Health(HealthNote.CutOff _)) {
            hunting.setCutOff(true);
        } else if (note instanceof SyncNote.Health(HealthNote.BackOnline _)) {
            hunting.setCutOff(false);
        }
    }

    /// How long turns of sync's loop take, and whether one failed.
    private record LoopWatch(SyncCounters counters, Metrics metrics) implements SyncThread.Watcher {
        @Override
        public void turned(long nanos) {
            counters.turned(nanos);
        }

        @Override
        public void failed() {
            metrics.failed();
        }
    }
}
