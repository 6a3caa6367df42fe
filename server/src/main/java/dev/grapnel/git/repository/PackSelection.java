package dev.grapnel.git.repository;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.internal.storage.file.PackIndex;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/// Which packs of one repository another one needs to be complete.
///
/// A pack brings everything in it, also what nobody asked for, and what that rests on may lie in further
/// packs. So every object that comes newly is looked at, and packs are added until each of its links ends
/// at something that comes too, or that was there. When this returns, completeness is therefore proved.
///
/// Used once, by one thread; a pack that maintenance removes meanwhile shows as a missing file.
final class PackSelection {
    /// Objects looked at in the order of the file: what is near each other is made from each other.
    private static final int BATCH = 1 << 20;

    private static final int SEEN_MAX = 1 << 16;

    private final ObjectReader reader;
    private final Collection<Pack> offered;
    private final List<Pack> present;
    private final SequencedSet<Pack> selected = new LinkedHashSet<>();
    private final Deque<Pack> unread = new ArrayDeque<>();

    /// Links that were found good lately; trees repeat most of those of their predecessors.
    private final @Nullable ObjectId[] seen = new ObjectId[SEEN_MAX];

    private boolean packed = true;

    /// @param reader of the repository that offers packs
    /// @param present packs of the other one, which is complete
    PackSelection(ObjectReader reader, Collection<Pack> offered, Collection<Pack> present) {
        this.reader = reader;
        this.offered = offered;
        this.present = List.copyOf(present);
    }

    /// Packs that bring these objects with all they rest on; empty if not all of it lies in packs.
    ///
    /// @throws MissingObjectException if the history is not complete
    Optional<SequencedSet<Pack>> select(Collection<ObjectId> tips) throws IOException {
        for (var tip : tips) {
            require(tip);
        }
        while (packed && !unread.isEmpty()) {
            read(unread.remove());
        }
        return packed ? Optional.of(selected) : Optional.empty();
    }

    private void require(AnyObjectId id) throws IOException {
        int slot = id.hashCode() & (SEEN_MAX - 1);
        var last = seen[slot];
        if (last != null && AnyObjectId.isEqual(last, id)) {
            return;
        }
        if (!isIn(selected, id) && !isIn(present, id)) {
            bring(id);
        }
        seen[slot] = id.copy();
    }

    private void bring(AnyObjectId id) throws IOException {
        for (var pack : offered) {
            if (pack.hasObject(id)) {
                selected.add(pack);
                unread.add(pack);
                return;
            }
        }
        if (!reader.has(id)) {
            throw new MissingObjectException(id.copy(), "unknown");
        }
        packed = false;
    }

    private static boolean isIn(Collection<Pack> packs, AnyObjectId id) throws IOException {
        for (var pack : packs) {
            if (pack.hasObject(id)) {
                return true;
            }
        }
        return false;
    }

    private void read(Pack pack) throws IOException {
        var index = pack.getIndex();
        try (var entries = PackEntries.open(pack.getPackFile().toPath(), index)) {
            for (long from = 0; from < index.getObjectCount() && packed; from += BATCH) {
                readBatch(index, entries, from);
            }
        }
    }

    private void readBatch(PackIndex index, PackEntries entries, long from) throws IOException {
        int size = (int) Math.min(BATCH, index.getObjectCount() - from);
        var order = new long[size];
        for (int i = 0; i < size; i++) {
            // The place in the file above, that in the batch below: sorted by the former, the latter says which.
            order[i] = index.findOffset(index.getObjectId(from + i)) * BATCH + i;
        }
        Arrays.sort(order);
        for (long entry : order) {
            var id = index.getObjectId(from + entry % BATCH);
            if (!isIn(present, id)) {
                follow(id, entries.type(entry / BATCH));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while looking through packs");
            }
        }
    }

    private void follow(ObjectId id, ObjectType type) throws IOException {
        if (type != ObjectType.BLOB) { // the end of every path, and nothing to inflate
            ObjectLinks.forEach(id, reader.open(id), (link, _) -> require(link));
        }
    }
}
