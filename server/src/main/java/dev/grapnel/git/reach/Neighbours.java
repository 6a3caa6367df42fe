package dev.grapnel.git.reach;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// Finds quickly what new commits share with the visible ones they rest on: files and directories that
/// stand beside those that changed. Nearly all of what a push borrows is of that kind, so that the whole
/// history need not be searched for it.
///
/// The cost is that of the directories that changed.
public final class Neighbours {
    private static final int COMMITS_MAX = 1000;

    private final ObjectReader reader;
    private final Predicate<ObjectId> isNew;
    private final Set<ObjectId> open;
    private final Set<ObjectId> comparedOld = new HashSet<>();

    /// @param reader sees the new objects, too
    /// @param open what is looked for; whatever is found is taken out of it
    public Neighbours(ObjectReader reader, Predicate<ObjectId> isNew, Set<ObjectId> open) {
        this.reader = reader;
        this.isNew = isNew;
        this.open = open;
    }

    /// Looks beside everything new that these tips lead to.
    ///
    /// @param reach what is visible
    public void strikeOut(Collection<ObjectId> newTips, Reach reach) throws IOException {
        try (var walk = new RevWalk(reader)) {
            var fresh = freshCommits(walk, newTips);
            var edge = new HashSet<ObjectId>();
            for (var commit : fresh.values()) {
                for (var parent : commit.getParents()) {
                    if (!isNew.test(parent)) {
                        edge.add(parent.copy());
                    }
                }
            }
            var visible = reach.reachableCommits(edge);
            open.removeAll(visible);
            for (var commit : fresh.values()) {
                compareWithBases(walk, commit, fresh, visible);
            }
        }
    }

    /// New commits, those nearer to the tips first.
    private Map<ObjectId, RevCommit> freshCommits(RevWalk walk, Collection<ObjectId> newTips) throws IOException {
        var fresh = new LinkedHashMap<ObjectId, RevCommit>();
        var waiting = new ArrayDeque<ObjectId>();
        newTips.stream().filter(isNew).forEach(waiting::add);
        while (!waiting.isEmpty() && fresh.size() < COMMITS_MAX) {
            var id = waiting.remove();
            if (!fresh.containsKey(id)
                    && walk.peel(walk.parseAny(id)) instanceof RevCommit commit
                    && isNew.test(commit)) {
                fresh.put(commit.copy(), commit);
                for (var parent : commit.getParents()) {
                    if (isNew.test(parent)) {
                        waiting.add(parent.copy());
                    }
                }
            }
        }
        return fresh;
    }

    /// A commit whose parents are new, too, is compared with what those rest on.
    private void compareWithBases(RevWalk walk, RevCommit commit, Map<ObjectId, RevCommit> fresh, Set<ObjectId> visible)
            throws IOException {
        var seen = new HashSet<ObjectId>();
        var waiting = new ArrayDeque<RevCommit>();
        waiting.add(commit);
        while (!waiting.isEmpty() && seen.size() < COMMITS_MAX) {
            var current = waiting.remove();
            if (!seen.add(current.copy())) {
                continue;
            }
            for (var parent : current.getParents()) {
                if (visible.contains(parent)) {
                    walk.parseHeaders(parent);
                    compare(parent.getTree(), commit.getTree());
                    return; // one base is enough to begin with; what it does not explain is searched for
                }
                var next = fresh.get(parent);
                if (next != null) {
                    waiting.add(next);
                }
            }
        }
    }

    private void compare(ObjectId oldRoot, ObjectId newRoot) throws IOException {
        record Pair(ObjectId before, ObjectId after) {}
        var waiting = new ArrayDeque<Pair>();
        waiting.add(new Pair(oldRoot.copy(), newRoot.copy()));
        while (!waiting.isEmpty() && !open.isEmpty()) {
            var pair = waiting.remove();
            open.remove(pair.before());
            var before = subtrees(pair.before(), comparedOld.add(pair.before()));
            if (!isNew.test(pair.after())) {
                continue;
            }
            subtrees(pair.after(), false).forEach((name, id) -> {
                var old = before.get(name);
                if (old != null && !old.equals(id)) {
                    waiting.add(new Pair(old, id));
                }
            });
        }
    }

    /// Directories in a directory.
    ///
    /// @param strike whether everything in it is visible and was not looked at before
    private Map<String, ObjectId> subtrees(ObjectId tree, boolean strike) throws IOException {
        var directories = new HashMap<String, ObjectId>();
        var entries = new CanonicalTreeParser(null, reader, tree);
        for (; !entries.eof(); entries.next()) {
            var id = entries.getEntryObjectId();
            if (strike && !FileMode.GITLINK.equals(entries.getEntryRawMode())) { // it names something elsewhere
                open.remove(id);
            }
            if (FileMode.TREE.equals(entries.getEntryRawMode())) {
                directories.put(entries.getEntryPathString(), id);
            }
        }
        return directories;
    }
}
