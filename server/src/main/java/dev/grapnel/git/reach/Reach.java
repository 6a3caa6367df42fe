package dev.grapnel.git.reach;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.FileMode;
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
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

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
        try (var walk = historyWalk()) {
            var sought = presentCommits(walk, candidates);
            if (tips.containsAll(sought)) {
                return sought; // most pushes rest on a tip, and reading all tips costs more than the rest of them
            }
            return find(sought, sought.size(), 0, walk);
        }
    }

    /// The same, for ids that a stranger chose, each once: one that is hidden costs as much as one that is
    /// nowhere, namely the whole history.
    public Set<ObjectId> reachableAmong(Collection<ObjectId> named) throws IOException {
        try (var walk = historyWalk()) {
            return find(presentCommits(walk, named), named.size(), 0, walk);
        }
    }

    /// Those of some ids that are commits which the tips reach, as far as that is found quickly: history is
    /// looked at until it is older than all of them by more than clocks differ. Clients name many commits that
    /// were never here, so neither these nor hidden ones may lead through the whole history.
    public Set<ObjectId> recognise(Collection<ObjectId> named) throws IOException {
        try (var walk = historyWalk()) {
            var sought = presentCommits(walk, named);
            long oldest = Long.MAX_VALUE;
            for (var id : sought) {
                oldest = Math.min(oldest, walk.parseCommit(id).getCommitTime());
            }
            return find(sought, sought.size(), oldest - CLOCKS_DIFFER.toSeconds(), walk);
        }
    }

    private RevWalk historyWalk() {
        var walk = new RevWalk(reader);
        walk.setRetainBody(false);
        return walk;
    }

    private Set<ObjectId> find(Set<ObjectId> sought, int enough, long notBefore, RevWalk walk) throws IOException {
        var found = new HashSet<ObjectId>();
        if (enough == 0) {
            return found;
        }
        for (var tip : tips) {
            markStart(walk, tip);
        }
        while (found.size() < enough) {
            var commit = walk.next();
            if (commit == null || commit.getCommitTime() < notBefore) {
                break;
            }
            if (sought.contains(commit)) {
                found.add(commit.copy());
            }
        }
        return found;
    }

    private Set<ObjectId> presentCommits(RevWalk walk, Collection<ObjectId> candidates) throws IOException {
        var present = new HashSet<ObjectId>();
        for (var id : candidates) {
            try {
                if (reader.has(id)) { // most that clients name is not, and being told so by an exception costs more
                    present.add(walk.parseCommit(id).copy());
                }
            } catch (MissingObjectException | IncorrectObjectTypeException _) {
                // gone since, or nothing that history consists of: then it is not among the answers
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

    /// The first of some objects, of whatever type, that is missing or that the tips do not reach. Which of
    /// both it is shows neither in the answer nor in what is done for it.
    public Optional<ObjectId> findUnreachable(Collection<ObjectId> wanted) throws IOException {
        var open = unreachable(wanted);
        return open.isEmpty()
                ? Optional.empty()
                : wanted.stream().filter(open::contains).findFirst();
    }

    /// All of some objects that are missing or that the tips do not reach.
    public Set<ObjectId> unreachable(Collection<ObjectId> wanted) throws IOException {
        // Sorted, not hashed: strangers could choose ids whose hashes collide.
        var open = new TreeSet<ObjectId>();
        for (var id : wanted) {
            if (!tips.contains(id)) {
                open.add(id);
            }
        }
        lookInNewestTrees(open);
        if (!open.isEmpty()) {
            searchAll(open);
        }
        return open;
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
                if (FileMode.GITLINK.equals(entries.getRawMode(0))) {
                    continue; // names something elsewhere; whether it is here, too, is a coincidence
                }
                var id = entries.getObjectId(0);
                open.remove(id);
                if (looked.add(id) && entries.isSubtree()) {
                    entries.enterSubtree();
                }
            }
        }
    }

    private void searchAll(Set<ObjectId> open) throws IOException {
        try (var walk = new ObjectWalk(reader)) {
            walk.setRetainBody(false);
            var bitmaps = reader.getBitmapIndex();
            if (bitmaps != null) {
                var reached = new BitmapWalker(walk, bitmaps, null).findObjects(tips, null, false);
                open.removeIf(reached::contains);
                return;
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
        }
    }
}
