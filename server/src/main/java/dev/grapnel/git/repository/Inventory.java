package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.AnyObjectId;

/// Says which objects lie in a directory. The git library looks at its directories again before each "no", so
/// whoever names thousands of objects that nobody has would make it look thousands of times: this one looks once,
/// when it is first asked, and then again only when there is a reason to.
///
/// What this process brings into a repository is seen at once. What other programs bring is seen if it was there at
/// the first question. What maintenance moves from one file to another is never missed.
///
/// Used by one thread.
public final class Inventory {
    private static final Pattern FAN_OUT = Pattern.compile("[0-9a-f]{2}");
    private static final int HEX = 16;
    private static final FileTime NEVER = FileTime.fromMillis(Long.MIN_VALUE);

    private final ObjectDirectory directory;
    private final Path objects;
    private final IntSupplier arrivals;
    private final Set<String> unreadable = new HashSet<>();
    private List<Pack> packs = List.of();
    private BitSet fanOut = new BitSet();
    private FileTime changed = NEVER;
    private boolean borrows;
    private boolean hasLooked;
    private int arrived;

    /// Of a directory to which nothing comes any more.
    public Inventory(ObjectDirectory directory) {
        this(directory, () -> 0);
    }

    /// @param arrivals how many packs this process has brought into it
    private Inventory(ObjectDirectory directory, IntSupplier arrivals) {
        this.directory = directory;
        this.objects = directory.getDirectory().toPath();
        this.arrivals = arrivals;
    }

    /// Of a repository.
    ///
    /// @param lease stays open
    public static Inventory of(RepositoryLease lease) {
        return new Inventory(lease.objects(), lease::arrivals);
    }

    /// Whether it is in a pack.
    public boolean hasPacked(AnyObjectId id) throws IOException {
        return findPack(id).isPresent();
    }

    /// A pack that has it.
    Optional<Pack> findPack(AnyObjectId id) throws IOException {
        if (!hasLooked || arrived != arrivals.getAsInt()) {
            look();
        }
        while (true) {
            int known = unreadable.size();
            var found = findReadable(id);
            if (found.isPresent() || unreadable.size() == known) {
                return found;
            }
            look(); // a pack went away, so another may have come; this ends, because none is read in vain twice
        }
    }

    /// Whether it is here.
    public boolean has(AnyObjectId id) throws IOException {
        return hasPacked(id) || hasUnpacked(id);
    }

    /// Files of packs that could not be asked: damaged, or gone since.
    public Set<String> unreadable() {
        return Set.copyOf(unreadable);
    }

    private Optional<Pack> findReadable(AnyObjectId id) {
        for (var pack : packs) {
            try {
                if (pack.hasObject(id)) {
                    return Optional.of(pack);
                }
            } catch (IOException _) { // maintenance replaced it, or it is damaged
                unreadable.add(pack.getPackFile().getName());
            }
        }
        return Optional.empty();
    }

    private boolean hasUnpacked(AnyObjectId id) throws IOException {
        if (borrows) {
            return directory.has(id);
        }
        if (!fanOut.get(id.getFirstByte())) {
            return false;
        }
        if (Files.exists(directory.fileFor(id).toPath())) {
            return true;
        }
        if (changed.equals(timeOfPacks())) {
            return false;
        }
        look(); // it may have been packed since
        return hasPacked(id);
    }

    /// What lies alone is looked at before the packs: that is the way objects go.
    private void look() throws IOException {
        arrived = arrivals.getAsInt();
        fanOut = findFanOut();
        borrows = Files.exists(objects.resolve("info/alternates"));
        changed = timeOfPacks();
        packs = directory.getPacks().stream()
                .filter(pack -> !unreadable.contains(pack.getPackFile().getName()))
                .toList();
        hasLooked = true;
    }

    /// Which beginnings of names objects that lie alone have; nearly always none.
    private BitSet findFanOut() throws IOException {
        var found = new BitSet();
        try (var entries = Files.newDirectoryStream(objects)) {
            for (var entry : entries) {
                var name = String.valueOf(entry.getFileName());
                if (FAN_OUT.matcher(name).matches()) {
                    found.set(Integer.parseInt(name, HEX));
                }
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            return found; // somebody removed the repository, which then has nothing
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private FileTime timeOfPacks() throws IOException {
        try {
            return Files.getLastModifiedTime(objects.resolve("pack"));
        } catch (NoSuchFileException _) {
            return NEVER;
        }
    }
}
