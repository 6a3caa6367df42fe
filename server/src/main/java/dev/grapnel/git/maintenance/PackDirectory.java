package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/// The directory `objects/pack` of a repository.
final class PackDirectory {
    /// Begins the names of what maintenance has not finished. Without extension, as git takes any `.pack`
    /// for one.
    static final String SCRATCH = "tmp_upkeep_";

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final int FANOUT_LAST = 255 * 4;

    private final Disk disk;
    private final Path path;

    /// @param repository its directory
    PackDirectory(Disk disk, Path repository) {
        this.disk = disk;
        this.path = repository.resolve("objects").resolve("pack");
    }

    Path path() {
        return path;
    }

    /// Begins the names of the files of one piece of work.
    String scratch() {
        return SCRATCH + NUMBERS.incrementAndGet();
    }

    /// All packs that have an index, by name.
    List<StoredPack> list() throws IOException {
        var files = files();
        var packs = new ArrayList<StoredPack>();
        for (var file : files) {
            if (file.startsWith("pack-") && file.endsWith(".idx")) {
                var name = file.substring(0, file.length() - ".idx".length());
                if (files.contains(name + ".pack")) {
                    describe(name, files).ifPresent(packs::add);
                }
            }
        }
        return packs;
    }

    /// Names of all files.
    Set<String> files() throws IOException {
        try (var all = Files.list(path)) {
            return all.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        } catch (NoSuchFileException _) {
            return new TreeSet<>(); // nothing was ever stored here
        }
    }

    private Optional<StoredPack> describe(String name, Set<String> files) throws IOException {
        try (var index = FileChannel.open(path.resolve(name + ".idx"), StandardOpenOption.READ)) {
            var start = ByteBuffer.allocate(8 + FANOUT_LAST + 4);
            while (start.hasRemaining() && index.read(start) >= 0) {
                // until it is full
            }
            start.flip();
            boolean isNew = start.limit() >= 8 && start.getInt(0) == IndexFile.MAGIC;
            int last = isNew ? 8 + FANOUT_LAST : FANOUT_LAST;
            long objects = start.limit() >= last + 4 ? Integer.toUnsignedLong(start.getInt(last)) : 0;
            boolean isPlain = isNew
                    && start.limit() == start.capacity()
                    && !files.contains(name + ".promisor")
                    && !files.contains(name + ".mtimes");
            var pack = path.resolve(name + ".pack");
            return Optional.of(new StoredPack(
                    name,
                    Files.size(pack),
                    objects,
                    Files.getLastModifiedTime(pack).toInstant(),
                    new StoredPack.Traits(files.contains(name + ".keep"), files.contains(name + ".bitmap"), isPlain)));
        } catch (NoSuchFileException _) {
            return Optional.empty(); // it went while we looked
        }
    }

    /// Gives a new pack its name. From the moment it has an index it is there for all to see, bitmaps
    /// included: readers look for those only when they first meet a pack.
    ///
    /// @param modified since when its objects are here
    void install(NewPack made, Instant modified) throws IOException {
        boolean isThere = Files.exists(file(made.name(), ".pack")) && Files.exists(file(made.name(), ".idx"));
        if (isThere) {
            disk.delete(made.pack()); // equal names mean equal packs
        } else {
            disk.setModified(made.pack(), modified);
            disk.setReadOnly(made.pack());
            disk.rename(made.pack(), file(made.name(), ".pack"));
        }
        var bitmaps = made.bitmaps();
        if (bitmaps.isPresent()) {
            disk.setReadOnly(bitmaps.get());
            disk.rename(bitmaps.get(), file(made.name(), ".bitmap"));
        }
        disk.forceDirectory(path);
        disk.setReadOnly(made.index());
        disk.rename(made.index(), file(made.name(), ".idx"));
        disk.forceDirectory(path);
    }

    /// Takes packs out of sight: whoever looks from now on does not see them, whoever reads them can go on.
    void hide(Collection<String> names) throws IOException {
        for (var file : files()) {
            if (file.startsWith("multi-pack-index")) {
                disk.delete(path.resolve(file)); // stock git made it, and would look for these packs
            }
        }
        for (var name : names) {
            disk.delete(file(name, ".idx"));
        }
        disk.forceDirectory(path);
    }

    /// Takes the names from what is left of hidden packs. One that has an index again was pushed again.
    ///
    /// @return what can be deleted now
    List<Path> strip(Collection<String> names) throws IOException {
        var stripped = new ArrayList<Path>();
        var files = files();
        for (var file : files) {
            var name = file.substring(0, Math.max(0, file.indexOf('.')));
            if (names.contains(name) && !files.contains(name + ".idx")) {
                var nameless = path.resolve(scratch() + "_old");
                disk.rename(path.resolve(file), nameless);
                stripped.add(nameless);
            }
        }
        return stripped;
    }

    private Path file(String name, String extension) {
        return path.resolve(name + extension);
    }
}
