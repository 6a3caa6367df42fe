package dev.grapnel.git.repository;

import java.util.List;
import java.util.Set;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/// The right to read a staging or hunting area until this is closed. An area that is deleted meanwhile can
/// be read no longer: then reading fails as if the disk did.
///
/// Used by one thread.
public final class StagedObjects implements AutoCloseable {
    private final ObjectDirectory objects;
    private final Set<String> closed;
    private @Nullable List<Pack> closedPacks;

    StagedObjects(ObjectDirectory objects) {
        this(objects, Set.of());
    }

    /// @param closed files of packs of which every object names only what is in the same pack
    StagedObjects(ObjectDirectory objects, Set<String> closed) {
        this.objects = objects;
        this.closed = Set.copyOf(closed);
    }

    /// All that lies in it.
    public ObjectDirectory objects() {
        return objects;
    }

    /// Whether an object is known to be here with everything it reaches. Most that are whole are not known to be.
    public boolean isKnownWhole(AnyObjectId id) {
        return !closed.isEmpty() && PackLookup.find(closedPacks(), id).isPresent();
    }

    private List<Pack> closedPacks() {
        var packs = closedPacks;
        if (packs == null) {
            packs = objects.getPacks().stream()
                    .filter(pack -> closed.contains(pack.getPackFile().getName()))
                    .toList();
            closedPacks = packs;
        }
        return packs;
    }

    /// Reads it; closed by whoever asks.
    public ObjectReader newReader() {
        return objects.newReader();
    }

    @Override
    public void close() {
        objects.close();
    }
}
