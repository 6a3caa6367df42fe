package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.reach.Reach;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/// Where a client's history is to end.
///
/// @param ended commits where it ended before, as far as they are known here
/// @param shallow commits whose parents the client shall do without from now on
/// @param unshallow commits whose parents it did without and gets now
/// @param ends every commit beyond which nothing is sent: those above, and those where the client's history
///     ended before, because it does not have what lies behind them
/// @param further commits to send though nothing named them: the parents of those that are no ends any more
record ShallowCut(
        Set<ObjectId> ended,
        Set<ObjectId> shallow,
        Set<ObjectId> unshallow,
        Set<ObjectId> ends,
        Set<ObjectId> further) {
    /// What clients write who want all there is.
    private static final int EVERYTHING = Integer.MAX_VALUE;

    /// @throws RequestRefused if there is nothing left to send
    static ShallowCut of(FetchRequest request, Offer offer, ObjectReader reader) throws IOException, RequestRefused {
        try (var walk = new RevWalk(reader)) {
            walk.setRetainBody(false);
            var ended = commits(request.depth().shallow(), walk);
            // Nothing new may be cut off; a client whose history ended somewhere is still like that.
            return request.depth().isCut()
                    ? new Finder(request, offer, reader, walk, ended).find()
                    : new ShallowCut(ended, Set.of(), Set.of(), ended, Set.of());
        }
    }

    /// Where a client says its history ends is of interest only if something is known of it: then it is a commit,
    /// and none of many ids that were chosen because their hashes collide.
    private static Set<ObjectId> commits(Collection<Oid> ids, RevWalk walk) throws IOException {
        var commits = new LinkedHashSet<ObjectId>();
        for (var id : ids) {
            try {
                commits.add(walk.parseCommit(GitIds.of(id)).copy());
            } catch (MissingObjectException | IncorrectObjectTypeException _) {
                // not here, or nothing that history consists of: whatever it is, it ends nothing that is sent
            }
        }
        return commits;
    }

    private static final class Finder {
        private final FetchRequest request;
        private final Offer offer;
        private final ObjectReader reader;
        private final RevWalk walk;
        private final Set<ObjectId> ended;
        private final Set<ObjectId> included = new HashSet<>();
        private final Set<ObjectId> boundary = new LinkedHashSet<>();

        /// @param ended where the client's history ends now, as far as it is known here
        Finder(FetchRequest request, Offer offer, ObjectReader reader, RevWalk walk, Set<ObjectId> ended) {
            this.request = request;
            this.offer = offer;
            this.reader = reader;
            this.walk = walk;
            this.ended = ended;
        }

        ShallowCut find() throws IOException, RequestRefused {
            int commits = request.depth().commits();
            if (commits == EVERYTHING) {
                included.addAll(visibleEnds());
            } else if (commits > 0 && request.has(Capability.DEEPEN_RELATIVE)) {
                cutByGenerations(parse(visibleEnds()), commits + 1);
            } else if (commits > 0) {
                cutByGenerations(wanted(), commits);
            } else {
                cutByHistory();
                if (included.isEmpty() && !wanted().isEmpty()) {
                    throw new RequestRefused("no commits selected for shallow requests");
                }
            }
            return cut();
        }

        /// Where the client's history ends, whatever it wants now: all of its branches are deepened, as far as
        /// they are somebody's to see.
        private Set<ObjectId> visibleEnds() throws IOException {
            var named = request.depth().shallow().stream().map(GitIds::of).toList();
            return new Reach(reader, offer.tips()).reachableAmong(named);
        }

        private List<RevCommit> parse(Collection<ObjectId> ids) throws IOException {
            var commits = new ArrayList<RevCommit>();
            for (var id : ids) {
                commits.add(walk.parseCommit(id));
            }
            return commits;
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
                            .forEach(further::add);
                }
            }
            var ends = new HashSet<>(boundary);
            ends.addAll(ended);
            return new ShallowCut(ended, shallow, unshallow, ends, further);
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
        private void cutByGenerations(List<RevCommit> first, int generations) throws IOException {
            var current = first;
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

        private void cutByHistory() throws IOException, RequestRefused {
            var unwanted = unwanted();
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
            return commit.getCommitTime() < request.depth().since().orElse(Long.MIN_VALUE) || unwanted.contains(commit);
        }

        /// Everything that the named refs reach.
        private Set<ObjectId> unwanted() throws IOException, RequestRefused {
            var reached = new HashSet<ObjectId>();
            var open = new ArrayList<RevCommit>();
            for (var name : request.depth().not()) {
                var target = requireTarget(name);
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
        private Oid requireTarget(String name) throws RequestRefused {
            var refs = offer.refs();
            if (name.equals("HEAD")) {
                return refs.find(refs.head())
                        .map(RefValue::target)
                        .orElseThrow(() -> new RequestRefused("git upload-pack: deepen-not is not a ref: HEAD"));
            }
            var found = Stream.of("", "refs/", RefName.TAGS, RefName.BRANCHES)
                    .map(prefix -> RefName.parse(prefix + name))
                    .flatMap(parsed -> parsed.find().stream())
                    .flatMap(full -> refs.find(full).stream())
                    .map(RefValue::target)
                    .toList();
            return switch (found.size()) {
                case 0 -> throw new RequestRefused("git upload-pack: deepen-not is not a ref: " + name);
                case 1 -> found.getFirst();
                default -> throw new RequestRefused("git upload-pack: ambiguous deepen-not: " + name);
            };
        }
    }
}
