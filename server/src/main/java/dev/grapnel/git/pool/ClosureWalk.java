package dev.grapnel.git.pool;

import dev.grapnel.git.pack.IdMarks;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.pack.IdSequence;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Optional;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/// Goes from some objects to everything they reach, as far as a border lets it. No object is met twice, not
/// even in another walk, and none is entered after one that it names.
///
/// What it remembers lies outside the heap, and it does not recurse: histories are long, trees deep, and
/// strangers make both.
final class ClosureWalk {
    /// The mark on each id that was met; the other marks are the border's.
    static final int MET = 1;

    /// Beside the type, on the stack: all that the object names is done.
    private static final int DONE = 16;

    private final IdMarks marks;
    private final IdSequence stack;
    private final IdSequence order;
    private final Border border;

    ClosureWalk(IdMemory memory, IdMarks marks, Border border) throws IOException {
        this.marks = marks;
        this.stack = memory.newSequence();
        this.order = memory.newSequence();
        this.border = border;
    }

    /// Where a walk ends.
    interface Border {
        /// Where an object is read from; empty if the walk shall not go there. Asked once for each.
        Optional<Place> enter(ObjectId id) throws IOException;

        /// An object that was to be entered is not there, cannot be read, or is not what those who name it take it
        /// for.
        void lack(ObjectId id) throws IOException;
    }

    /// Walks from some objects.
    ///
    /// @return objects that were entered, with their types, each after all that it names; it is valid until
    ///     the next walk
    IdSequence walk(Collection<ObjectId> tips) throws IOException {
        stack.clear();
        order.clear();
        for (var tip : tips) {
            stack.add(tip, Constants.OBJ_BAD);
        }
        while (stack.size() > 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while looking through objects");
            }
            step();
        }
        return order;
    }

    private void step() throws IOException {
        long top = stack.size() - 1;
        var id = stack.id(top);
        int type = stack.number(top);
        stack.removeLast();
        if (type >= DONE) {
            order.add(id, type - DONE);
        } else if (marks.add(id, MET)) {
            var place = border.enter(id);
            if (place.isPresent()) {
                enter(id, type, place.get());
            }
        }
    }

    private void enter(ObjectId id, int named, Place place) throws IOException {
        try {
            boolean perhapsBlob = named == Constants.OBJ_BAD || named == Constants.OBJ_BLOB;
            if (perhapsBlob && place.type(id, named) == Constants.OBJ_BLOB) {
                order.add(id, Constants.OBJ_BLOB);
                return;
            }
            var links = place.links(id, named);
            stack.add(id, DONE + links.type());
            links.forEach(this::push);
        } catch (MissingObjectException | IncorrectObjectTypeException _) {
            border.lack(id);
        } catch (CorruptObjectException e) {
            place.excuse(id, e);
            border.lack(id);
        }
    }

    private void push(ObjectId id, int type) throws IOException {
        if (!marks.has(id, MET)) {
            stack.add(id, type);
        }
    }
}
