package dev.grapnel.git.pool;

import dev.grapnel.git.pack.IdMarks;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.pack.IdSequence;
import dev.grapnel.git.pool.ShownPlace.Newcomers;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.WorkSpace;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;

/// Finds out which objects are in the pool with everything they reach.
///
/// A related repository is complete, so whatever is in it needs no further look. Areas are looked through
/// object by object, but for packs that are known to name nothing outside. What is in neither may still be visible in
/// repositories of others, and that is asked
/// for many objects at a time, because one answer may need a look at a whole history.
///
/// Whatever was found out once is remembered, "incomplete" as well.
final class Proof implements ClosureWalk.Border, AutoCloseable {
    private static final int COMPLETE = 1 << 1;
    private static final int MISSING = 1 << 2;
    private static final int IN_AREA = 1 << 3;

    /// Objects of which visibility is asked at once; about ten megabytes of heap.
    private static final int ASKED_AT_ONCE = 1 << 17;

    private final Places places;
    private final WorkSpace space;
    private final IdMemory memory;
    private final IdMarks marks;
    private final IdSequence elsewhere;
    private final ClosureWalk walk;
    private boolean hasMissing;

    private Proof(Places places, WorkSpace space, IdMemory memory) throws IOException {
        this.places = places;
        this.space = space;
        this.memory = memory;
        this.marks = memory.newMarks();
        this.elsewhere = memory.newSequence();
        this.walk = new ClosureWalk(memory, marks, this);
    }

    static Proof begin(Places places, Repositories repositories) throws IOException {
        var space = repositories.newWorkSpace();
        var memory = new IdMemory(space.directory());
        try {
            return new Proof(places, space, memory);
        } catch (IOException e) {
            memory.close();
            space.close();
            throw e;
        }
    }

    /// Finds out about some objects.
    void examine(Collection<ObjectId> tips) throws IOException {
        elsewhere.clear();
        var walked = walk.walk(tips);
        for (long from = 0; from < elsewhere.size(); from += ASKED_AT_ONCE) {
            askOthers(from, Math.min(elsewhere.size(), from + ASKED_AT_ONCE), tips);
        }
        for (long i = 0; i < walked.size(); i++) {
            var id = walked.id(i);
            settle(id, !hasMissing || isWhole(id, walked.number(i)));
        }
    }

    /// Whether an object is there with everything it reaches, as far as it was examined.
    boolean isComplete(ObjectId id) {
        return marks.has(id, COMPLETE);
    }

    @Override
    public Optional<Place> enter(ObjectId id) throws IOException {
        for (var related : places.related()) {
            if (related.place().hasPacked(id)) {
                settle(id, true);
                return Optional.empty();
            }
        }
        for (var area : places.areas()) {
            if (area.isKnownWhole(id)) {
                settle(id, true);
                return Optional.empty();
            }
            if (area.hasPacked(id) || area.has(id)) {
                marks.add(id, IN_AREA);
                return Optional.of(area);
            }
        }
        for (var related : places.related()) {
            if (related.place().has(id)) {
                settle(id, true);
                return Optional.empty();
            }
        }
        elsewhere.add(id, 0);
        return Optional.empty();
    }

    @Override
    public void lack(ObjectId id) throws IOException {
        settle(id, false);
    }

    private void settle(ObjectId id, boolean complete) throws IOException {
        marks.add(id, complete ? COMPLETE : MISSING);
        hasMissing |= !complete;
    }

    private void askOthers(long from, long to, Collection<ObjectId> tips) throws IOException {
        var open = new TreeSet<ObjectId>();
        for (long i = from; i < to; i++) {
            open.add(elsewhere.id(i));
        }
        var newcomers = new Newcomers(places.areas(), tips, id -> marks.has(id, IN_AREA));
        for (var other : places.unrelated()) {
            if (open.isEmpty()) {
                return;
            }
            for (var id : other.visible(open, newcomers)) {
                settle(id, true);
                open.remove(id);
            }
        }
        for (var id : open) {
            settle(id, false);
        }
    }

    /// Whether everything that an object of an area names is complete. All of that was settled before.
    private boolean isWhole(ObjectId id, int type) throws IOException {
        for (var area : places.areas()) {
            if (area.hasPacked(id) || area.has(id)) {
                return isWhole(id, type, area);
            }
        }
        return false;
    }

    private boolean isWhole(ObjectId id, int type, Place area) throws IOException {
        if (marks.has(id, MISSING)) {
            return false;
        }
        var links = new Object() {
            boolean areComplete = true;
        };
        try {
            area.links(id, type).forEach((link, _) -> links.areComplete &= isComplete(link));
        } catch (MissingObjectException | IncorrectObjectTypeException _) {
            return false; // gone since
        } catch (CorruptObjectException e) {
            area.excuse(id, e);
            return false;
        }
        return links.areComplete;
    }

    @Override
    public void close() {
        memory.close();
        space.close();
    }
}
