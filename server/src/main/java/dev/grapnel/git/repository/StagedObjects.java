package dev.grapnel.git.repository;

import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.ObjectReader;

/// The right to read a staging or hunting area until this is closed. An area that is deleted meanwhile can
/// be read no longer: then reading fails as if the disk did.
///
/// Used by one thread.
public final class StagedObjects implements AutoCloseable {
    private final ObjectDirectory objects;

    StagedObjects(ObjectDirectory objects) {
        this.objects = objects;
    }

    /// All that lies in it.
    public ObjectDirectory objects() {
        return objects;
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
