package dev.grapnel.command;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.git.repository.FamilyLayout;
import dev.grapnel.store.lmdb.ForeignDatabase;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Directories that were named and that another server has, found before anything is written anywhere.
final class DirectoryProblems {
    private DirectoryProblems() {}

    /// Each a sentence.
    static List<String> in(Configuration configuration) {
        var problems = new ArrayList<String>();
        findRepositories(configuration.require(ServiceSettings.GIT_DATA_PATH)).ifPresent(problems::add);
        if (configuration.require(ServiceSettings.DATABASE_BACKEND) == ServiceSettings.Backend.LMDB) {
            findDatabase(configuration.require(ServiceSettings.RELAY_DATA_PATH)).ifPresent(problems::add);
        }
        return problems;
    }

    private static Optional<String> findRepositories(Path gitData) {
        try {
            return FamilyLayout.find(gitData).map(FamilyLayout::getMessage);
        } catch (IOException e) {
            throw ToolFailure.of("read", gitData, e);
        }
    }

    private static Optional<String> findDatabase(Path relayData) {
        try {
            ForeignDatabase.refuse(relayData);
            return Optional.empty();
        } catch (StoreFailure e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (StoreDamage _) {
            return Optional.empty(); // it is ours, and whoever opens it is told more
        }
    }
}
