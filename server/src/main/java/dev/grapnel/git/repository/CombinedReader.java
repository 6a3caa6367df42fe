package dev.grapnel.git.repository;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.StoredObjectRepresentationNotAvailableException;
import org.eclipse.jgit.internal.storage.commitgraph.CommitGraph;
import org.eclipse.jgit.internal.storage.pack.CachedPack;
import org.eclipse.jgit.internal.storage.pack.ObjectReuseAsIs;
import org.eclipse.jgit.internal.storage.pack.ObjectToPack;
import org.eclipse.jgit.internal.storage.pack.PackOutputStream;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.BitmapIndex.BitmapBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ProgressMonitor;

/// Reads objects from several places as if they were one, without any of them knowing the others.
///
/// Whoever writes a pack from it gets what is packed as it is, deltas included.
public final class CombinedReader extends ObjectReader implements ObjectReuseAsIs {
    /// Maintenance may replace packs meanwhile, but not as often.
    private static final int CHOICES_MAX = 3;

    private final List<ObjectReader> readers;

    /// How often objects could not be copied from the pack that was chosen.
    private final Map<ObjectId, Integer> vain = new HashMap<>();

    /// @param readers of directories; asked in this order, closed with this one
    public CombinedReader(List<ObjectReader> readers) {
        this.readers = List.copyOf(readers);
    }

    @Override
    public ObjectReader newReader() {
        return new CombinedReader(readers.stream().map(ObjectReader::newReader).toList());
    }

    @Override
    public Collection<ObjectId> resolve(AbbreviatedObjectId id) throws IOException {
        var found = new HashSet<ObjectId>();
        for (var reader : readers) {
            found.addAll(reader.resolve(id));
        }
        return found;
    }

    @Override
    public boolean has(AnyObjectId id) throws IOException {
        for (var reader : readers) {
            if (reader.has(id)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean has(AnyObjectId id, int typeHint) throws IOException {
        return has(id);
    }

    @Override
    public ObjectLoader open(AnyObjectId id, int typeHint) throws IOException {
        return holder(id, typeHint).open(id, typeHint);
    }

    @Override
    public long getObjectSize(AnyObjectId id, int typeHint) throws IOException {
        return holder(id, typeHint).getObjectSize(id, typeHint);
    }

    private ObjectReader holder(AnyObjectId id, int typeHint) throws IOException {
        for (var reader : readers) {
            if (reader.has(id)) {
                return reader;
            }
        }
        throw typeHint == OBJ_ANY
                ? new MissingObjectException(id.copy(), "unknown")
                : new MissingObjectException(id.copy(), typeHint);
    }

    /// No repository here is shallow.
    @Override
    public Set<ObjectId> getShallowCommits() {
        return Set.of();
    }

    /// Commits that it does not know are read as they are, so that of one place serves all.
    @Override
    public Optional<CommitGraph> getCommitGraph() throws IOException {
        for (var reader : readers) {
            var graph = reader.getCommitGraph();
            if (graph.isPresent()) {
                return graph;
            }
        }
        return Optional.empty();
    }

    @Override
    public void setStreamFileThreshold(int threshold) {
        super.setStreamFileThreshold(threshold);
        readers.forEach(reader -> reader.setStreamFileThreshold(threshold));
    }

    @Override
    public ObjectToPack newObjectToPack(AnyObjectId id, int type) {
        return reusing(readers.getFirst()).newObjectToPack(id, type);
    }

    /// Each offers what it has; the writer chooses.
    @Override
    public void selectObjectRepresentation(PackWriter packer, ProgressMonitor monitor, Iterable<ObjectToPack> objects)
            throws IOException {
        for (var reader : readers) {
            reusing(reader).selectObjectRepresentation(packer, monitor, objects);
        }
    }

    @Override
    public void writeObjects(PackOutputStream out, List<ObjectToPack> list) throws IOException {
        reusing(readers.getFirst()).writeObjects(out, list);
    }

    /// An object that was chosen knows its pack, so any reader can copy it. The writer looks for another pack when
    /// that fails, and would choose a damaged one again and again.
    @Override
    public void copyObjectAsIs(PackOutputStream out, ObjectToPack object, boolean validate)
            throws IOException, StoredObjectRepresentationNotAvailableException {
        try {
            reusing(readers.getFirst()).copyObjectAsIs(out, object, validate);
        } catch (StoredObjectRepresentationNotAvailableException e) {
            if (vain.merge(object.copy(), 1, Integer::sum) > CHOICES_MAX) {
                var corrupt = new CorruptObjectException(object.copy(), "it cannot be copied");
                corrupt.initCause(e);
                throw corrupt;
            }
            throw e;
        }
    }

    @Override
    public void copyPackAsIs(PackOutputStream out, CachedPack pack) {
        throw new UnsupportedOperationException("no pack was offered");
    }

    /// None: what they hold together nobody has counted.
    @Override
    public Collection<CachedPack> getCachedPacksAndUpdate(BitmapBuilder needed) {
        return List.of();
    }

    private static ObjectReuseAsIs reusing(ObjectReader reader) {
        return (ObjectReuseAsIs) reader;
    }

    @Override
    public void close() {
        readers.forEach(ObjectReader::close);
    }
}
