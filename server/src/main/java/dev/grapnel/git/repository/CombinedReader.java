package dev.grapnel.git.repository;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.commitgraph.CommitGraph;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/// Reads objects from several places as if they were one, without any of them knowing the others.
final class CombinedReader extends ObjectReader {
    private final List<ObjectReader> readers;

    /// @param readers asked in this order; closed with this one
    CombinedReader(List<ObjectReader> readers) {
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
    public void close() {
        readers.forEach(ObjectReader::close);
    }
}
