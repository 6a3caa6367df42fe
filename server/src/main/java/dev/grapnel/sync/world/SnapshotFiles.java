package dev.grapnel.sync.world;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// Small files that may be lost without harm: health, refused events (R8.5). Each is written whole, and either the old
/// or the new content survives a crash.
public interface SnapshotFiles {
    /// The content of a file; empty if there is none.
    ///
    /// @throws IOException if it cannot be read
    Optional<byte[]> load(String name) throws IOException;

    /// Writes a file off the loop, durably; what happened is told on the loop.
    void save(String name, byte[] content, Consumer<Optional<IOException>> done);
}
