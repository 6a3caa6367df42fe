package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.util.FS;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where packs wait until they may come into a repository. Closing it deletes what was not moved in.
///
/// The leases it was made with must stay open as long. Used by one thread.
public final class Quarantine implements AutoCloseable {
    /// Names the repository in which a move may have been cut short.
    static final String TARGET = "into";

    static final String INDEX = ".idx";
    static final Pattern PACK = Pattern.compile("(pack-[0-9a-f]{40})\\.pack");

    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private final Disk disk;
    private final Path directory;
    private final RepositoryLease into;
    private final List<RepositoryLease> restsOn;
    private final ObjectDirectory received;
    private boolean isHalfMoved;

    private Quarantine(Disk disk, Path directory, RepositoryLease into, List<RepositoryLease> restsOn)
            throws IOException {
        this.disk = disk;
        this.directory = directory;
        this.into = into;
        this.restsOn = List.copyOf(restsOn);
        this.received = new ObjectDirectory(new Config(), directory.toFile(), null, FS.DETECTED, null);
    }

    static Quarantine at(Path directory, Disk disk, RepositoryLease into, List<RepositoryLease> restsOn)
            throws IOException {
        Files.createDirectory(directory);
        Files.createDirectory(packDirectory(directory));
        return new Quarantine(disk, directory, into, restsOn);
    }

    static Path packDirectory(Path quarantine) {
        return quarantine.resolve("pack");
    }

    /// Where packs are to be written. Whoever does makes sure that they lie on the device before they are
    /// moved in.
    public Path packDirectory() {
        return packDirectory(directory);
    }

    /// Reads what was here before: the repository and those it may rest on. By one thread, who closes it.
    public ObjectReader here() {
        return restsOn.isEmpty() ? into.newReader() : new CombinedReader(readersHere());
    }

    /// Reads what was here before and what was received since. By one thread, who closes it.
    public ObjectReader all() {
        var readers = readersHere();
        readers.addFirst(received.newReader());
        return new CombinedReader(readers);
    }

    private List<ObjectReader> readersHere() {
        var readers = new ArrayList<ObjectReader>();
        readers.add(into.newReader());
        restsOn.forEach(lease -> readers.add(lease.newReader()));
        return readers;
    }

    /// What was received, and nothing else.
    public ObjectDirectory received() {
        return received;
    }

    /// Whether an object came.
    public boolean hasReceived(Oid id) throws IOException {
        try (var reader = received.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    /// Gives the packs to the repository, which sees them at once. What it has already stays as it is.
    ///
    /// Packs may rest on each other, so all come or none: nobody sees one before its index, and if the
    /// process dies when some have theirs, the next start moves the others.
    public void moveIn() throws IOException {
        received.close();
        var names = packNames(packDirectory());
        var target = into.objects().getPackDirectory().toPath();
        // The name is the digest of what is in it: one that is there already is the same pack.
        var missing = names.stream()
                .filter(name ->
                        !Files.exists(target.resolve(name + INDEX)) || !Files.exists(target.resolve(name + ".pack")))
                .toList();
        if (!missing.isEmpty()) {
            announceMove(missing);
            for (var name : missing) {
                disk.rename(packDirectory().resolve(name + ".pack"), target.resolve(name + ".pack"));
            }
            moveIndexes(missing, target);
            disk.forceDirectory(target);
        }
        for (var name : names) {
            into.openPack(target.resolve(name + ".pack"));
        }
    }

    /// Says where packs go. A single one comes or does not, so nobody waits until that is written.
    private void announceMove(List<String> names) throws IOException {
        var announcement = directory.resolve(TARGET);
        var lines = (nameOfTarget() + "\n" + String.join("\n", names) + "\n").getBytes(UTF_8);
        if (names.size() == 1) {
            Files.write(announcement, lines);
        } else {
            disk.write(announcement, out -> out.write(lines));
            disk.forceDirectory(directory);
        }
    }

    private void moveIndexes(List<String> names, Path target) throws IOException {
        isHalfMoved = true;
        try {
            for (var name : names) {
                disk.rename(packDirectory().resolve(name + INDEX), target.resolve(name + INDEX));
            }
        } catch (IOException e) {
            takeBack(names, target, e);
            throw e;
        }
        isHalfMoved = false;
    }

    private void takeBack(List<String> names, Path target, IOException cause) {
        try {
            for (var name : names) {
                if (Files.exists(target.resolve(name + INDEX))) {
                    disk.rename(target.resolve(name + INDEX), packDirectory().resolve(name + INDEX));
                }
            }
            isHalfMoved = false;
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /// Gives the packs to another directory, which nobody reads yet.
    void moveTo(Path target) throws IOException {
        received.close();
        for (var name : packNames(packDirectory())) {
            move(name, target);
        }
    }

    /// Packs in a directory that have their index.
    static List<String> packNames(Path directory) throws IOException {
        var names = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                var name = PACK.matcher(String.valueOf(file.getFileName()));
                if (name.matches() && Files.exists(directory.resolve(name.group(1) + INDEX))) {
                    names.add(name.group(1));
                }
            }
        }
        return names;
    }

    /// Relative, so that the data may be moved between a kill and the next start.
    private String nameOfTarget() {
        var repository = into.directory();
        var owner = Objects.requireNonNull(repository.getParent()).getFileName();
        return owner + "/" + repository.getFileName();
    }

    /// The index last: a pack counts from the moment it has one.
    private void move(String name, Path target) throws IOException {
        if (Files.exists(target.resolve(name + INDEX))) {
            return; // the name is the digest of what is in it, so it is the same pack
        }
        disk.rename(packDirectory().resolve(name + ".pack"), target.resolve(name + ".pack"));
        disk.rename(packDirectory().resolve(name + INDEX), target.resolve(name + INDEX));
    }

    @Override
    public void close() {
        received.close();
        if (isHalfMoved) {
            LOG.error("packs moved in part, the next start moves the rest directory={}", directory);
            return;
        }
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            LOG.warn("quarantine left behind, the next start removes it directory={}", directory, e);
        }
    }
}
