package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A directory for what somebody needs only while at work. Closing it deletes it.
public final class WorkSpace implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkSpace.class);

    private final Path directory;

    WorkSpace(Path directory) {
        this.directory = directory;
    }

    /// Nobody else has it. It is made by whoever writes into it first: most find out that they need not.
    public Path directory() {
        return directory;
    }

    @Override
    public void close() {
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            LOG.warn("work space left behind, the next start removes it directory={}", directory, e);
        }
    }
}
