package dev.grapnel.git.reach;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.BitmapWalker;
import org.eclipse.jgit.revwalk.ObjectWalk;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/// Answers what some tips reach. One answer looks at the history at most once.
///
/// Used by one thread.
public final class Reach {
    private static final int TREES_LOOKED_AT = 16;
    private static final int ENTRIES_LOOKED_AT = 100_000;

    private final ObjectReader reader;
    private final Collection<ObjectId> tips;

    /// @param tips what is visible by itself, the most likely ones first
    public Reach(ObjectReader reader, Collection<ObjectId> tips) {
        this.reader = reader;
        this.tips = new LinkedHashSet<>(tips);
    }

    /// Those of some ids that are commits which the tips reach. The newest part of the history is looked at
    /// first, and no more of it than needed.
    public Set<ObjectId> reachableCommits(Collection<ObjectId> candidates) throws IOException {
        var found = new HashSet<ObjectId>();
        try (var walk = new RevWalk(reader)) {
            walk.setRetainBody(false);
            var sought = presentCommits(walk, candidates);
            for (var tip : tips) {
                markStart(walk, tip);
            }
            while (found.size() < sought.size()) {
                var commit = walk.next();
                if (commit == null) {
                    break;
                }
                if (sought.contains(commit)) {
                    found.add(commit.copy());
                }
            }
        }
        return found;
    }

    private static Set<ObjectId> presentCommits(RevWalk walk, Collection<ObjectId> candidates) throws IOException {
        var present = new HashSet<ObjectId>();
        for (var id : candidates) {
            try {
                present.add(walk.parseCommit(id).copy());
            } catch (MissingObjectException | IncorrectObjectTypeException _) {
                // not here, or nothing that history consists of: then it is not among the answers
            }
        }
        return present;
    }

    /// Tags are followed; what they lead to may be no commit, and then no history hangs on it.
    private static void markStart(RevWalk walk, ObjectId tip) throws IOException {
        if (walk.peel(walk.parseAny(tip)) instanceof RevCommit commit) {
            walk.markStart(commit);
        }
    }

    /// Any one of some objects, of whatever type, that is missing or that the tips do not reach.
    public Optional<ObjectId> findUnreachable(Collection<ObjectId> wanted) throws IOException {
        // What is missing ends this before it gets into a set: strangers could choose ids whose hashes collide.
        var open = new HashSet<ObjectId>();
        for (var id : wanted) {
            if (!reader.has(id)) {
                return Optional.of(id);
            }
            if (!tips.contains(id)) {
                open.add(id);
            }
        }
        lookInNewestTrees(open);
        return open.isEmpty() ? Optional.empty() : searchAll(open);
    }

    /// Clients that fetch single files mostly want what the tips themselves hold.
    private void lookInNewestTrees(Set<ObjectId> open) throws IOException {
        var looked = new HashSet<ObjectId>();
        try (var walk = new RevWalk(reader)) {
            for (var tip : tips.stream().limit(TREES_LOOKED_AT).toList()) {
                if (open.isEmpty() || looked.size() > ENTRIES_LOOKED_AT) {
                    return;
                }
                var peeled = walk.peel(walk.parseAny(tip));
                open.remove(peeled);
                if (peeled instanceof RevCommit commit) {
                    lookIn(commit.getTree(), open, looked);
                } else if (peeled instanceof RevTree tree) {
                    lookIn(tree, open, looked);
                }
            }
        }
    }

    private void lookIn(RevTree tree, Set<ObjectId> open, Set<ObjectId> looked) throws IOException {
        open.remove(tree);
        if (open.isEmpty() || !looked.add(tree.copy())) {
            return;
        }
        try (var entries = new TreeWalk(reader)) {
            entries.addTree(tree);
            while (!open.isEmpty() && looked.size() <= ENTRIES_LOOKED_AT && entries.next()) {
                var id = entries.getObjectId(0);
                open.remove(id);
                if (looked.add(id) && entries.isSubtree()) {
                    entries.enterSubtree();
                }
            }
        }
    }

    private Optional<ObjectId> searchAll(Set<ObjectId> open) throws IOException {
        try (var walk = new ObjectWalk(reader)) {
            walk.setRetainBody(false);
            var bitmaps = reader.getBitmapIndex();
            if (bitmaps != null) {
                var reached = new BitmapWalker(walk, bitmaps, null).findObjects(tips, null, false);
                return open.stream().filter(id -> !reached.contains(id)).findFirst();
            }
            for (var tip : tips) {
                walk.markStart(walk.parseAny(tip));
            }
            for (var commit = walk.next(); commit != null && !open.isEmpty(); commit = walk.next()) {
                open.remove(commit);
            }
            for (var object = walk.nextObject(); object != null && !open.isEmpty(); object = walk.nextObject()) {
                open.remove(object);
            }
            return open.stream().findFirst();
        }
    }
}
