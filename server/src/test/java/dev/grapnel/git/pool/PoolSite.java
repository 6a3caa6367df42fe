package dev.grapnel.git.pool;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.jgit.lib.ObjectId;

/// Repositories of some owners, staging areas, and a place elsewhere where history is made.
final class PoolSite implements AutoCloseable {
    static final RepositoryAddress ALICE = Home.of(Home.ALICE, "tool");
    static final RepositoryAddress BOB = Home.of(Home.BOB, "tool");
    static final RepositoryAddress CAROL = Home.of(
            PublicKey.parse("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
                    .require(),
            "tool");

    final Repositories repositories;
    final GitProgram elsewhere;
    final RepositoryLease alice;
    final RepositoryLease bob;
    final RepositoryLease carol;

    private PoolSite(Path directory, Disk disk) throws IOException {
        var workshop = directory.resolve("elsewhere");
        boolean isNew = !Files.exists(workshop);
        elsewhere = new GitProgram(Files.createDirectories(workshop));
        if (isNew) {
            elsewhere.run("init", "--bare", "--quiet", ".");
        }
        repositories = Home.open(directory.resolve("git"), disk);
        alice = repositories.create(ALICE);
        bob = repositories.create(BOB);
        carol = repositories.create(CAROL);
    }

    static PoolSite at(Path directory) throws IOException {
        return new PoolSite(directory, Disk.REAL);
    }

    static PoolSite at(Path directory, Disk disk) throws IOException {
        return new PoolSite(directory, disk);
    }

    /// Brings history into a repository as a push would.
    void receive(RepositoryLease into, Oid tip, Oid... except) throws IOException {
        Home.receive(repositories, into, elsewhere, tip, except);
    }

    /// Brings history into an area.
    ///
    /// @return its name
    String stage(Oid tip, Oid... except) throws IOException {
        var name = repositories.staging().newName();
        try (var quarantine = repositories.quarantine(alice, List.of())) {
            Home.pack(elsewhere, quarantine.packDirectory(), tip, except);
            repositories.staging().keep(quarantine, name);
        }
        return name;
    }

    /// Brings exactly these objects into an area.
    String stageExactly(Oid... ids) throws IOException {
        var name = repositories.staging().newName();
        try (var quarantine = repositories.quarantine(alice, List.of())) {
            elsewhere.feed(
                    Arrays.stream(ids).map(id -> id + "\n").collect(Collectors.joining()),
                    "pack-objects",
                    "--quiet",
                    quarantine.packDirectory().resolve("pack").toString());
            repositories.staging().keep(quarantine, name);
        }
        return name;
    }

    LocalPool pool(Source... sources) {
        return new LocalPool(repositories, PoolSite::tips, List.of(sources), Optional.empty());
    }

    LocalPool pool(Quarantine received, Source... sources) {
        return new LocalPool(repositories, PoolSite::tips, List.of(sources), Optional.of(received));
    }

    static SequencedSet<ObjectId> tips(RepositoryLease lease) throws IOException {
        var tips = new LinkedHashSet<ObjectId>();
        for (var value : lease.refs().current().values().values()) {
            tips.add(GitIds.of(value.target()));
        }
        return tips;
    }

    /// An object that a revision names, such as `<commit>^{tree}`.
    Oid parse(String revision) {
        return GitProgram.oid(elsewhere.run("rev-parse", revision));
    }

    /// Everything that some objects reach, as the real git sees it.
    SortedSet<String> closure(Oid... tips) {
        var arguments = new LinkedHashSet<>(List.of("rev-list", "--objects", "--no-object-names"));
        Arrays.stream(tips).forEach(tip -> arguments.add(tip.toString()));
        return new TreeSet<>(
                elsewhere.run(arguments.toArray(String[]::new)).lines().toList());
    }

    /// Every object in a repository, as the real git sees it.
    static SortedSet<String> objects(RepositoryLease lease) {
        return new TreeSet<>(new GitProgram(lease.directory())
                .run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
                .lines()
                .toList());
    }

    /// Removes everything but one repository, and what the real git finds wrong with that.
    String faultsWhenAlone(RepositoryLease lease, Oid tip) throws IOException {
        for (var other : List.of(alice, bob, carol)) {
            if (!other.address().equals(lease.address())) {
                repositories.remove(other.address());
            }
        }
        for (var area : repositories.staging().list()) {
            repositories.staging().delete(area);
        }
        Home.point(lease, "main", tip);
        return Home.faults(lease);
    }

    @Override
    public void close() throws IOException {
        alice.close();
        bob.close();
        carol.close();
        repositories.close();
    }
}
