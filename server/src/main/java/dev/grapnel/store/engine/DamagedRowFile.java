package dev.grapnel.store.engine;

import dev.grapnel.nostr.json.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// Where damaged rows are kept when they leave the store (purgatory P-703): a file beside it, one JSON object a
/// line, for whoever wants to look what can be saved.
public final class DamagedRowFile {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern(
                    "'damaged-rows-'yyyyMMdd-HHmmss'.jsonl'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path directory;

    /// @param directory the store's own
    public DamagedRowFile(Path directory) {
        this.directory = directory;
    }

    /// Writes rows durably and returns the file.
    Path keep(List<RowTables.Damaged> rows, Instant now) throws IOException {
        var file = directory.resolve(NAME.format(now));
        var lines = new JsonWriter(1_024);
        for (var row : rows) {
            lines.raw("{\"table\":")
                    .string(row.table().storedName())
                    .raw(",\"key\":")
                    .string(row.key().toHex())
                    .raw(",\"value\":")
                    .string(row.value().toHex())
                    .raw(",\"reason\":")
                    .string(row.reason())
                    .raw("}\n");
        }
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            var bytes = ByteBuffer.wrap(lines.toArray());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
        return file;
    }
}
