package dev.grapnel.purgatory;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jgit.internal.storage.dfs.DfsRepositoryDescription;
import org.eclipse.jgit.internal.storage.dfs.InMemoryRepository;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TagBuilder;
import org.eclipse.jgit.lib.TreeFormatter;

/// A small history that everybody's working copy has, and what of it reaches what.
final class TheoremObjects implements AutoCloseable {
    private static final int COMMITS = 8;

    private final InMemoryRepository working = new InMemoryRepository(new DfsRepositoryDescription("working"));
    private final Map<Oid, Set<Oid>> closures = new TreeMap<>();
    private final List<Oid> commits = new ArrayList<>();
    private final Oid tag;
    private final Oid blob;

    TheoremObjects() throws IOException {
        try (var inserter = working.newObjectInserter()) {
            var shared = insertBlob(inserter, "the same everywhere");
            for (int i = 0; i < COMMITS; i++) {
                commits.add(insertCommit(inserter, shared, i));
            }
            this.blob = insertBlob(inserter, "content 3");
            this.tag = insertTag(inserter, commits.get(2));
            inserter.flush();
        }
    }

    private Oid insertBlob(ObjectInserter inserter, String text) throws IOException {
        return note(inserter.insert(Constants.OBJ_BLOB, text.getBytes(StandardCharsets.UTF_8)), Set.of());
    }

    /// Two lines that begin with the same commit.
    private Oid insertCommit(ObjectInserter inserter, Oid shared, int number) throws IOException {
        var own = insertBlob(inserter, "content " + number);
        var tree = new TreeFormatter();
        tree.append("own", FileMode.REGULAR_FILE, GitIds.of(own));
        tree.append("shared", FileMode.REGULAR_FILE, GitIds.of(shared));
        var treeId = note(inserter.insert(tree), Set.of(own, shared));
        var commit = new CommitBuilder();
        commit.setTreeId(GitIds.of(treeId));
        var reached = new TreeSet<>(Set.of(treeId));
        if (number > 0) {
            var parent = commits.get(Math.max(0, number - 2));
            commit.setParentId(GitIds.of(parent));
            reached.add(parent);
        }
        commit.setAuthor(person());
        commit.setCommitter(person());
        commit.setMessage("commit " + number);
        return note(inserter.insert(commit), reached);
    }

    private Oid insertTag(ObjectInserter inserter, Oid commit) throws IOException {
        var builder = new TagBuilder();
        builder.setTag("v1");
        builder.setObjectId(GitIds.of(commit), Constants.OBJ_COMMIT);
        builder.setTagger(person());
        builder.setMessage("version");
        return note(inserter.insert(builder), Set.of(commit));
    }

    private static PersonIdent person() {
        return new PersonIdent("a", "a@example.com", Instant.EPOCH, ZoneOffset.UTC);
    }

    private Oid note(ObjectId id, Set<Oid> reached) {
        var oid = GitIds.of(id);
        var closure = new TreeSet<>(Set.of(oid));
        reached.forEach(other -> closure.addAll(closure(other)));
        closures.put(oid, closure);
        return oid;
    }

    List<Oid> commits() {
        return List.copyOf(commits);
    }

    /// An annotated tag.
    Oid tag() {
        return tag;
    }

    /// Something that is no commit.
    Oid blob() {
        return blob;
    }

    Set<Oid> all() {
        return closures.keySet();
    }

    /// An object and everything it reaches; of one that is nowhere, itself.
    Set<Oid> closure(Oid id) {
        return closures.getOrDefault(id, Set.of(id));
    }

    boolean isCommit(Oid id) {
        return commits.contains(id);
    }

    boolean exists(Oid id) {
        return closures.containsKey(id);
    }

    /// What a client sends.
    byte[] pack(Collection<Oid> tips, Set<ObjectId> haves) throws IOException {
        var wanted = new TreeSet<ObjectId>();
        tips.stream().filter(this::exists).forEach(tip -> wanted.add(GitIds.of(tip)));
        var bytes = new ByteArrayOutputStream();
        try (var writer = new PackWriter(working)) {
            writer.setThin(!haves.isEmpty());
            writer.preparePack(NullProgressMonitor.INSTANCE, wanted, haves);
            writer.writePack(NullProgressMonitor.INSTANCE, NullProgressMonitor.INSTANCE, bytes);
        }
        return bytes.toByteArray();
    }

    /// How a story calls it.
    String name(Oid id) {
        int number = commits.indexOf(id);
        if (number >= 0) {
            return "c" + number;
        }
        if (id.equals(tag)) {
            return "tag";
        }
        return id.equals(blob) ? "blob" : id.toString().substring(0, 8);
    }

    @Override
    public void close() {
        working.close();
    }
}
