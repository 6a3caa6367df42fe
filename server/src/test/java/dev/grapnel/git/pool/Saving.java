package dev.grapnel.git.pool;

import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.SteppedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A disk that dies, and keeps a directory as it was then: what runs afterwards tidies up, as no dead
/// process does.
final class Saving extends SteppedDisk {
    private final DyingDisk disk;
    private final Path directory;
    private final Path saved;

    Saving(DyingDisk disk, Path directory, Path saved) {
        this.disk = disk;
        this.directory = directory;
        this.saved = saved;
    }

    @Override
    public void write(Path file, Content content) throws IOException {
        watched(() -> disk.write(file, content));
    }

    @Override
    public void create(Path file) throws IOException {
        watched(() -> disk.create(file));
    }

    @Override
    public void force(Path file) throws IOException {
        watched(() -> disk.force(file));
    }

    @Override
    public void forceDirectory(Path forced) throws IOException {
        watched(() -> disk.forceDirectory(forced));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        watched(() -> disk.rename(from, to));
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
        watched(() -> disk.link(existing, name));
    }

    private void watched(Step step) throws IOException {
        boolean wasDead = disk.isDead();
        try {
            step.run();
        } catch (IOException e) {
            if (!wasDead && disk.isDead()) {
                copy();
            }
            throw e;
        }
    }

    private void copy() throws IOException {
        try (var all = Files.walk(directory)) {
            for (var file : all.toList()) {
                Files.copy(file, saved.resolve(directory.relativize(file).toString()));
            }
        }
    }

    static void deleteAll(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
