package dev.grapnel.git.repository;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.eclipse.jgit.lib.Constants;

/// Copies of files that end with a digest of all before it, as packs and their indexes do.
final class CheckedCopy {
    private static final int DIGEST_BYTES = 20;
    private static final int BUFFER = 1 << 16;

    private CheckedCopy() {}

    /// Copies a file and sees whether it is sound.
    ///
    /// @throws IOException also if it is damaged
    static void of(Path original, Path copy) throws IOException {
        try (var in = Files.newInputStream(original);
                var out = new BufferedOutputStream(
                        Files.newOutputStream(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            var digest = Constants.newMessageDigest();
            var buffer = new byte[BUFFER];
            long left = Files.size(original) - DIGEST_BYTES;
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new EOFException(original + " became shorter while it was copied");
                }
                digest.update(buffer, 0, read);
                out.write(buffer, 0, read);
                left -= read;
            }
            copyDigest(original, in.readNBytes(DIGEST_BYTES), digest.digest(), out);
        }
    }

    private static void copyDigest(Path original, byte[] said, byte[] actual, OutputStream out) throws IOException {
        if (!MessageDigest.isEqual(said, actual)) {
            throw new IOException(original + " is damaged: its content does not match the digest at its end");
        }
        out.write(said);
    }

    /// The digest at the end of a file, in hex.
    static String digestOf(Path file) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            var digest = new byte[DIGEST_BYTES];
            in.seek(in.length() - DIGEST_BYTES);
            in.readFully(digest);
            return HexFormat.of().formatHex(digest);
        }
    }
}
