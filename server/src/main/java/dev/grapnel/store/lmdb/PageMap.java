package dev.grapnel.store.lmdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// The file mapped into memory, for as long as a commit is read through it. A growing file is mapped anew
/// again and again; were old maps left to the garbage collector, which has no reason to hurry, a process
/// would seem to use many times the memory its file has.
final class PageMap {
    private final Arena arena;
    private final MemorySegment bytes;
    /// Commits that are read through it.
    private int commits;

    private PageMap(Arena arena, MemorySegment bytes) {
        this.arena = arena;
        this.bytes = bytes;
    }

    static PageMap of(FileChannel channel) throws IOException {
        var arena = Arena.ofShared();
        boolean mapped = false;
        try {
            var map = new PageMap(arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
            mapped = true;
            return map;
        } finally {
            if (!mapped) {
                arena.close();
            }
        }
    }

    MemorySegment bytes() {
        return bytes;
    }

    synchronized void retain() {
        commits++;
    }

    synchronized void release() {
        commits--;
        discard();
    }

    /// Ends it unless a commit is read through it. Nobody else may be reading.
    synchronized void discard() {
        if (commits == 0 && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
