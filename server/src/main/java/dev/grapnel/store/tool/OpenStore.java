package dev.grapnel.store.tool;

import dev.grapnel.store.EventStore;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/// A store that this process has for itself, and the engine underneath it.
public record OpenStore(EventStore store, LmdbEngine engine) implements AutoCloseable {
    /// For those who read, or change one thing: nothing is swept meanwhile.
    private static final WriterConfig WITHOUT_SWEEPS = withoutSweeps(WriterConfig.DEFAULTS);

    private static WriterConfig withoutSweeps(WriterConfig config) {
        return new WriterConfig(
                config.queueMax(),
                config.queueBytesMax(),
                config.batchMax(),
                config.batchBytesMax(),
                Duration.ofDays(36_500),
                Duration.ofDays(36_500),
                config.removalsMax());
    }

    /// Opens a store to look at it. Nothing of it is changed.
    ///
    /// @param damages hears of what cannot be read
    /// @throws StoreFailure if there is none, or it cannot be opened
    public static OpenStore forReading(Path directory, InstantSource clock, Consumer<String> damages) {
        requireStore(directory);
        return on(
                LmdbEngine.openToRead(directory),
                StoreRules.DEFAULTS,
                WITHOUT_SWEEPS,
                clock,
                new DamageObserver(damages));
    }

    /// Opens a store to write to it; makes the directory, those above it and the store if they are missing.
    ///
    /// @throws StoreFailure if that is not possible
    /// @throws ToolFailure if the directory cannot be made
    public static OpenStore forWriting(
            Path directory, LmdbConfig config, StoreRules rules, InstantSource clock, Consumer<String> damages) {
        create(directory);
        return on(LmdbEngine.open(directory, config), rules, WriterConfig.DEFAULTS, clock, new DamageObserver(damages));
    }

    /// Opens a store that exists, to change something that is not about time: what has expired meanwhile stays
    /// until a server looks after it, who knows what follows from that.
    ///
    /// @param damages hears of what cannot be read
    /// @throws StoreFailure if there is none, or it cannot be opened
    public static OpenStore forMending(Path directory, InstantSource clock, Consumer<String> damages) {
        requireStore(directory);
        return on(
                LmdbEngine.open(directory, LmdbConfig.DEFAULTS),
                StoreRules.DEFAULTS,
                WITHOUT_SWEEPS,
                clock,
                new DamageObserver(damages));
    }

    /// Makes sure that there is a store in the directory.
    ///
    /// @throws StoreFailure if there is none
    public static void requireStore(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new StoreFailure("there is no store in " + directory + ", as there is no such directory");
        }
        if (!LmdbEngine.exists(directory)) {
            throw new StoreFailure("there is no store in " + directory);
        }
    }

    private static void create(Path directory) {
        try {
            if (!Files.exists(directory)) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw ToolFailure.of("make the directory", directory, e);
        }
    }

    private static OpenStore on(
            LmdbEngine engine, StoreRules rules, WriterConfig writer, InstantSource clock, StoreObserver observer) {
        try {
            var follower = new LedgerFollower(clock);
            return new OpenStore(
                    new TableStore(engine, rules, writer, clock, observer, ServedFeed.NONE, follower), engine);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /// Waits for what is being written and lets go of the directory.
    @Override
    public void close() {
        store.close();
    }

    /// Hands damage on. That writing fails is heard by whoever writes.
    private record DamageObserver(Consumer<String> damages) implements StoreObserver {
        @Override
        public void damaged(String where) {
            damages.accept(where);
        }

        @Override
        public void setAside(String row, String file) {
            damages.accept(row + " (kept in " + file + ")");
        }

        @Override
        public void refusing(String reason) {
            // the transactions that failed carry the same reason
        }

        @Override
        public void writing() {
            // nobody was told that it could not
        }
    }
}
