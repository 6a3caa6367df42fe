package dev.grapnel.git.client;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Repositories here, one of them of Alice, and a repository elsewhere to fetch from.
public final class VisitSite implements AutoCloseable {
    public static final Identifier TOOL = new Identifier("tool");

    final Path directory;
    final Repositories repositories;
    final RepositoryLease alice;
    final GitProgram elsewhere;

    public VisitSite(Path directory) throws IOException {
        this.directory = directory;
        elsewhere = new GitProgram(Files.createDirectories(remote()));
        elsewhere.run("init", "--quiet", "--bare");
        repositories = Home.open(directory.resolve("git"));
        alice = repositories.create(Home.of(Home.ALICE, TOOL.text()));
    }

    /// Where the other repository lies.
    public Path remote() {
        return directory.resolve("elsewhere/repo.git");
    }

    public GitProgram elsewhere() {
        return elsewhere;
    }

    /// Lets a branch elsewhere name a commit.
    void point(String branch, Oid tip) {
        elsewhere.run("update-ref", "refs/heads/" + branch, tip.toString());
    }

    /// Brings something into Alice's repository, with a ref.
    void receive(Oid tip, Oid... except) throws IOException {
        Home.receive(repositories, alice, elsewhere, tip, except);
        Home.point(alice, "main", tip);
    }

    public RemoteVisit visit(Transport transport) {
        return visit(transport, VisitLimits.DEFAULTS);
    }

    RemoteVisit visit(Transport transport, VisitLimits limits, Oid... tips) {
        return visit(transport, limits, Set.of(), tips);
    }

    /// @param commits what must be that
    RemoteVisit visit(Transport transport, VisitLimits limits, Set<Oid> commits, Oid... tips) {
        var target = new RemoteVisit.Target(repositories.hunting(), TOOL, List.of(alice), Arrays.asList(tips), commits);
        return new RemoteVisit(transport, target, limits, new FreeSpace(() -> 1, 0), InstantSource.system());
    }

    /// Those of some objects that are in the area with everything they reach, Alice's repository helping.
    public List<Oid> whole(Oid... ids) throws IOException {
        return List.copyOf(types(ids).keySet());
    }

    Optional<ObjectType> type(Oid id) throws IOException {
        return Optional.ofNullable(types(id).get(id));
    }

    private Map<Oid, ObjectType> types(Oid... ids) throws IOException {
        List<LocalPool.Source> sources =
                List.of(new LocalPool.Source.Related(alice.address()), new LocalPool.Source.Hunted(TOOL));
        try (var pool = new LocalPool(repositories, _ -> new LinkedHashSet<>(), sources, Optional.empty())) {
            return pool.find(List.of(ids));
        }
    }

    /// Whether the area has an object at all.
    boolean hasHunted(Oid id) throws IOException {
        try (var area = repositories.hunting().open(TOOL).orElseThrow();
                var reader = area.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    /// Whether the area has an object and knows that nothing it reaches is missing.
    boolean isKnownWhole(Oid id) throws IOException {
        try (var area = repositories.hunting().open(TOOL).orElseThrow()) {
            return area.isKnownWhole(GitIds.of(id));
        }
    }

    /// Files that a fetch left, kept ones and others.
    List<String> left() throws IOException {
        return Listing.below(directory.resolve("git/.grapnel")).stream()
                .filter(file -> file.startsWith("quarantine") || file.contains("/pack/"))
                .toList();
    }

    @Override
    public void close() throws IOException {
        alice.close();
        repositories.close();
    }
}
