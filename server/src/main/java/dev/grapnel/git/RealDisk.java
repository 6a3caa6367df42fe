package dev.grapnel.git;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// The disk of this machine.
final class RealDisk implements Disk {
    private static final int BUFFER = 1 << 16;

    @Override
    public void create(Path file) throws IOException {
        Files.createFile(file);
    }

    @Override
    public void write(Path file, Content content) throws IOException {
        // A plain stream: channels are closed under a thread that is interrupted.
        try (var out = new FileOutputStream(file.toFile())) {
            var buffered = new BufferedOutputStream(out, BUFFER);
            content.writeTo(buffered);
            buffered.flush();
            out.getFD().sync();
        }
    }

    @Override
    public void force(Path file) throws IOException {
        forceAny(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        forceAny(directory);
    }

    /// Opened for reading: neither directories nor the packs that git writes can be opened otherwise.
    private static void forceAny(Path file) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            boolean done = false;
            while (!done) {
                try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    channel.force(true);
                    done = true;
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
        Files.createLink(name, existing);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
