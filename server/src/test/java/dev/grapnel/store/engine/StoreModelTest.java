package dev.grapnel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.memory.KeptMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The store does what its model does, whatever happens to it in whatever order.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.model.seeds=2000` looks at more seeds, `-Dgrapnel.model.first=17` begins with
/// the one a failure named.
final class StoreModelTest {
    private static final int SEEDS = Integer.getInteger("grapnel.model.seeds", 25);
    private static final int FIRST = Integer.getInteger("grapnel.model.first", 1);

    private static final int ORDERS = 4;

    enum Engine {
        MEMORY,
        LMDB
    }

    @ParameterizedTest
    @EnumSource
    void everyStepAnswersAndShowsWhatTheModelDoes(Engine engine, @TempDir Path directory) throws Exception {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try (var fixture = open(engine, directory.resolve("seed" + seed))) {
                new ModelRun(seed, fixture).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " on " + engine, e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsShownInTheEndDependsOnNoOrder(Engine engine, @TempDir Path directory) throws Exception {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                var run = new ConvergenceRun(seed);
                var first = List.<String>of();
                for (int order = 0; order < ORDERS; order++) {
                    try (var fixture = open(engine, directory.resolve("seed" + seed + "order" + order))) {
                        var shown = run.bringTo(fixture);
                        first = order == 0 ? shown : first;
                        assertEquals(first, shown);
                    }
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " on " + engine, e);
            }
        }
    }

    private static StoreFixture open(Engine engine, Path directory) throws IOException {
        return switch (engine) {
            case MEMORY -> new StoreFixture(new KeptMemory(10_000));
            case LMDB -> {
                Files.createDirectory(directory);
                var config = LmdbConfig.DEFAULTS.withDurability(Durability.NONE).withMapBytes(16L << 20);
                yield new StoreFixture(() -> LmdbEngine.open(directory, config));
            }
        };
    }
}
