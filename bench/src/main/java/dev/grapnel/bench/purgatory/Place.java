package dev.grapnel.bench.purgatory;

import dev.grapnel.bench.store.Complaints;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.AcceptancePolicy;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Grounds;
import dev.grapnel.purgatory.PurgatoryConfig;
import dev.grapnel.purgatory.Settlement;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/// A store with purgatory above it, without a port and without repositories on disk.
public final class Place implements AutoCloseable {
    /// No sweeps in between.
    private static final WriterConfig QUIET = new WriterConfig(
            10_000, 64L << 20, 1_000, 8L << 20, Duration.ofHours(9), Duration.ofMillis(200), 1_000_000);

    private static final AcceptanceRules RULES = new AcceptanceRules(
            ServiceAddress.parse(Scene.DOMAIN, "/").require(),
            Scene.person(Scene.PEOPLE),
            Lists.NONE,
            PurgatoryConfig.DEFAULTS.expiry(),
            HeldLimits.DEFAULTS,
            Set.of(4, 1059));

    private final Custody custody;
    private final TableStore store;

    /// Opens a store; nothing is in memory yet.
    public Place(Path directory) throws IOException {
        custody = new Custody(
                PurgatoryConfig.DEFAULTS,
                MaintainerModel.CONFIRMED,
                _ -> true,
                new Timeline(InstantSource.system(), System::nanoTime),
                _ -> {},
                _ -> {});
        store = new TableStore(
                LmdbEngine.open(Files.createDirectories(directory), LmdbConfig.DEFAULTS),
                StoreRules.DEFAULTS,
                QUIET,
                InstantSource.system(),
                new Complaints(),
                ServedFeed.NONE,
                custody.follower());
    }

    Custody custody() {
        return custody;
    }

    /// The store.
    public TableStore store() {
        return store;
    }

    /// Reads into memory what the store has.
    Place load() {
        custody.load(store);
        return this;
    }

    AcceptancePolicy grasp() {
        return new GraspPolicy(RULES, custody.pools());
    }

    Admission admission(AcceptancePolicy policy) {
        return new Admission(
                store,
                EventRules.DEFAULTS,
                policy,
                custody.happenings(),
                Grounds.NONE,
                Settlement.NONE,
                _ -> Optional.empty(),
                InstantSource.system(),
                System::nanoTime);
    }

    @Override
    public void close() {
        custody.close();
        store.close();
    }
}
