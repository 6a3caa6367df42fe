package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.storage.pack.PackConfig;

/// Copies complete history from one repository to another, which then no longer needs the first (design: no
/// repository names another).
///
/// No ref changes. Whoever calls sees to it that maintenance leaves the objects alone until a ref names
/// them.
public final class Sharing {
    /// Maintenance may replace packs while they are being linked; it does not do so all the time.
    private static final int ATTEMPTS = 3;

    private final Repositories repositories;
    private final Disk disk;

    public Sharing(Repositories repositories) {
        this.repositories = repositories;
        this.disk = repositories.disk();
    }

    /// Gives a repository some objects with all they reach by linking the packs they lie in: no second copy
    /// on disk, but what else lies in those packs comes too.
    ///
    /// @throws MissingObjectException if the history is not complete where it comes from
    public void link(RepositoryLease from, RepositoryLease to, Collection<Oid> tips) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                linkOnce(from, to, tips);
                return;
            } catch (NoSuchFileException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /// The same, if that takes nothing but one pack that was looked through already. False if it takes more.
    public boolean link(PackOffer offer, RepositoryLease to, Collection<Oid> tips) throws IOException {
        if (!offer.suits(to.objects().getPacks(), ids(tips)) || !isLinkedIn(offer.pack(), to)) {
            return false;
        }
        disk.forceDirectory(to.objects().getPackDirectory().toPath());
        return true;
    }

    private void linkOnce(RepositoryLease from, RepositoryLease to, Collection<Oid> tips) throws IOException {
        var packs = select(from, to, tips);
        if (packs.isEmpty()) {
            copyExactly(from, to, tips);
        } else if (!packs.get().isEmpty()) {
            try (var quarantine = repositories.quarantine(to, List.of())) {
                for (var pack : packs.get()) {
                    take(pack.getPackFile().toPath(), quarantine.packDirectory());
                }
                quarantine.moveIn();
            }
        }
        requireAll(to, tips);
    }

    /// Empty if the history does not lie in packs that can be linked.
    private static Optional<SequencedSet<Pack>> select(RepositoryLease from, RepositoryLease to, Collection<Oid> tips)
            throws IOException {
        var offered = from.objects().getPacks();
        if (!offered.stream().allMatch(Sharing::isPlain)) {
            return Optional.empty();
        }
        try (var reader = from.newReader()) {
            // what may lack something proves nothing about what it names
            var present = to.isPartial() ? List.<Pack>of() : to.objects().getPacks();
            return new PackSelection(reader, offered, present).select(ids(tips));
        }
    }

    /// Other programs combine packs under one index, or call them as they like.
    static boolean isPlain(Pack pack) {
        return Quarantine.PACK.matcher(pack.getPackFile().getName()).matches();
    }

    /// A single pack comes or does not, so it needs no quarantine: nobody sees it before its index.
    private boolean isLinkedIn(Path original, RepositoryLease to) throws IOException {
        var target = to.objects().getPackDirectory().toPath();
        var name = String.valueOf(original.getFileName());
        var index = name.replace(".pack", ".idx");
        if (!isLinked(original, target.resolve(name))) {
            return false;
        }
        boolean hasIndex = false;
        try {
            freshen(target.resolve(name));
            hasIndex = isLinked(original.resolveSibling(index), target.resolve(index));
        } finally {
            if (!hasIndex) {
                disk.delete(target.resolve(name));
            }
        }
        if (hasIndex) {
            to.openPack(target.resolve(name));
        }
        return hasIndex;
    }

    /// What is linked is as old as its original, but nothing here may count as old before a ref names it.
    private void freshen(Path pack) throws IOException {
        Files.setLastModifiedTime(pack, FileTime.from(repositories.clock().instant()));
    }

    /// Links a pack and its index into a directory, or copies them.
    void take(Path pack, Path into) throws IOException {
        for (var extension : List.of(".pack", ".idx")) {
            var name = String.valueOf(pack.getFileName()).replace(".pack", extension);
            var original = pack.resolveSibling(name);
            var copy = into.resolve(name);
            if (!isLinked(original, copy)) {
                CheckedCopy.of(original, copy);
                disk.force(copy);
            }
        }
        freshen(into.resolve(String.valueOf(pack.getFileName())));
    }

    /// Another file system, or one that allows no more or no links at all: then a copy has to do.
    private boolean isLinked(Path original, Path link) throws IOException {
        try {
            disk.link(original, link);
            return true;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException _) {
            return false; // the caller copies instead, and tells what is wrong if that fails, too
        }
    }

    /// Gives a repository some objects with all they reach, and nothing else, in a pack of their own.
    public void copyExactly(RepositoryLease from, RepositoryLease to, Collection<Oid> tips) throws IOException {
        try (var writer = newWriter(from.newReader());
                var quarantine = repositories.quarantine(to, List.of())) {
            writer.setIgnoreMissingUninteresting(true);
            writer.preparePack(NullProgressMonitor.INSTANCE, Set.copyOf(ids(tips)), reachedIn(to));
            if (writer.getObjectCount() > 0) {
                write(writer, disk, NullProgressMonitor.INSTANCE, quarantine.packDirectory());
                quarantine.moveIn();
            }
        }
        requireAll(to, tips);
    }

    /// @param reader is closed with it
    static PackWriter newWriter(ObjectReader reader) {
        var config = new PackConfig();
        config.setIndexVersion(2);
        config.setDeltaCompress(false); // deltas that are there are kept; looking for new ones is maintenance
        config.setThreads(1);
        config.setBuildBitmaps(false);
        var writer = new PackWriter(config, reader);
        writer.setDeltaBaseAsOffset(true);
        writer.setReuseDeltaCommits(true);
        return writer;
    }

    /// What refs name, unless that may be missing; what is merely lying around may go at any time.
    private static Set<ObjectId> reachedIn(RepositoryLease to) throws IOException {
        var ids = new HashSet<ObjectId>();
        if (to.isPartial()) {
            return ids;
        }
        for (var value : to.refs().current().values().values()) {
            ids.add(GitIds.of(value.target()));
        }
        return ids;
    }

    static void write(PackWriter writer, Disk disk, ProgressMonitor monitor, Path directory) throws IOException {
        var unnamed = directory.resolve("tmp_pack");
        disk.write(unnamed, out -> writer.writePack(monitor, monitor, out));
        // Named by its content and not by its objects, so that packs of one name are always equal.
        var name = "pack-" + CheckedCopy.digestOf(unnamed);
        disk.write(directory.resolve(name + ".idx"), writer::writeIndex);
        disk.rename(unnamed, directory.resolve(name + ".pack"));
    }

    private static void requireAll(RepositoryLease lease, Collection<Oid> tips) throws IOException {
        try (var reader = lease.newReader()) {
            for (var tip : ids(tips)) {
                if (!reader.has(tip)) {
                    throw new MissingObjectException(tip, "unknown");
                }
            }
        }
    }

    private static Set<ObjectId> ids(Collection<Oid> ids) {
        return ids.stream().map(GitIds::of).collect(Collectors.toSet());
    }
}
