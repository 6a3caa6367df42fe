package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.repository.ExactCopy;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;

/// Copies what some objects reach into an area, as far as others do not reach it.
final class Detachment implements ClosureWalk.Border {
    private final List<Place> sources;

    private Detachment(List<Place> sources) {
        this.sources = sources;
    }

    static void run(
            Repositories repositories,
            Places places,
            Collection<Oid> tips,
            Collection<Oid> without,
            RepositoryLease beside,
            String area)
            throws IOException {
        var sources = new ArrayList<Place>();
        places.related().forEach(related -> sources.add(related.place()));
        sources.addAll(places.copied());
        try (var space = repositories.newWorkSpace();
                var memory = new IdMemory(space.directory())) {
            var walk = new ClosureWalk(memory, memory.newMarks(), new Detachment(sources));
            walk.walk(ids(without)); // no object is met twice, so these are left out from now on
            var found = walk.walk(ids(tips));
            var directories = sources.stream().map(Place::directory).toList();
            new ExactCopy(repositories).copyAside(found, directories, beside, area);
        }
    }

    private static List<ObjectId> ids(Collection<Oid> all) {
        return all.stream().<ObjectId>map(GitIds::of).toList();
    }

    @Override
    public Optional<Place> enter(ObjectId id) throws IOException {
        for (var source : sources) {
            if (source.hasPacked(id) || source.has(id)) {
                return Optional.of(source);
            }
        }
        throw new MissingObjectException(id, "unknown");
    }

    @Override
    public void lack(ObjectId id) throws IOException {
        throw new MissingObjectException(id, "unknown");
    }
}
