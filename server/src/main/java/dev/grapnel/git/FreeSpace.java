package dev.grapnel.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/// Room on the disk that is left for others: below the floor nothing more is taken in (service 9).
///
/// @param freeBytes what is free now
/// @param floorBytes what must stay free
public record FreeSpace(LongSupplier freeBytes, long floorBytes) {
    /// What whoever wants to bring something is told.
    public static final String LOW = "error: low on disk space";

    private static final long LOOK_BYTES = 4L << 20;

    /// Where a directory lies.
    public static FreeSpace of(Path directory, long floorBytes) {
        return new FreeSpace(() -> directory.toFile().getUsableSpace(), floorBytes);
    }

    /// Whether nothing more may come.
    public boolean isLow() {
        return freeBytes.getAsLong() < floorBytes;
    }

    /// Whether something failed because there is no room any more, as far as the system says so.
    public static boolean isFull(Exception failure) {
        var message = String.valueOf(failure.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    /// Ends with [TooLow] when the disk fills up while something comes from a stranger.
    public InputStream watching(InputStream in) {
        return new WatchedInput(in) {
            private long sinceLook;

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int got = in.read(bytes, from, length);
                sinceLook += Math.max(0, got);
                if (sinceLook >= LOOK_BYTES) {
                    sinceLook = 0;
                    if (isLow()) {
                        throw new TooLow();
                    }
                }
                return got;
            }
        };
    }

    /// The disk filled up meanwhile.
    public static final class TooLow extends IOException {
        private static final long serialVersionUID = 1L;

        TooLow() {
            super(LOW);
        }
    }
}
