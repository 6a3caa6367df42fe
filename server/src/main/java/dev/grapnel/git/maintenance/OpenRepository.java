package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/// Opens repositories for maintenance: apart from those who serve, so that what it reads crowds out nothing
/// of theirs.
final class OpenRepository {
    private OpenRepository() {}

    static FileRepository at(Path directory) throws IOException {
        var repository = new FileRepository(new FileRepositoryBuilder()
                .setGitDir(directory.toFile())
                .setBare()
                .setMustExist(true)
                .setup());
        var config = repository.getConfig();
        config.setBoolean(ConfigConstants.CONFIG_CORE_SECTION, null, ConfigConstants.CONFIG_COMMIT_GRAPH, true);
        return repository;
    }
}
