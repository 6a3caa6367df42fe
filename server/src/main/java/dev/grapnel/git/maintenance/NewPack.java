package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A pack that is written and durable, but not moved in yet.
///
/// @param name it will have, without extension
/// @param reach the bitmaps, if there are any
public record NewPack(
        String name,
        long objects,
        long bytes,
        Path pack,
        Path index,
        @Nullable Path reach) {
    NewPack(String name, long objects, long bytes, Path pack, Path index) {
        this(name, objects, bytes, pack, index, null);
    }

    /// The hash at the end of a pack.
    static byte[] trailerOf(Path pack) throws IOException {
        try (var file = new RandomAccessFile(pack.toFile(), "r")) {
            var trailer = new byte[IndexFile.HASH];
            file.seek(file.length() - trailer.length);
            file.readFully(trailer);
            return trailer;
        }
    }

    /// Packs are named after their content, so that equal names mean equal packs.
    ///
    /// @param trailer the hash at its end
    static String nameOf(byte[] trailer) {
        return "pack-" + HexFormat.of().formatHex(trailer);
    }

    /// The bitmaps.
    Optional<Path> bitmaps() {
        return Optional.ofNullable(reach);
    }
}
