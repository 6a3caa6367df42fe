package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.reach.Reach;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevFlag;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;

/// Finds out what both sides have.
///
/// @param common commits both have, in the client's order
/// @param ready whether they are enough: everything wanted rests on one of them
record Negotiation(SequencedSet<ObjectId> common, boolean ready) {

    /// Of what a client says it has only that counts which refs reach: whether anything else is here is
    /// nobody's business.
    ///
    /// @param ends where the client's history ends
    static Negotiation of(FetchRequest request, Set<ObjectId> ends, Offer offer, ObjectReader reader)
            throws IOException {
        var said = request.haves().stream().map(GitIds::of).toList();
        var common = new LinkedHashSet<ObjectId>();
        if (!said.isEmpty()) {
            var reached = new Reach(reader, offer.tips()).recognise(said);
            said.stream().filter(reached::contains).forEach(common::add);
        }
        var wants = request.wants().stream().map(GitIds::of).toList();
        return new Negotiation(common, !common.isEmpty() && restOn(common, wants, ends, reader));
    }

    /// Whether each wanted commit has one of the common ones among its ancestors, or comes to an end without.
    private static boolean restOn(
            Set<ObjectId> common, Collection<ObjectId> wants, Set<ObjectId> cut, ObjectReader reader)
            throws IOException {
        try (var walk = new RevWalk(reader)) {
            walk.setRetainBody(false);
            walk.assumeShallow(cut);
            var shared = walk.newFlag("shared");
            int oldest = Integer.MAX_VALUE;
            for (var id : common) {
                var commit = walk.parseCommit(id);
                commit.add(shared);
                oldest = Math.min(oldest, commit.getCommitTime());
            }
            for (var want : wants) {
                if (walk.peel(walk.parseAny(want)) instanceof RevCommit commit
                        && !restsOn(shared, commit, oldest, walk)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean restsOn(RevFlag shared, RevCommit want, int oldest, RevWalk walk) throws IOException {
        walk.resetRetain(shared);
        walk.sort(RevSort.COMMIT_TIME_DESC);
        walk.markStart(want);
        for (var commit = walk.next(); commit != null; commit = walk.next()) {
            if (commit.has(shared) || commit.getParentCount() == 0) {
                return true;
            }
            if (commit.getCommitTime() < oldest) {
                return false; // whatever comes now is older than anything both have
            }
        }
        return false;
    }
}
