package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.pack.IdSequence;
import dev.grapnel.git.repository.ExactCopy;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Sharing;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;

/// Brings objects with everything they reach into a repository.
///
/// Everything that is walked through belongs to what was asked for, and so was proved to count: where it is
/// read from does not matter then. Only packs of related repositories are linked with whatever else is in
/// them.
final class Transfer implements ClosureWalk.Border {
    private static final int LINKED_AT_ONCE = 1 << 16;

    private final Repositories repositories;
    private final RepositoryLease into;
    private final Place target;
    private final List<Linked> related = new ArrayList<>();
    private final List<Place> copied;

    /// A related repository, and where the walk met it.
    private record Linked(RepositoryLease from, Place place, IdSequence met) {}

    private Transfer(Repositories repositories, Places places, Place target, RepositoryLease into, IdMemory memory)
            throws IOException {
        this.repositories = repositories;
        this.into = into;
        this.target = target;
        this.copied = places.copied();
        for (var source : places.related()) {
            related.add(new Linked(source.lease(), source.place(), memory.newSequence()));
        }
    }

    /// Brings them; durable when it returns.
    ///
    /// @throws MissingObjectException if something is nowhere, or damaged
    static void run(Repositories repositories, Places places, Collection<ObjectId> tips, RepositoryLease into)
            throws IOException {
        try (var space = repositories.newWorkSpace();
                var memory = new IdMemory(space.directory());
                var target = Place.kept(into)) {
            var transfer = new Transfer(repositories, places, target, into, memory);
            // First everything is found: nothing comes of what is incomplete.
            var walked = new ClosureWalk(memory, memory.newMarks(), transfer).walk(tips);
            transfer.linkRelated();
            transfer.copy(into.isPartial() ? transfer.absent(walked, memory) : walked);
            transfer.requireAll(tips);
        } catch (CorruptObjectException e) {
            // content is read only when it is copied
            places.doubtHunted(e);
            var absent = new MissingObjectException(tips.iterator().next(), "unknown");
            absent.initCause(e);
            throw absent;
        }
    }

    @Override
    public Optional<Place> enter(ObjectId id) throws IOException {
        if (target.hasPacked(id)) {
            return throughTarget();
        }
        for (var source : related) {
            if (source.place().hasPacked(id)) {
                source.met().add(id, 0);
                return Optional.empty();
            }
        }
        for (var source : copied) {
            if (source.hasPacked(id)) {
                return Optional.of(source);
            }
        }
        return enterUnpacked(id);
    }

    /// What it has needs no further look, unless it may lack what that names.
    private Optional<Place> throughTarget() {
        return into.isPartial() ? Optional.of(target) : Optional.empty();
    }

    /// Those that the target has not got.
    private IdSequence absent(IdSequence walked, IdMemory memory) throws IOException {
        var absent = memory.newSequence();
        for (long i = 0; i < walked.size(); i++) {
            if (!target.has(walked.id(i))) {
                absent.add(walked.id(i), walked.number(i));
            }
        }
        return absent;
    }

    /// The same, asking thoroughly.
    private Optional<Place> enterUnpacked(ObjectId id) throws IOException {
        if (target.has(id)) {
            return throughTarget();
        }
        for (var source : related) {
            if (source.place().has(id)) {
                source.met().add(id, 0);
                return Optional.empty();
            }
        }
        for (var source : copied) {
            if (source.has(id)) {
                return Optional.of(source);
            }
        }
        throw new MissingObjectException(id, "unknown");
    }

    @Override
    public void lack(ObjectId id) throws IOException {
        throw new MissingObjectException(id, "unknown");
    }

    private void linkRelated() throws IOException {
        var sharing = new Sharing(repositories);
        for (var source : related) {
            for (long i = 0; i < source.met().size(); ) {
                var next = new ArrayList<Oid>();
                for (; i < source.met().size() && next.size() < LINKED_AT_ONCE; i++) {
                    var id = source.met().id(i);
                    if (!target.has(id)) { // or a pack that was linked brought it
                        next.add(GitIds.of(id));
                    }
                }
                if (!next.isEmpty()) {
                    sharing.link(source.from(), into, next);
                }
            }
        }
    }

    private void copy(IdSequence walked) throws IOException {
        var from = copied.stream().map(Place::directory).toList();
        new ExactCopy(repositories).copy(walked, from, into);
    }

    private void requireAll(Collection<ObjectId> tips) throws IOException {
        for (var tip : tips) {
            if (!target.has(tip)) {
                throw new MissingObjectException(tip, "unknown");
            }
        }
    }
}
