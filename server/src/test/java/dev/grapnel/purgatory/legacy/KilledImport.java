package dev.grapnel.purgatory.legacy;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreFixture;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// The process that is killed: imports a file and says on standard output when it begins and what came of it.
final class KilledImport {
    private KilledImport() {}

    /// Arguments: directory of the store, file.
    static void main(String... arguments) throws IOException {
        try (var out = new FileOutputStream(FileDescriptor.out);
                var store = open(Path.of(arguments[0]))) {
            out.write("begin\n".getBytes(StandardCharsets.US_ASCII));
            var outcome = run(store, Path.of(arguments[1]));
            out.write((outcome.getClass().getSimpleName() + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    static TableStore open(Path directory) {
        var rules = StoreRules.DEFAULTS.withServices(
                List.of(ServiceAddress.parse("relay.example.com", "/").require()));
        var observer = new StoreObserver() {
            @Override
            public void damaged(String where) {
                throw new AssertionError(where);
            }

            @Override
            public void setAside(String row, String file) {
                throw new AssertionError(row);
            }

            @Override
            public void refusing(String reason) {
                throw new AssertionError(reason);
            }

            @Override
            public void writing() {}
        };
        return new TableStore(
                LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withMapBytes(1 << 20)),
                rules,
                WriterConfig.DEFAULTS,
                new ManualTime(StoreFixture.NOW),
                observer);
    }

    static ImportOutcome run(TableStore store, Path file) {
        return PurgatoryFile.importOnce(
                file,
                store,
                _ -> true,
                OldUploads.NONE,
                new ManualTime(StoreFixture.NOW),
                ImportRules.DEFAULTS,
                Disk.REAL);
    }
}
