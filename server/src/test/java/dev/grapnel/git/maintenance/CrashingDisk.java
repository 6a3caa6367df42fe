package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;

/// A disk on which everything ends after so many steps, as if the machine had lost its power.
final class CrashingDisk implements Disk {
    private int left;

    CrashingDisk(int steps) {
        left = steps;
    }

    /// The end of everything.
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void step() {
        if (left-- <= 0) {
            throw new Crash();
        }
    }

    @Override
    public FileChannel create(Path file) throws IOException {
        step();
        return Disk.super.create(file);
    }

    @Override
    public FileChannel append(Path file) throws IOException {
        step();
        return Disk.super.append(file);
    }

    @Override
    public void force(FileChannel file) throws IOException {
        step();
        Disk.super.force(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        step();
        Disk.super.forceDirectory(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step();
        Disk.super.rename(from, to);
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
        step();
        Disk.super.link(existing, name);
    }

    @Override
    public void delete(Path file) throws IOException {
        step();
        Disk.super.delete(file);
    }

    @Override
    public void setModified(Path file, Instant time) throws IOException {
        step();
        Disk.super.setModified(file, time);
    }

    @Override
    public void setReadOnly(Path file) throws IOException {
        step();
        Disk.super.setReadOnly(file);
    }
}
