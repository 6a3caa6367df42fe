package dev.grapnel.git.pool;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.repository.Inventory;
import dev.grapnel.git.repository.ObjectLinks;
import dev.grapnel.git.repository.PackedTypes;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.StagedObjects;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;

/// Objects that lie together, open for reading.
final class Place implements AutoCloseable {
    private final ObjectDirectory directory;
    private final Inventory inventory;
    private final Predicate<ObjectId> whole;
    private final Runnable release;
    private final Trouble trouble;
    private final ObjectReader reader;
    private final ObjectReader types;
    private final PackedTypes packedTypes;

    private Place(
            ObjectDirectory directory,
            Inventory inventory,
            Predicate<ObjectId> whole,
            Runnable release,
            Trouble trouble) {
        this.directory = directory;
        this.inventory = inventory;
        this.whole = whole;
        this.release = release;
        this.trouble = trouble;
        this.reader = directory.newReader();
        this.packedTypes = new PackedTypes(inventory);
        this.types = directory.newReader();
        this.types.setStreamFileThreshold(1); // content is not wanted, and most of it need not be inflated then
    }

    /// Hears what cannot be read: too large, damaged or gone.
    interface Trouble {
        /// Whoever asks is told of everything themselves.
        Trouble RETHROWN = (_, problem) -> {
            throw problem;
        };

        /// Hears of something; when it returns, that counts as absent.
        ///
        /// @param id the object; empty if it is the whole place
        void hear(Optional<ObjectId> id, IOException problem) throws IOException;
    }

    /// @param lease is closed with it
    static Place of(RepositoryLease lease, Trouble trouble) {
        return new Place(lease.objects(), Inventory.of(lease), _ -> false, lease::close, trouble);
    }

    /// @param area is closed with it
    static Place of(StagedObjects area, Trouble trouble) {
        return new Place(area.objects(), new Inventory(area.objects()), area::isKnownWhole, area::close, trouble);
    }

    /// @param received stays open
    static Place of(Quarantine received) {
        return new Place(
                received.received(), new Inventory(received.received()), _ -> false, () -> {}, Trouble.RETHROWN);
    }

    /// The repository of somebody who keeps it.
    static Place kept(RepositoryLease lease) {
        return new Place(lease.objects(), Inventory.of(lease), _ -> false, () -> {}, Trouble.RETHROWN);
    }

    ObjectDirectory directory() {
        return directory;
    }

    ObjectReader newReader() {
        return directory.newReader();
    }

    /// Whether it is in a pack, where nearly everything is.
    boolean hasPacked(ObjectId id) throws IOException {
        return ask(() -> inventory.hasPacked(id));
    }

    boolean has(ObjectId id) throws IOException {
        return ask(() -> inventory.has(id));
    }

    /// The same, whatever other programs do meanwhile. Slow if it is not.
    boolean hasByNow(ObjectId id) throws IOException {
        return ask(() -> inventory.has(id) || reader.has(id));
    }

    private interface Question {
        boolean ask() throws IOException;
    }

    private boolean ask(Question question) throws IOException {
        try {
            return question.ask();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            trouble.hear(Optional.empty(), e);
            return false;
        }
    }

    /// Files of packs whose index could not be read.
    Set<String> unreadablePacks() {
        return inventory.unreadable();
    }

    /// Whether an object is known to be in it with everything it reaches.
    boolean isKnownWhole(ObjectId id) {
        return whole.test(id);
    }

    /// What an object that is here names.
    ///
    /// @param type as the library numbers them, or any
    /// @throws org.eclipse.jgit.errors.IncorrectObjectTypeException if it is of another one
    /// @throws MissingObjectException if it is here no longer, or counts as absent
    ObjectLinks links(ObjectId id, int type) throws IOException {
        try {
            return ObjectLinks.read(id, reader.open(id, type));
        } catch (IncorrectObjectTypeException | InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw absent(id, e);
        } catch (LargeObjectException e) {
            throw absent(id, new IOException("object " + id.name() + " is too large to look through", e));
        }
    }

    /// The type of an object that is here, without its content.
    ///
    /// @throws MissingObjectException if it is here no longer, or counts as absent
    int type(ObjectId id, int type) throws IOException {
        try {
            var packed = packedTypes.find(id);
            if (packed.isEmpty()) {
                return types.open(id, type).getType();
            }
            int found = packed.get().number();
            if (type != ObjectReader.OBJ_ANY && type != found) {
                throw new IncorrectObjectTypeException(id, type);
            }
            return found;
        } catch (IncorrectObjectTypeException | InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw absent(id, e);
        }
    }

    /// An object that should be here cannot be read: it counts as absent, if this is a place where that may be.
    private MissingObjectException absent(ObjectId id, IOException problem) throws IOException {
        trouble.hear(Optional.of(id), problem);
        var absent = new MissingObjectException(id, "unknown");
        absent.initCause(problem);
        return absent;
    }

    /// The content of an object turned out to be none.
    ///
    /// @throws IOException if that must not be here
    void excuse(ObjectId id, CorruptObjectException problem) throws IOException {
        trouble.hear(Optional.of(id), problem);
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
