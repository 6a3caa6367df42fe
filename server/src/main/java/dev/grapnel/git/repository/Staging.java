package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.DataDirectory.Area;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.util.FS;

/// Objects that were pushed but that nobody has signed yet: each push in an area of its own, apart from
/// every repository, so that nothing of it is ever served, and all of it can go at once (service 6.4).
///
/// Whoever receives such a push records the name of its area before the first byte is stored. What no
/// record names may be deleted: nothing here does that by itself.
public final class Staging {
    private static final Pattern NAME = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}");

    private final DataDirectory data;
    private final Disk disk;
    private final InstantSource clock;
    private final AtomicLong numbers = new AtomicLong();

    Staging(DataDirectory data, Disk disk, InstantSource clock) {
        this.data = data;
        this.disk = disk;
        this.clock = clock;
    }

    /// A name that no area has or had.
    public String newName() {
        return clock.millis() + "-" + numbers.incrementAndGet();
    }

    /// Keeps what a push brought under a name; durable when it returns.
    ///
    /// @throws IllegalArgumentException if the name is not one of [#newName]
    public void keep(Quarantine received, String name) throws IOException {
        var area = place(name);
        Files.createDirectories(Quarantine.packDirectory(area));
        received.moveTo(Quarantine.packDirectory(area));
        disk.forceDirectory(Quarantine.packDirectory(area));
        disk.forceDirectory(area);
        disk.forceDirectory(data.area(Area.STAGING));
    }

    /// What lies in an area, if there is one of that name. For one thread, who closes it.
    public Optional<StagedObjects> open(String name) throws IOException {
        var area = place(name);
        if (!Files.isDirectory(area, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(
                new StagedObjects(new ObjectDirectory(new Config(), area.toFile(), null, FS.DETECTED, null)));
    }

    /// Bytes on disk; none if there is no such area.
    public long bytes(String name) throws IOException {
        long bytes = 0;
        try (var files = Files.newDirectoryStream(Quarantine.packDirectory(place(name)))) {
            for (var file : files) {
                bytes += Files.size(file);
            }
        } catch (NoSuchFileException _) {
            return 0; // it was deleted, or nothing came
        }
        return bytes;
    }

    /// Deletes an area; whether there was one.
    public boolean delete(String name) throws IOException {
        var area = place(name);
        if (!Files.exists(area, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        var doomed = data.fresh(Area.DOOMED);
        disk.rename(area, doomed);
        FileTree.delete(doomed);
        return true;
    }

    /// Every area there is.
    public List<String> list() throws IOException {
        var names = new ArrayList<String>();
        DirectoryStream.Filter<Path> ours =
                file -> NAME.matcher(String.valueOf(file.getFileName())).matches();
        try (var areas = Files.newDirectoryStream(data.require(Area.STAGING), ours)) {
            areas.forEach(area -> names.add(String.valueOf(area.getFileName())));
        }
        names.sort(null);
        return names;
    }

    private Path place(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("no area is called like this");
        }
        return data.area(Area.STAGING).resolve(name);
    }
}
