package dev.grapnel.store.lmdb;

import java.util.Optional;

/// Whether LMDB's native library works here. It is needed for writing only.
public final class LmdbLibrary {
    private LmdbLibrary() {}

    /// Why nothing can be written, if that is so: names the platform and what to do. To be asked before the
    /// store is opened for writing, as the writer's thread could only die of it.
    public static Optional<String> findProblem() {
        try {
            Environment.load();
            return Optional.empty();
        } catch (LinkageError failure) {
            return Optional.of(("LMDB does not work on %s %s (%s). It is built for Linux with glibc and for macOS on"
                            + " x86-64 and arm64. If this is such a machine, the directory for temporary files must be"
                            + " writable and not mounted noexec: name another one with"
                            + " -Dorg.lwjgl.system.SharedLibraryExtractPath=<directory>")
                    .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), failure.getMessage()));
        }
    }
}
