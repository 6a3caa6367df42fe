package dev.grapnel.git.pool;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.repository.Inventory;
import dev.grapnel.git.repository.PackedTypes;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.StagedObjects;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/// Objects that lie together, open for reading.
final class Place implements AutoCloseable {
    private final ObjectDirectory directory;
    private final Inventory inventory;
    private final Predicate<ObjectId> whole;
    private final Runnable release;
    private final ObjectReader reader;
    private final ObjectReader types;
    private final PackedTypes packedTypes;

    private Place(ObjectDirectory directory, Inventory inventory, Predicate<ObjectId> whole, Runnable release) {
        this.directory = directory;
        this.inventory = inventory;
        this.whole = whole;
        this.release = release;
        this.reader = directory.newReader();
        this.packedTypes = new PackedTypes(inventory);
        this.types = directory.newReader();
        this.types.setStreamFileThreshold(1); // content is not wanted, and most of it need not be inflated then
    }

    /// @param lease is closed with it
    static Place of(RepositoryLease lease) {
        return new Place(lease.objects(), Inventory.of(lease), _ -> false, lease::close);
    }

    /// @param area is closed with it
    static Place of(StagedObjects area) {
        return new Place(area.objects(), new Inventory(area.objects()), area::isKnownWhole, area::close);
    }

    /// @param received stays open
    static Place of(Quarantine received) {
        return new Place(received.received(), new Inventory(received.received()), _ -> false, () -> {});
    }

    /// The repository of somebody who keeps it.
    static Place kept(RepositoryLease lease) {
        return new Place(lease.objects(), Inventory.of(lease), _ -> false, () -> {});
    }

    ObjectDirectory directory() {
        return directory;
    }

    ObjectReader newReader() {
        return directory.newReader();
    }

    /// Whether it is in a pack, where nearly everything is.
    boolean hasPacked(ObjectId id) throws IOException {
        return inventory.hasPacked(id);
    }

    boolean has(ObjectId id) throws IOException {
        return inventory.has(id);
    }

    /// The same, whatever other programs do meanwhile. Slow if it is not.
    boolean hasByNow(ObjectId id) throws IOException {
        return inventory.has(id) || reader.has(id);
    }

    /// Whether an object is known to be in it with everything it reaches.
    boolean isKnownWhole(ObjectId id) {
        return whole.test(id);
    }

    /// @param type as the library numbers them, or any
    /// @throws IncorrectObjectTypeException if it is of another one
    ObjectLoader open(ObjectId id, int type) throws IOException {
        return reader.open(id, type);
    }

    /// The type of an object, without its content.
    ///
    /// @param type as in [#open]
    /// @throws IncorrectObjectTypeException if it is of another one
    int type(ObjectId id, int type) throws IOException {
        var packed = packedTypes.find(id);
        if (packed.isEmpty()) {
            return types.open(id, type).getType();
        }
        int found = packed.get().number();
        if (type != ObjectReader.OBJ_ANY && type != found) {
            throw new IncorrectObjectTypeException(id, type);
        }
        return found;
    }

    Optional<ObjectType> findType(ObjectId id) throws IOException {
        try {
            return has(id) ? ObjectType.find(type(id, ObjectReader.OBJ_ANY)) : Optional.empty();
        } catch (MissingObjectException _) {
            return Optional.empty(); // gone since
        }
    }

    @Override
    public void close() {
        packedTypes.close();
        reader.close();
        types.close();
        release.run();
    }
}
