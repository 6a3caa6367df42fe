package dev.grapnel.git.repository;

import dev.grapnel.git.pack.IdSequence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevWalk;

/// Gives a repository exactly some objects, from wherever they lie, and nothing else.
///
/// A pack of which everything is wanted is linked: no second copy on disk. The rest is written into new
/// packs, compressed as it is. A pack holds a limited number of objects, because the writer keeps all of
/// them on the heap.
///
/// Used by one thread, who may be interrupted.
public final class ExactCopy {
    /// About twenty megabytes of heap.
    private static final int OBJECTS_PER_PACK = 1 << 17;

    /// Maintenance may replace packs while they are being linked.
    private static final int ATTEMPTS = 3;

    private final Repositories repositories;
    private final Sharing sharing;
    private final int objectsPerPack;

    public ExactCopy(Repositories repositories) {
        this(repositories, OBJECTS_PER_PACK);
    }

    ExactCopy(Repositories repositories, int objectsPerPack) {
        this.repositories = repositories;
        this.sharing = new Sharing(repositories);
        this.objectsPerPack = objectsPerPack;
    }

    /// Copies them, all or none; they are durable when it returns.
    ///
    /// @param objects each once; their numbers are their types
    /// @param from where they lie, each in at least one of these
    /// @throws MissingObjectException if one is nowhere
    public void copy(IdSequence objects, List<ObjectDirectory> from, RepositoryLease to) throws IOException {
        if (objects.size() == 0) {
            return;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                copyOnce(objects, from, to);
                return;
            } catch (NoSuchFileException | FileNotFoundException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /// Puts them into an area of their own instead, which is made even if there are none.
    ///
    /// @param beside a repository, for as long as this takes
    /// @param area a name that none has
    public void copyAside(IdSequence objects, List<ObjectDirectory> from, RepositoryLease beside, String area)
            throws IOException {
        try (var quarantine = repositories.quarantine(beside, List.of())) {
            fill(quarantine, objects, from);
            repositories.staging().keep(quarantine, area);
        }
    }

    private void copyOnce(IdSequence objects, List<ObjectDirectory> from, RepositoryLease to) throws IOException {
        try (var quarantine = repositories.quarantine(to, List.of())) {
            fill(quarantine, objects, from);
            quarantine.moveIn();
        }
        requireAll(objects, to);
    }

    private void fill(Quarantine quarantine, IdSequence objects, List<ObjectDirectory> from) throws IOException {
        var linked = new Coverage(from).wholePacks(objects);
        for (var pack : linked) {
            sharing.take(pack.getPackFile().toPath(), quarantine.packDirectory());
        }
        long next = 0;
        while (next < objects.size()) {
            next = writePack(objects, next, linked, from, quarantine);
        }
    }

    /// Writes the next objects.
    ///
    /// @return where to go on
    private long writePack(
            IdSequence objects, long from, Set<Pack> linked, List<ObjectDirectory> places, Quarantine quarantine)
            throws IOException {
        try (var writer = Sharing.newWriter(readAll(places))) {
            long next = from;
            try (var walk = new RevWalk(readAll(places))) {
                for (; next < objects.size() && writer.getObjectCount() < objectsPerPack; next++) {
                    var id = objects.id(next);
                    if (PackLookup.find(linked, id).isEmpty()) {
                        writer.addObject(walk.lookupAny(id, objects.number(next)));
                    }
                    requireUninterrupted();
                }
            }
            if (writer.getObjectCount() > 0) {
                Sharing.write(writer, repositories.disk(), new Interruption(), quarantine.packDirectory());
            }
            return next;
        } catch (IOException e) {
            requireUninterrupted();
            throw e;
        }
    }

    private static ObjectReader readAll(List<ObjectDirectory> places) {
        return new CombinedReader(
                places.stream().map(ObjectDirectory::newReader).toList());
    }

    private static void requireAll(IdSequence objects, RepositoryLease lease) throws IOException {
        try (var reader = lease.newReader()) {
            for (long i = 0; i < objects.size(); i++) {
                if (!reader.has(objects.id(i))) {
                    throw new MissingObjectException(objects.id(i), objects.number(i));
                }
            }
        }
    }

    private static void requireUninterrupted() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while copying objects");
        }
    }

    /// Finds packs of which everything is wanted.
    private static final class Coverage {
        private final List<Pack> packs = new ArrayList<>();

        Coverage(List<ObjectDirectory> from) {
            for (var directory : from) {
                directory.getPacks().stream().filter(Sharing::isPlain).forEach(packs::add);
            }
        }

        /// What lies in several packs counts for one of them; at worst something is copied that might have
        /// been linked.
        Set<Pack> wholePacks(IdSequence objects) throws IOException {
            var wanted = new HashMap<Pack, Long>();
            for (long i = 0; i < objects.size(); i++) {
                var holder = PackLookup.find(packs, objects.id(i));
                if (holder.isPresent()) {
                    wanted.merge(holder.get(), 1L, Long::sum);
                    putFirst(holder.get());
                }
                requireUninterrupted();
            }
            var whole = new LinkedHashSet<Pack>();
            for (var entry : wanted.entrySet()) {
                if (entry.getKey().getIndex().getObjectCount() == entry.getValue()) {
                    whole.add(entry.getKey());
                }
            }
            return whole;
        }

        /// Neighbours lie in the same pack, so that is asked first for the next.
        private void putFirst(Pack pack) {
            if (!packs.getFirst().equals(pack)) {
                packs.remove(pack);
                packs.addFirst(pack);
            }
        }
    }

    /// Ends the library's work when the thread shall end.
    private static final class Interruption extends EmptyProgressMonitor {
        @Override
        public boolean isCancelled() {
            return Thread.currentThread().isInterrupted();
        }
    }
}
