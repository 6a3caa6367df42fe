package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Addresses, and repositories with something in them.
public final class Home {
    public static final PublicKey ALICE = PublicKey.parse(
                    "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
            .require();
    public static final PublicKey BOB = PublicKey.parse(
                    "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
            .require();

    private Home() {}

    public static RepositoryAddress of(PublicKey owner, String identifier) {
        return new RepositoryAddress(owner, new Identifier(identifier));
    }

    public static Path directory(Path data, PublicKey owner) {
        return data.resolve(new Npub(owner).text());
    }

    public static Repositories open(Path data) throws IOException {
        return Repositories.open(data, RepositoriesConfig.defaults(), InstantSource.system());
    }

    public static Repositories open(Path data, Disk disk) throws IOException {
        return Repositories.open(data, RepositoriesConfig.defaults(), InstantSource.system(), disk, EntryNames::probe);
    }

    /// Brings objects from elsewhere in as a push would: in a pack, through quarantine.
    public static void receive(
            Repositories repositories, RepositoryLease into, GitProgram source, Oid tip, Oid... except)
            throws IOException {
        try (var quarantine = repositories.quarantine(into, List.of())) {
            pack(source, quarantine.packDirectory(), tip, except);
            quarantine.moveIn();
        }
    }

    public static void pack(GitProgram source, Path directory, Oid tip, Oid... except) {
        var revisions = new StringBuilder(tip + "\n");
        for (var id : except) {
            revisions.append("^").append(id).append("\n");
        }
        source.feed(
                revisions.toString(),
                "pack-objects",
                "--quiet",
                "--revs",
                directory.resolve("pack").toString());
    }

    public static void point(RepositoryLease lease, String branch, Oid to) throws IOException {
        var name = new RefName("refs/heads/" + branch);
        var change = new RefChange(name, lease.refs().current().target(name), to);
        if (!(lease.refs().apply(List.of(change), Optional.empty(), lease.peeler()) instanceof RefOutcome.Done)) {
            throw new AssertionError("not moved");
        }
    }

    public static boolean has(RepositoryLease lease, Oid id) throws IOException {
        try (var reader = lease.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    /// What the real git finds wrong.
    public static String faults(RepositoryLease lease) {
        return new GitProgram(lease.directory()).run("fsck", "--full", "--strict", "--no-dangling");
    }
}
