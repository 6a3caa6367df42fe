package dev.grapnel.git;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// The disk of this machine, for tests that watch its steps or take some of them otherwise.
public class SteppedDisk implements Disk {
    /// Something done to files.
    public interface Step {
        void run() throws IOException;
    }

    /// Takes a step.
    protected void step(Step step) throws IOException {
        step.run();
    }

    @Override
    public void create(Path file) throws IOException {
        step(() -> REAL.create(file));
    }

    @Override
    public void write(Path file, Content content) throws IOException {
        step(() -> REAL.write(file, content));
    }

    @Override
    public void append(Path file, Content content) throws IOException {
        step(() -> REAL.append(file, content));
    }

    @Override
    public void force(Path file) throws IOException {
        step(() -> REAL.force(file));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        step(() -> REAL.forceDirectory(directory));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step(() -> REAL.rename(from, to));
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
        step(() -> REAL.link(existing, name));
    }

    @Override
    public void delete(Path file) throws IOException {
        step(() -> REAL.delete(file));
    }

    @Override
    public void setModified(Path file, Instant time) throws IOException {
        step(() -> REAL.setModified(file, time));
    }

    @Override
    public void setReadOnly(Path file) throws IOException {
        step(() -> REAL.setReadOnly(file));
    }

    @Override
    public long usableSpace(Path file) throws IOException {
        return REAL.usableSpace(file);
    }
}
