package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.WorkSpace;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Looks whether one repository alone has everything that its refs reach. Each object is looked at once, so what is
/// missing is told of the first ref that leads there. Used by one thread, who closes it before its lease.
public final class Closure implements ClosureWalk.Border, AutoCloseable {
    private final WorkSpace space;
    private final IdMemory memory;
    private final Place place;
    private final ClosureWalk walk;
    private final Rest rest;
    private @Nullable ObjectId missing;

    private Closure(WorkSpace space, IdMemory memory, Place place, Rest rest) throws IOException {
        this.space = space;
        this.memory = memory;
        this.place = place;
        this.rest = rest;
        this.walk = new ClosureWalk(memory, memory.newMarks(), this);
    }

    /// Lets others work.
    @FunctionalInterface
    public interface Rest {
        /// Called between two objects.
        ///
        /// @throws InterruptedIOException if nobody wants to know any more
        void now() throws InterruptedIOException;
    }

    /// Begins to look at a repository.
    ///
    /// @param repositories where there is room to work
    /// @param lease stays open
    public static Closure begin(Repositories repositories, RepositoryLease lease, Rest rest) throws IOException {
        var space = repositories.newWorkSpace();
        var memory = new IdMemory(space.directory());
        var place = Place.kept(lease);
        try {
            return new Closure(space, memory, place, rest);
        } catch (IOException e) {
            place.close();
            memory.close();
            space.close();
            throw e;
        }
    }

    /// What is wrong with the objects that one reaches, as the rest of a sentence; nothing if all is well.
    public Optional<String> findProblem(Oid tip) throws IOException {
        missing = null;
        try {
            walk.walk(List.of(GitIds.of(tip)));
        } catch (CorruptObjectException e) {
            return Optional.of("leads to something damaged: " + e.getMessage());
        }
        return Optional.ofNullable(missing).map(id -> "leads to the object " + id.name() + ", which is missing");
    }

    /// What was missing when somebody asked last.
    public Optional<Oid> missing() {
        return Optional.ofNullable(missing).map(GitIds::of);
    }

    @Override
    public Optional<Place> enter(ObjectId id) throws IOException {
        rest.now();
        if (place.hasByNow(id)) {
            return Optional.of(place);
        }
        lack(id);
        return Optional.empty();
    }

    @Override
    public void lack(ObjectId id) {
        if (missing == null) {
            missing = id;
        }
    }

    @Override
    public void close() {
        place.close();
        memory.close();
        space.close();
    }
}
