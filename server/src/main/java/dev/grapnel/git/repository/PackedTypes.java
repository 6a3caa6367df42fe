package dev.grapnel.git.repository;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.AnyObjectId;
import org.jspecify.annotations.Nullable;

/// Tells types of packed objects. The git library makes all of a delta's result in memory to say what it is,
/// and that may be as large as an object can be; here only heads of entries are read.
///
/// Used by one thread.
public final class PackedTypes implements AutoCloseable {
    private static final int OPEN_MAX = 8;

    private final Inventory inventory;
    private final LinkedHashMap<Pack, PackEntries> open = new LinkedHashMap<>();

    /// @param inventory of where the objects are
    public PackedTypes(Inventory inventory) {
        this.inventory = inventory;
    }

    /// The type of an object; empty if it is in no pack, or its pack cannot be read any more. The library may
    /// know more then.
    public Optional<ObjectType> find(AnyObjectId id) throws IOException {
        var pack = inventory.findPack(id);
        if (pack.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(entries(pack.get()).type(id));
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) { // maintenance replaced the pack, or it is damaged
            close(open.remove(pack.get()));
            return Optional.empty();
        }
    }

    private PackEntries entries(Pack pack) throws IOException {
        var entries = open.get(pack);
        if (entries == null) {
            if (open.size() == OPEN_MAX) {
                close(open.pollFirstEntry().getValue());
            }
            entries = PackEntries.open(pack.getPackFile().toPath(), pack.getIndex());
            open.put(pack, entries);
        }
        return entries;
    }

    private static void close(@Nullable PackEntries entries) {
        if (entries != null) {
            try {
                entries.close();
            } catch (IOException _) {
                // it was only read
            }
        }
    }

    @Override
    public void close() {
        open.values().forEach(PackedTypes::close);
        open.clear();
    }
}
