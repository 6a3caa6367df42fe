package dev.grapnel.sync.sim;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Files of a node; they outlive its crashes.
final class MemoryFiles {
    private static final Duration WRITING = Duration.ofMillis(3);

    private final Map<String, byte[]> files = new TreeMap<>();
    private boolean isFull;

    /// Whether the disk is full.
    void setFull(boolean now) {
        isFull = now;
    }

    /// Changes some bytes of every file.
    void corrupt() {
        files.replaceAll((_, content) -> {
            var broken = content.clone();
            for (int at = 0; at < broken.length; at += 7) {
                broken[at] ^= 0x5a;
            }
            return broken;
        });
    }

    /// What is in them.
    Map<String, byte[]> content() {
        return new TreeMap<>(files);
    }

    /// As one life of a node sees them: what is being written when it ends is not written.
    SnapshotFiles open(Scheduler loop) {
        return new SnapshotFiles() {
            @Override
            public Optional<byte[]> load(String name) {
                return Optional.ofNullable(files.get(name)).map(byte[]::clone);
            }

            @Override
            public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
                var copy = content.clone();
                loop.after(WRITING, () -> done.accept(write(name, copy)));
            }
        };
    }

    private Optional<IOException> write(String name, byte[] content) {
        if (isFull) {
            return Optional.of(new IOException("No space left on device"));
        }
        files.put(name, content);
        return Optional.empty();
    }
}
