package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Files in memory, which outlive those who write them.
final class ScriptedFiles implements SnapshotFiles {
    private final Scheduler loop;
    final Map<String, byte[]> files = new HashMap<>();
    int saves;
    boolean isFailing;
    boolean isBroken;

    ScriptedFiles(Scheduler loop) {
        this.loop = loop;
    }

    @Override
    public Optional<byte[]> load(String name) {
        return Optional.ofNullable(files.get(name)).map(byte[]::clone);
    }

    @Override
    public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
        if (isFailing) {
            throw new IllegalStateException("failing, as the test wants");
        }
        saves++;
        if (isBroken) {
            loop.post(() -> done.accept(Optional.of(new IOException("broken, as the test wants"))));
            return;
        }
        var copy = content.clone();
        loop.post(() -> {
            files.put(name, copy);
            done.accept(Optional.empty());
        });
    }
}
