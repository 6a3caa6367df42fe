package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.DataDirectory.Area;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Repositories that were put aside, each in a directory of its own beside a file that says what it was.
final class Trash {
    private static final String LABEL = "label";
    static final String REPOSITORY = "repository.git";

    private final DataDirectory data;
    private final Disk disk;

    Trash(DataDirectory data, Disk disk) {
        this.data = data;
        this.disk = disk;
    }

    /// Makes room for one. The label comes first: without it nobody could say whose repository this is.
    Trashed prepare(RepositoryAddress address, Instant time) throws IOException {
        var area = data.require(Area.TRASH);
        var moment = Instant.ofEpochMilli(time.toEpochMilli());
        for (int i = 0; ; i++) {
            var trashed = new Trashed(moment.toEpochMilli() + "-" + i, address, moment);
            var entry = entry(trashed);
            if (!Files.exists(entry)) {
                Files.createDirectory(entry);
                disk.write(
                        entry.resolve(LABEL),
                        out -> out.write((moment.toEpochMilli() + "\n" + address).getBytes(UTF_8)));
                disk.forceDirectory(entry);
                disk.forceDirectory(area);
                return trashed;
            }
        }
    }

    /// Where the repository itself lies.
    Path repository(Trashed trashed) {
        return entry(trashed).resolve(REPOSITORY);
    }

    /// Removes what is left of one.
    void forget(Trashed trashed) throws IOException {
        FileTree.delete(entry(trashed));
    }

    /// All of them, the oldest first.
    List<Trashed> list() throws IOException {
        var found = new ArrayList<Trashed>();
        for (var entry : FileTree.entries(data.area(Area.TRASH))) {
            read(entry).ifPresent(found::add);
        }
        found.sort(Comparator.comparing(Trashed::time).thenComparing(Trashed::id));
        return found;
    }

    private static Optional<Trashed> read(Path entry) throws IOException {
        if (!FileTree.isDirectory(entry.resolve(REPOSITORY))) {
            return Optional.empty();
        }
        try {
            var label = Files.readString(entry.resolve(LABEL)).split("\n", 2);
            if (label.length == 2 && RepositoryAddress.parse(label[1]) instanceof Parsed.Valid(var address)) {
                var time = Instant.ofEpochMilli(Long.parseLong(label[0]));
                return Optional.of(new Trashed(String.valueOf(entry.getFileName()), address, time));
            }
        } catch (NoSuchFileException _) {
            // being removed
        } catch (NumberFormatException e) {
            throw new IOException(entry.resolve(LABEL) + " is damaged: it must begin with a time", e);
        }
        return Optional.empty();
    }

    private Path entry(Trashed trashed) {
        return data.area(Area.TRASH).resolve(trashed.id());
    }
}
