package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/// Where a client's history is to end.
///
/// @param shallow commits whose parents the client shall do without from now on
/// @param unshallow commits whose parents it did without and gets now
/// @param ends every commit beyond which nothing is sent: those above, and those where the client's history
///     ended before, because it does not have what lies behind them
/// @param further commits to send though nothing named them: the parents of those that are no ends any more
record ShallowCut(Set<ObjectId> shallow, Set<ObjectId> unshallow, Set<ObjectId> ends, Set<ObjectId> further) {
    private static final int EVERYTHING = Integer.MAX_VALUE;

    /// Nothing new is cut off; a client whose history ended somewhere is still like that.
    static ShallowCut none(FetchRequest request) {
        return new ShallowCut(Set.of(), Set.of(), ids(request.depth().shallow()), Set.of());
    }

    /// @throws RequestRefused if there is nothing left to send
    static ShallowCut of(FetchRequest request, Offer offer, ObjectReader reader) throws IOException, RequestRefused {
        if (!request.depth().isCut()) {
            return none(request);
        }
        try (var walk = new RevWalk(reader)) {
            return new Finder(request, walk).find(offer.refs());
        }
    }

    private static Set<ObjectId> ids(Collection<Oid> ids) {
        var converted = new HashSet<ObjectId>();
        ids.forEach(id -> converted.add(GitIds.of(id)));
        return converted;
    }

    private static final class Finder {
        private final FetchRequest request;
        private final RevWalk walk;
        private final Set<ObjectId> ended;
        private final Set<ObjectId> included = new HashSet<>();
        private final Set<ObjectId> boundary = new LinkedHashSet<>();

        Finder(FetchRequest request, RevWalk walk) {
            this.request = request;
            this.walk = walk;
            this.ended = ids(request.depth().shallow());
            walk.setRetainBody(false);
        }

        ShallowCut find(Refs refs) throws IOException, RequestRefused {
            if (request.depth().commits() > 0) {
                cutByGenerations();
                return cut();
            }
            cutByHistory(refs);
            if (included.isEmpty() && !wanted().isEmpty()) {
                throw new RequestRefused("no commits selected for shallow requests");
            }
            return cut();
        }

        private ShallowCut cut() throws IOException {
            var shallow = new LinkedHashSet<>(boundary);
            shallow.removeAll(ended);
            var unshallow = new LinkedHashSet<ObjectId>();
            var further = new LinkedHashSet<ObjectId>();
            for (var id : ended) {
                if (included.contains(id) && !boundary.contains(id)) {
                    unshallow.add(id);
                    Stream.of(walk.parseCommit(id).getParents())
                            .map(RevCommit::copy)
                            .filter(included::contains)
                            .forEach(further::add);
                }
            }
            var ends = new HashSet<>(boundary);
            ends.addAll(ended);
            return new ShallowCut(shallow, unshallow, ends, further);
        }

        private List<RevCommit> wanted() throws IOException {
            var commits = new ArrayList<RevCommit>();
            for (var id : request.wants()) {
                if (walk.peel(walk.parseAny(GitIds.of(id))) instanceof RevCommit commit) {
                    commits.add(commit);
                }
            }
            return commits;
        }

        /// One generation after the other, so that a commit is met first where it is nearest.
        private void cutByGenerations() throws IOException {
            int generations = request.depth().commits();
            var current = wanted();
            if (request.has(Capability.DEEPEN_RELATIVE)) {
                current = reachedEnds(current);
                generations = generations == EVERYTHING ? generations : generations + 1;
            }
            for (int generation = 1; !current.isEmpty(); generation++) {
                var next = new ArrayList<RevCommit>();
                for (var commit : current) {
                    walk.parseHeaders(commit);
                    if (!included.add(commit.copy())) {
                        continue;
                    }
                    if (generation == generations) {
                        boundary.add(commit.copy());
                    } else {
                        next.addAll(List.of(commit.getParents()));
                    }
                }
                current = next;
            }
        }

        /// Where the client's history ended, as far as what it wants leads there.
        private List<RevCommit> reachedEnds(List<RevCommit> wanted) throws IOException {
            var ends = new ArrayList<RevCommit>();
            var seen = new HashSet<ObjectId>();
            var open = new ArrayList<>(wanted);
            while (!open.isEmpty()) {
                var commit = open.removeLast();
                if (!seen.add(commit.copy())) {
                    continue;
                }
                walk.parseHeaders(commit);
                if (ended.contains(commit)) {
                    ends.add(commit);
                } else {
                    open.addAll(List.of(commit.getParents()));
                }
            }
            return ends;
        }

        private void cutByHistory(Refs refs) throws IOException, RequestRefused {
            var unwanted = unwanted(refs);
            var open = new ArrayList<>(wanted());
            open.removeIf(commit -> isOutside(commit, unwanted));
            while (!open.isEmpty()) {
                var commit = open.removeLast();
                if (!included.add(commit.copy())) {
                    continue;
                }
                for (var parent : commit.getParents()) {
                    walk.parseHeaders(parent);
                    if (isOutside(parent, unwanted)) {
                        boundary.add(commit.copy());
                    } else {
                        open.add(parent);
                    }
                }
            }
        }

        private boolean isOutside(RevCommit commit, Set<ObjectId> unwanted) {
            return commit.getCommitTime() < request.depth().since() || unwanted.contains(commit);
        }

        /// Everything that the named refs reach.
        private Set<ObjectId> unwanted(Refs refs) throws IOException, RequestRefused {
            var reached = new HashSet<ObjectId>();
            var open = new ArrayList<RevCommit>();
            for (var name : request.depth().not()) {
                var target = findTarget(name, refs)
                        .orElseThrow(() -> new RequestRefused("git upload-pack: deepen-not is not a ref: " + name));
                try {
                    if (walk.peel(walk.parseAny(GitIds.of(target))) instanceof RevCommit commit) {
                        open.add(commit);
                    }
                } catch (MissingObjectException e) {
                    throw new IOException("a ref names what is not here", e);
                }
            }
            while (!open.isEmpty()) {
                var commit = open.removeLast();
                if (reached.add(commit.copy())) {
                    walk.parseHeaders(commit);
                    open.addAll(List.of(commit.getParents()));
                }
            }
            return reached;
        }

        /// Clients write the name in full or as people do.
        private static Optional<Oid> findTarget(String name, Refs refs) {
            if (name.equals("HEAD")) {
                return refs.find(refs.head()).map(RefValue::target);
            }
            return Stream.of("", "refs/", RefName.TAGS, RefName.BRANCHES)
                    .map(prefix -> RefName.parse(prefix + name))
                    .flatMap(parsed -> parsed.find().stream())
                    .flatMap(full -> refs.find(full).stream())
                    .map(RefValue::target)
                    .findFirst();
        }
    }
}
