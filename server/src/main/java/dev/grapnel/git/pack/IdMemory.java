package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.file.Path;

/// Room outside the heap for the ids that a walk through objects meets: there may be more than fit into it.
///
/// Used by one thread, who closes it.
public final class IdMemory implements AutoCloseable {
    private final Scratch scratch;

    /// @param directory ours alone, and made when it is needed; nothing is left in it
    public IdMemory(Path directory) {
        this.scratch = new Scratch(directory);
    }

    /// Remembers what is known of each id.
    public IdMarks newMarks() throws IOException {
        return new IdMarks(new IdTable(scratch));
    }

    /// Keeps ids in an order.
    public IdSequence newSequence() throws IOException {
        return new IdSequence(scratch.region(IdSequence.BYTES_AT_FIRST));
    }

    /// Forgets all that was made here.
    @Override
    public void close() {
        scratch.close();
    }
}
