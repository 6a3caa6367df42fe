package dev.grapnel.git.client;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/// Chooses commits that are here, so that a server sends only what is built upon them. All are said in one
/// request, because each request counts: what the server advertises, too, for it certainly has that, and a
/// sample of the rest, ever thinner towards the past.
final class Haves {
    /// Most that are said.
    static final int MAX = 256;

    private static final int TIPS_MAX = 10_000;
    private static final int WALKED_MAX = 20_000;
    private static final int THINNING = 8;

    private Haves() {}

    /// @param tips where to begin; those that are not in the reader are passed over
    /// @param isAdvertised whether the server has it for certain
    /// @param wants not said: whoever asks for something has not got it
    static List<Oid> choose(ObjectReader reader, Collection<Oid> tips, Predicate<Oid> isAdvertised, Set<Oid> wants)
            throws IOException {
        var chosen = new ArrayList<Oid>();
        try (var walk = new RevWalk(reader)) {
            walk.setRetainBody(false);
            for (var tip : tips.stream().limit(TIPS_MAX).toList()) {
                start(walk, tip);
            }
            int due = 0;
            for (int i = 0; i < WALKED_MAX && chosen.size() < MAX; i++) {
                var commit = walk.next();
                if (commit == null) {
                    break;
                }
                var id = GitIds.of(commit);
                if (i == due) {
                    due += Math.max(1, due / THINNING);
                } else if (!isAdvertised.test(id)) {
                    continue;
                }
                if (!wants.contains(id)) {
                    chosen.add(id);
                }
            }
        } catch (MissingObjectException _) {
            // a repository that was removed meanwhile, or lacks something: then more is sent
        }
        return chosen;
    }

    private static void start(RevWalk walk, Oid tip) throws IOException {
        try {
            if (walk.peel(walk.parseAny(GitIds.of(tip))) instanceof RevCommit commit) {
                walk.markStart(commit);
            }
        } catch (MissingObjectException | IncorrectObjectTypeException _) {
            // of no use
        }
    }
}
