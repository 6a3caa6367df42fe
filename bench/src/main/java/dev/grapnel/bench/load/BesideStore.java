package dev.grapnel.bench.load;

import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.tool.OpenStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The event store alone, if it is to be measured beside the relays.
record BesideStore(Optional<OpenStore> open) implements AutoCloseable {
    private static final String NAME = "store alone";

    static BesideStore open(Optional<Path> directory) {
        return new BesideStore(directory.map(path ->
                OpenStore.forWriting(path, LmdbConfig.DEFAULTS, StoreRules.DEFAULTS, InstantSource.system(), damage -> {
                    throw new IllegalStateException(damage);
                })));
    }

    /// Nobody, or the store.
    List<Entrant> entrants(Function<EventStore, Entrant.Measurement> measurement) {
        return open.map(store -> new Entrant(NAME, measurement.apply(store.store()))).stream()
                .toList();
    }

    @Override
    public void close() {
        open.ifPresent(OpenStore::close);
    }
}
