package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.legacy.ImportCounts;
import dev.grapnel.purgatory.legacy.ImportOutcome;
import dev.grapnel.purgatory.legacy.ImportRules;
import dev.grapnel.purgatory.legacy.OldStore;
import dev.grapnel.purgatory.legacy.PurgatoryFile;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.store.EventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Takes over what waited in the existing server, once (purgatory P-711).
///
/// @param gitData where the repositories are, and usually the file
record OldPurgatory(Configuration settings, Path gitData, InstantSource clock) {
    private static final List<String> OUTCOMES = List.of("restored", "expired", "invalid", "already_served");

    void takeOver(EventStore store, Repositories repositories, Metrics metrics) {
        var file = settings.find(PurgatorySettings.PURGATORY_IMPORT_FILE)
                .orElseGet(() -> gitData.resolve(PurgatoryFile.NAME));
        var outcome = PurgatoryFile.importOnce(
                file,
                store,
                repository -> isThere(repository, repositories),
                new OldPushes(repositories),
                clock,
                rules(),
                Disk.REAL);
        if (outcome instanceof ImportOutcome.Imported(var counts, var _, var _)) {
            publish(counts, metrics);
        }
    }

    private ImportRules rules() {
        var usual = ImportRules.DEFAULTS;
        return new ImportRules(
                settings.require(PurgatorySettings.PURGATORY_EXPIRY_SECS),
                settings.require(PurgatorySettings.PURGATORY_EXPIRED_RETENTION_SECS),
                usual.events(),
                settings.require(PurgatorySettings.PURGATORY_MAX_ANNOUNCEMENTS),
                settings.require(PurgatorySettings.PURGATORY_MAX_STATES),
                settings.require(PurgatorySettings.PURGATORY_MAX_PRS),
                usual.placeholdersMax(),
                settings.require(PurgatorySettings.PURGATORY_EXPIRED_MAX),
                usual.bytesMax());
    }

    private static boolean isThere(RepositoryAddress repository, Repositories repositories) {
        try {
            return repositories.findPlace(repository).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void publish(ImportCounts counts, Metrics metrics) {
        for (var store : OldStore.values()) {
            for (var outcome : OUTCOMES) {
                metrics.gauge(
                        "purgatory_restore_entries",
                        "What an import of the existing server's file brought.",
                        List.of("store", store.label(), "outcome", outcome),
                        () -> counts.of(store, outcome));
            }
        }
    }
}
