package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.ObjectId;

/// Makes room in a hunting area: packs go that have nothing which is needed and lies nowhere else. What was released
/// meanwhile, replaced or gave up waiting fills areas, because packs of several events gather there.
///
/// A pack goes or stays as a whole. What another fetch rests on at this moment may go: it counts only with everything
/// it reaches, so it is fetched again then.
public final class Clearing implements ClosureWalk.Border {
    private final Place area;
    private final List<Place> elsewhere;
    private final Collection<Pack> packs;
    private final Set<String> needed = new HashSet<>();

    private Clearing(Place area, List<Place> elsewhere) {
        this.area = area;
        this.elsewhere = elsewhere;
        this.packs = area.directory().getPacks();
    }

    /// Deletes what is not needed.
    ///
    /// @param tips what is needed, with all it reaches; those that are not in the area do not matter
    /// @param restsOn repositories that are whole: what is in them need not be in the area
    /// @return bytes that are free now
    public static long run(
            Repositories repositories, Identifier identifier, Collection<Oid> tips, List<RepositoryLease> restsOn)
            throws IOException {
        var objects = repositories.hunting().open(identifier);
        if (objects.isEmpty()) {
            return 0;
        }
        var open = new ArrayList<Place>();
        try (var area = Place.of(objects.get(), (_, _) -> {}); // whoever needs it says so
                var space = repositories.newWorkSpace();
                var memory = new IdMemory(space.directory())) {
            restsOn.forEach(lease -> open.add(Place.kept(lease)));
            var clearing = new Clearing(area, open);
            new ClosureWalk(memory, memory.newMarks(), clearing)
                    .walk(tips.stream().<ObjectId>map(GitIds::of).toList());
            return repositories.hunting().deletePacks(identifier, clearing::isKept);
        } finally {
            open.forEach(Place::close);
        }
    }

    /// What came since it was looked at may be needed.
    private boolean isKept(String name) {
        return needed.contains(name)
                || packs.stream().noneMatch(pack -> nameOf(pack).equals(name));
    }

    private static String nameOf(Pack pack) {
        return "pack-" + pack.getPackName();
    }

    @Override
    public Optional<Place> enter(ObjectId id) throws IOException {
        for (var place : elsewhere) {
            if (place.hasPacked(id) || place.has(id)) {
                return Optional.empty();
            }
        }
        return keep(id) ? Optional.of(area) : Optional.empty();
    }

    /// One of several packs is enough.
    private boolean keep(ObjectId id) throws IOException {
        var having = new ArrayList<String>();
        for (var pack : packs) {
            if (pack.hasObject(id)) {
                having.add(nameOf(pack));
            }
        }
        if (!having.isEmpty() && having.stream().noneMatch(needed::contains)) {
            needed.add(having.getFirst());
        }
        return !having.isEmpty();
    }

    @Override
    public void lack(ObjectId id) {
        // then nobody can use it either
    }
}
