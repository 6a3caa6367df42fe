package dev.grapnel.git.repository;

import dev.grapnel.git.SteppedDisk;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/// Repositories on a disk that is never waited for, for tests that make and remove thousands.
public final class UnflushedRepositories {
    private UnflushedRepositories() {}

    public static Repositories open(Path directory, InstantSource clock) throws IOException {
        return Repositories.open(
                directory, RepositoriesConfig.defaults(), clock, new UnflushedDisk(), EntryNames::probe);
    }

    private static final class UnflushedDisk extends SteppedDisk {
        @Override
        public void write(Path file, Content content) throws IOException {
            try (var out = new BufferedOutputStream(Files.newOutputStream(file))) {
                content.writeTo(out);
            }
        }

        @Override
        public void force(Path file) {
            // nothing here outlives the test
        }

        @Override
        public void forceDirectory(Path directory) {
            // nothing here outlives the test
        }
    }
}
