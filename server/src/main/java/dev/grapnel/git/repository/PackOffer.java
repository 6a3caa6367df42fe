package dev.grapnel.git.repository;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectIdSubclassMap;
import org.eclipse.jgit.lib.ObjectReader;

/// A pack that came into one repository and that others shall have, too, with all that it rests on outside of
/// itself: whoever has that is complete with the pack. Looked through once for everybody. Never changes.
public final class PackOffer {
    /// A pack of more is no small push, and each gets what it needs in its own way.
    private static final int OBJECTS_MAX = 1 << 12;

    private final Pack pack;
    private final ObjectIdSubclassMap<ObjectId> restsOn;

    private PackOffer(Pack pack, ObjectIdSubclassMap<ObjectId> restsOn) {
        this.pack = pack;
        this.restsOn = restsOn;
    }

    /// The pack in which all of some objects lie; empty if there is none, or none that is small and plain.
    public static Optional<PackOffer> find(RepositoryLease from, Collection<Oid> tips) throws IOException {
        var ids = tips.stream().map(GitIds::of).toList();
        for (var pack : from.objects().getPacks()) {
            if (Sharing.isPlain(pack) && pack.getIndex().getObjectCount() <= OBJECTS_MAX && hasAll(pack, ids)) {
                try (var reader = from.newReader()) {
                    return Optional.of(new PackOffer(pack, restsOn(pack, reader)));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean hasAll(Pack pack, Iterable<ObjectId> ids) throws IOException {
        for (var id : ids) {
            if (!pack.hasObject(id)) {
                return false;
            }
        }
        return true;
    }

    private static ObjectIdSubclassMap<ObjectId> restsOn(Pack pack, ObjectReader reader) throws IOException {
        var outside = new ObjectIdSubclassMap<ObjectId>();
        for (var entry : pack) {
            var id = entry.toObjectId();
            ObjectLinks.forEach(id, reader.open(id), (link, _) -> {
                if (!pack.hasObject(link)) {
                    outside.addIfAbsent(link);
                }
            });
        }
        return outside;
    }

    Path pack() {
        return pack.getPackFile().toPath();
    }

    /// Whether it brings all of these, and a repository with these packs is complete with it.
    boolean suits(Collection<Pack> present, Collection<ObjectId> wanted) throws IOException {
        return hasAll(pack, wanted) && isIn(present, restsOn);
    }

    private static boolean isIn(Collection<Pack> packs, Iterable<ObjectId> ids) {
        for (var id : ids) {
            if (PackLookup.find(packs, id).isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
