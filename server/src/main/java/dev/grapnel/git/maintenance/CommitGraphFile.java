package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jgit.internal.storage.commitgraph.CommitGraph;
import org.eclipse.jgit.internal.storage.commitgraph.CommitGraphWriter;
import org.eclipse.jgit.internal.storage.commitgraph.GraphCommits;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/// The file `objects/info/commit-graph`: parents and dates of all commits, so that walking history opens no
/// objects.
///
/// It must not name commits that are gone: git believes it. So it is written anew before any object goes.
final class CommitGraphFile {
    private static final int NEW_COMMITS_MIN = 500;
    private static final int NEW_SHARE = 10;

    private final Disk disk;
    private final Pace pace;

    CommitGraphFile(Disk disk, Pace pace) {
        this.disk = disk;
        this.pace = pace;
    }

    /// Writes the file if enough commits are missing in it.
    ///
    /// @return whether it did
    boolean refresh(FileRepository repository) throws IOException {
        var graph = repository.getObjectDatabase().getCommitGraph();
        long known = graph.map(CommitGraph::getCommitCnt).orElse(0L);
        long limit = Math.max(NEW_COMMITS_MIN, known / NEW_SHARE);
        boolean isDue = countMissing(repository, graph.orElse(CommitGraph.EMPTY), limit) >= limit;
        if (isDue) {
            write(repository);
        }
        return isDue;
    }

    /// Commits that refs reach and the graph does not know, counted up to a limit.
    private long countMissing(FileRepository repository, CommitGraph graph, long limit) throws IOException {
        var seen = new HashSet<ObjectId>();
        try (var walk = new RevWalk(repository)) {
            walk.setRetainBody(false);
            var open = new ArrayDeque<RevCommit>();
            for (var tip : commitsAtRefs(repository, walk)) {
                open.add(walk.lookupCommit(tip));
            }
            while (!open.isEmpty() && seen.size() < limit) {
                var commit = open.remove();
                if (graph.findGraphPosition(commit) < 0 && seen.add(commit.copy())) {
                    pace.spend(0);
                    walk.parseHeaders(commit);
                    for (int i = 0; i < commit.getParentCount(); i++) {
                        open.add(commit.getParent(i));
                    }
                }
            }
        }
        return seen.size();
    }

    /// Replaces the file. A repository without commits has none.
    void write(FileRepository repository) throws IOException {
        var directory = repository.getObjectDatabase().getDirectory().toPath().resolve("info");
        var file = directory.resolve("commit-graph");
        if (!repository.getObjectDatabase().getShallowCommits().isEmpty()) {
            return; // parents are not what they seem there
        }
        try (var walk = new RevWalk(repository)) {
            var tips = commitsAtRefs(repository, walk);
            if (tips.isEmpty()) {
                disk.delete(file);
                return;
            }
            if (!Files.exists(directory)) {
                Files.createDirectory(directory); // and none above it: the repository may just have been removed
            }
            var draft = directory.resolve(PackDirectory.SCRATCH + "commit-graph");
            var monitor = new PaceMonitor(pace);
            var graph = new CommitGraphWriter(GraphCommits.fromWalk(monitor, tips, walk));
            Disk.replace(disk, file, draft, out -> graph.write(monitor, out));
        }
    }

    private static Set<ObjectId> commitsAtRefs(FileRepository repository, RevWalk walk) throws IOException {
        var commits = new HashSet<ObjectId>();
        for (var ref : repository.getRefDatabase().getRefs()) {
            var target = ref.getObjectId();
            if (target != null && walk.peel(walk.parseAny(target)) instanceof RevCommit commit) {
                commits.add(commit.copy());
            }
        }
        return commits;
    }
}
