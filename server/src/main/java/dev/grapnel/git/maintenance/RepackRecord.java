package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What the last full repack left: its packs, which are not merged again, and what it had to leave beside
/// them.
///
/// @param when it was done
/// @param packs made by it
/// @param remaining bytes of packs that had to stay beside them
record RepackRecord(Instant when, List<String> packs, long remaining) {
    private static final String FILE = "grapnel-repack";

    RepackRecord {
        packs = List.copyOf(packs);
    }

    /// Reads the record of a repository.
    ///
    /// @param repository its directory
    /// @return nothing if there was no repack, or nobody can tell any more: then there will be one again
    static Optional<RepackRecord> find(Path repository) throws IOException {
        try {
            var lines = Files.readAllLines(repository.resolve(FILE), StandardCharsets.ISO_8859_1);
            return lines.size() < 2
                    ? Optional.empty()
                    : Optional.of(new RepackRecord(
                            Instant.ofEpochSecond(Long.parseLong(lines.get(0))),
                            lines.subList(2, lines.size()),
                            Long.parseLong(lines.get(1))));
        } catch (NoSuchFileException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    void write(Disk disk, Path repository) throws IOException {
        var draft = repository.resolve(PackDirectory.SCRATCH + FILE);
        var text = when.getEpochSecond() + "\n" + remaining + "\n" + String.join("\n", packs) + "\n";
        Disk.replace(
                disk, repository.resolve(FILE), draft, out -> out.write(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
