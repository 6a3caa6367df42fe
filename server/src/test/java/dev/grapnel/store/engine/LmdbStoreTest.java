package dev.grapnel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The contract, kept on disk.
@NullUnmarked
final class LmdbStoreTest
        implements SaveContract,
                DeletionContract,
                VanishContract,
                QueryContract,
                HeldContract,
                TailContract,
                WriterContract {
    private StoreFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new StoreFixture(() -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS));
    }

    @Override
    public StoreFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.assertSound();
        fixture.close();
        assertEquals(List.of(), fixture.problems);
    }
}
