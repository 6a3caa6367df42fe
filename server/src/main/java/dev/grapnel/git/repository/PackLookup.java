package dev.grapnel.git.repository;

import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.AnyObjectId;

/// Looks for objects in indexes of packs alone. That an object is not found there costs next to nothing,
/// while a repository looks at its directories again before it says no.
public final class PackLookup {
    private PackLookup() {}

    /// A pack with the object in it, if one of these has it.
    public static Optional<Pack> find(Iterable<Pack> packs, AnyObjectId id) {
        for (var pack : packs) {
            if (isIn(pack, id)) {
                return Optional.of(pack);
            }
        }
        return Optional.empty();
    }

    /// A pack whose index cannot be read has nothing: maintenance replaced it, or it is damaged, and what is
    /// in it may lie elsewhere, too.
    private static boolean isIn(Pack pack, AnyObjectId id) {
        try {
            return pack.hasObject(id);
        } catch (IOException _) {
            return false;
        }
    }
}
