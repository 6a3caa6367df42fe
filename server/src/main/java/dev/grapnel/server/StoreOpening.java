package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.RequestRetention;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.engine.DamagedRowFile;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.table.TableEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/// Opens the store the operator chose.
final class StoreOpening {
    private final Configuration settings;
    private final ServiceAddress service;
    private final WriterConfig writer;
    private final StoreObserver observer;
    private final ServedFeed feed;
    private final StoreFollower follower;
    private final Devices devices;
    private final InstantSource clock;
    private final RandomGenerator random;

    StoreOpening(
            Configuration settings,
            ServiceAddress service,
            long heapBytes,
            StoreObserver observer,
            ServedFeed feed,
            StoreFollower follower,
            Devices devices,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.service = service;
        this.writer = writer(heapBytes);
        this.observer = observer;
        this.feed = feed;
        this.follower = follower;
        this.devices = devices;
        this.clock = clock;
        this.random = random;
    }

    /// @throws IOException if the directory cannot be made
    TableStore open() throws IOException {
        return switch (settings.require(ServiceSettings.DATABASE_BACKEND)) {
            case LMDB -> openOnDisk(settings.require(ServiceSettings.RELAY_DATA_PATH));
            case MEMORY ->
                new TableStore(
                        new MemoryEngine(random, MemoryEngine.EVENTS_MAX),
                        rules(),
                        writer,
                        clock,
                        observer,
                        feed,
                        follower);
        };
    }

    private TableStore openOnDisk(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            create(directory);
        }
        var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withDurability(durability()));
        return closingOnFailure(devices.engines().apply(engine), directory);
    }

    private static void create(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IOException(
                    "the directory " + directory + " cannot be made ("
                            + e.getClass().getSimpleName() + "): name another one with "
                            + ServiceSettings.RELAY_DATA_PATH.flag(),
                    e);
        }
    }

    private TableStore closingOnFailure(TableEngine engine, Path directory) {
        boolean opened = false;
        try {
            var store = new TableStore(
                    engine, rules(), writer, clock, observer, new DamagedRowFile(directory), feed, follower);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                engine.close();
            }
        }
    }

    /// What waits to be written must fit into memory.
    private static WriterConfig writer(long heapBytes) {
        var usual = WriterConfig.DEFAULTS;
        return new WriterConfig(
                usual.queueMax(),
                Math.min(usual.queueBytesMax(), heapBytes / 16),
                usual.batchMax(),
                usual.batchBytesMax(),
                usual.sweepEvery(),
                usual.flushEvery(),
                usual.removalsMax());
    }

    private Durability durability() {
        return switch (settings.require(RelaySettings.STORE_DURABILITY)) {
            case SYNC -> Durability.SYNC;
            case INTERVAL -> Durability.INTERVAL;
            case NONE -> Durability.NONE;
        };
    }

    private StoreRules rules() {
        return new StoreRules(
                List.of(service),
                !settings.require(ServiceSettings.DELETION_REQUEST_DISRESPECTOR),
                DeletionRequest.TARGETS_MAX,
                settings.require(ServiceSettings.DELETION_GATE_SECS),
                Math.clamp(settings.require(ServiceSettings.DELETION_GATE_MAX_TARGETS), 0, Integer.MAX_VALUE),
                Math.clamp(
                        settings.require(ServiceSettings.DELETION_GATE_MAX_TARGETS_PER_AUTHOR), 0, Integer.MAX_VALUE),
                StoreRules.DEFAULTS.gateBytesMax(),
                new RequestRetention(
                        settings.require(ServiceSettings.UNUSED_SERVED),
                        settings.require(ServiceSettings.UNUSED_GATING),
                        settings.require(ServiceSettings.USED_SERVED),
                        settings.require(ServiceSettings.USED_GATING)));
    }
}
