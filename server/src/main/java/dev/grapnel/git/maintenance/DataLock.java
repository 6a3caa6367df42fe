package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// Says that this process changes the repositories below a directory, and no other does.
public final class DataLock implements AutoCloseable {
    private final FileChannel file;

    private DataLock(FileChannel file) {
        this.file = file;
    }

    /// Takes it.
    ///
    /// @param data the directory of all repositories
    /// @return nothing if somebody has it
    public static Optional<DataLock> take(Path data) throws IOException {
        var ours = Files.createDirectories(data.resolve(".grapnel"));
        var file = FileChannel.open(ours.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return Optional.of(new DataLock(file));
            }
        } catch (OverlappingFileLockException _) {
            // somebody else in this process has it
        }
        file.close();
        return Optional.empty();
    }

    /// Lets others have it.
    @Override
    public void close() throws IOException {
        file.close();
    }
}
