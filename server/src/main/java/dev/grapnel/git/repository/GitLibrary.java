package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.storage.file.WindowCacheConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/// Settings that the git library keeps for the whole process.
///
/// The operator's own git configuration must not change what the server does, nor may the library write
/// into a home directory, look up host names, or measure clocks of file systems in threads of its own.
public final class GitLibrary {
    private static final int WINDOW_BYTES = 16 << 10;

    /// How far apart two changes must be to differ in their time: the tick of common kernels is 4 to 10 ms,
    /// and the library adds a margin. What other programs do within a tick is then still seen, only later.
    private static final Duration TICK = Duration.ofMillis(10);

    private GitLibrary() {}

    /// Makes the settings; making them again changes the sizes of caches.
    public static void configure(GitCaches caches) {
        if (!(SystemReader.getInstance() instanceof Isolated)) {
            SystemReader.setInstance(new Isolated(SystemReader.getInstance()));
        }
        var config = new WindowCacheConfig();
        config.setPackedGitLimit(caches.windowBytes());
        config.setPackedGitWindowSize(WINDOW_BYTES);
        config.setPackedGitMMAP(false); // a damaged disk would end the process
        config.setPackedGitOpenFiles(caches.openFilesMax());
        config.setDeltaBaseCacheLimit(caches.deltaBaseBytes());
        config.setStreamFileThreshold(caches.wholeBytesMax() + 1); // the library streams from this size on
        config.setExposeStatsViaJmx(false);
        config.install();
    }

    /// Opens a bare repository, apart from anybody else who has it open.
    public static FileRepository open(Path directory) throws IOException {
        var repository = new FileRepository(new FileRepositoryBuilder()
                .setGitDir(directory.toFile())
                .setBare()
                .setup());
        // Repositories that another server made do not say so, but maintenance writes one for them, too.
        var config = repository.getConfig();
        config.setBoolean(ConfigConstants.CONFIG_CORE_SECTION, null, ConfigConstants.CONFIG_COMMIT_GRAPH, true);
        return repository;
    }

    /// A machine without any configuration of git.
    private static final class Isolated extends SystemReader.Delegate {
        Isolated(SystemReader machine) {
            super(machine);
        }

        @Override
        public String getHostname() {
            return "localhost";
        }

        @Override
        public @Nullable String getenv(String variable) {
            return variable.startsWith("GIT_") ? null : super.getenv(variable);
        }

        @Override
        public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
            return new NoFile(parent, fs);
        }

        @Override
        public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
            return new NoFile(parent, fs);
        }

        @Override
        public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
            return new NoFile(parent, fs);
        }
    }

    /// A configuration that no file stands behind. All it knows is how exact times of files are, so that
    /// nobody measures it.
    private static final class NoFile extends FileBasedConfig {
        NoFile(@Nullable Config parent, FS fs) {
            super(parent, null, fs);
        }

        @Override
        public void load() {
            // there is nothing to load
        }

        @Override
        public void save() {
            // there is nowhere to save
        }

        @Override
        public boolean isOutdated() {
            return false;
        }

        @Override
        public long getTimeUnit(
                String section, @Nullable String subsection, String name, long defaultValue, TimeUnit wanted) {
            return section.equals(ConfigConstants.CONFIG_FILESYSTEM_SECTION)
                    ? wanted.convert(TICK)
                    : super.getTimeUnit(section, subsection, name, defaultValue, wanted);
        }
    }
}
