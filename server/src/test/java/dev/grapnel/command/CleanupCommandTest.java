package dev.grapnel.command;

import static dev.grapnel.server.GraspUnderTest.address;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.command.Terminal.Outcome;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.GraspUnderTest;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Announcements without repositories and repositories without announcements (service 10.4).
@NullUnmarked
@Timeout(120)
final class CleanupCommandTest {
    private static final int ANN = 1;
    private static final int BOB = 2;

    @TempDir
    private Path directory;

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();

    private GraspUnderTest start() {
        return GraspUnderTest.start(directory, clock);
    }

    private Outcome run(String... options) {
        return command(Stream.concat(Stream.of("cleanup-empty-repos"), Arrays.stream(options))
                .toArray(String[]::new));
    }

    private Outcome command(String... arguments) {
        return new Terminal(directory)
                .runWith(
                        Map.of(
                                "GRAPNEL_RELAY_DATA_PATH",
                                        directory.resolve("relay").toString(),
                                "GRAPNEL_GIT_DATA_PATH", git().toString()),
                        arguments);
    }

    private List<String> done(String... options) {
        var outcome = run(options);
        assertEquals(0, outcome.code(), outcome.out() + outcome.err());
        assertEquals("", outcome.err());
        return outcome.lines();
    }

    private Path git() {
        return directory.resolve("git");
    }

    private interface Work {
        void on(Repositories repositories) throws IOException;
    }

    private void change(Work work) throws IOException {
        try (var repositories = Repositories.open(git(), RepositoriesConfig.defaults(), InstantSource.system())) {
            work.on(repositories);
        }
    }

    private void empty(RepositoryAddress address) throws IOException {
        change(repositories -> {
            repositories.remove(address);
            repositories.create(address).close();
        });
    }

    private void lose(RepositoryAddress address) throws IOException {
        change(repositories -> repositories.remove(address));
    }

    private static String name(int owner, String identifier) {
        return new Npub(StoreSamples.author(owner)).text() + "/" + identifier;
    }

    private static Event serve(GraspUnderTest server, Event event) {
        server.write(transaction -> transaction.save(event));
        return event;
    }

    private static List<String> sorted(List<String> lines) {
        return List.copyOf(new TreeSet<>(lines));
    }

    @Test
    void announcementsWithoutRefsAreToldAndRemovedWithTheStatesOfTheirAuthor() throws Exception {
        Event gone;
        Event bare;
        Event full;
        Event state;
        Event others;
        try (var server = start()) {
            gone = server.serve(server.announcement(ANN, "gone", GraspUnderTest.maintainers(BOB)));
            bare = server.serve(server.announcement(ANN, "bare"));
            full = server.serve(server.announcement(ANN, "full"));
            state = serve(server, server.state(ANN, "gone"));
            others = serve(server, server.state(BOB, "gone"));
        }
        lose(address(ANN, "gone"));
        empty(address(ANN, "bare"));
        var told = List.of(
                name(ANN, "bare") + ": its repository has no refs; to be removed",
                name(ANN, "gone") + ": its repository is missing, though the state " + state.id()
                        + " names refs; to be removed",
                "looked at 3 announcements and 2 repositories: 2 to be removed (--execute does it), 0 left alone");
        assertEquals(told, done());
        assertEquals(told, done("--purge-orphans"), "the first time has changed nothing");
        assertEquals(
                List.of(
                        name(ANN, "bare") + ": its repository has no refs; removed with 1 event",
                        name(ANN, "gone") + ": its repository is missing, though the state " + state.id()
                                + " names refs; removed with 2 events",
                        "looked at 3 announcements and 2 repositories: 2 removed with 3 events, 0 left alone"),
                done("--execute"));
        assertEquals(
                List.of("looked at 1 announcement and 1 repository: 0 removed with 0 events, 0 left alone"),
                done("--execute"));
        try (var server = start()) {
            for (var event : List.of(gone, bare, state)) {
                assertFalse(server.isServed(event));
            }
            assertTrue(server.isServed(full));
            assertTrue(server.isServed(others));
            assertEquals(1, server.rows(Table.REPOSITORIES));
            assertEquals(1, server.onDisk());
        }
    }

    /// P-541: whose state governs others' repositories may go with an announcement.
    @Test
    void repositoriesOfOthersFollowTheStateThatGovernsThemNow() throws Exception {
        Optional<String> before;
        try (var server = start()) {
            server.serve(server.announcement(ANN, "x", GraspUnderTest.maintainers(BOB)));
            server.serve(server.announcement(BOB, "x", GraspUnderTest.maintainers(ANN)));
            before = main(server, ANN);
            server.fill(address(ANN, "x"), "dev");
            server.direct(server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", before.orElseThrow())));
            server.direct(server.stateAt(server.now() + 1, BOB, "x", List.of("refs/heads/dev", before.orElseThrow())));
            server.awaitReconciled();
            assertEquals(Optional.empty(), main(server, ANN), "BOB's state governs both");
            assertEquals(0, server.rows(Table.REPAIRS));
        }
        lose(address(BOB, "x"));
        assertEquals(2, done("--execute").size());
        try (var server = start()) {
            assertEquals(before, main(server, ANN), "ANN's own governs hers again");
            assertEquals(0, server.rows(Table.REPAIRS));
        }
    }

    /// P-733, with what a check found while no server ran.
    @Test
    void theNextStartBringsWhatACheckFoundMissing() throws Exception {
        Optional<String> commit;
        try (var server = start()) {
            server.serve(server.announcement(ANN, "x", GraspUnderTest.maintainers(BOB)));
            server.serve(server.announcement(BOB, "x", GraspUnderTest.maintainers(ANN)));
            commit = main(server, ANN);
            server.direct(server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", commit.orElseThrow())));
            server.awaitReconciled();
        }
        var objects = git().resolve(name(BOB, "x") + ".git/objects");
        try (var files = Files.walk(objects)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        var told = command("check", "--repair");
        assertEquals(1, told.code(), told.err());
        assertTrue(told.lines().getLast().contains("so 1 repository entered the repair ledger"), told.out());
        try (var server = start()) {
            assertEquals(commit, main(server, BOB));
            assertEquals(0, server.rows(Table.REPAIRS));
        }
        assertEquals(
                List.of("checked 2 repositories: no differences"),
                command("check", "--objects").lines());
    }

    /// What everybody sees of it.
    private static Optional<String> main(GraspUnderTest server, int owner) throws Exception {
        return Pattern.compile("([0-9a-f]{40}) refs/heads/main\n")
                .matcher(server.advertisement(owner, "x"))
                .results()
                .map(found -> found.group(1))
                .findFirst();
    }

    @Test
    void whatAnEmptyStateGovernsIsKept() throws Exception {
        Event announcement;
        try (var server = start()) {
            announcement = server.serve(server.announcement(ANN, "wanted"));
            serve(server, server.stateAt(server.now(), ANN, "wanted"));
            server.awaitReconciled();
        }
        for (Work work : List.<Work>of(_ -> {}, repositories -> repositories.remove(address(ANN, "wanted")))) {
            change(work);
            assertTrue(done("--execute").getLast().contains(": 0 removed with 0 events"));
        }
        try (var server = start()) {
            assertTrue(server.isServed(announcement));
        }
    }

    @Test
    void repositoriesThatNobodyAnnouncesGoIfTheyAreEmptyAndOthersOnlyWhenAskedFor() throws Exception {
        try (var server = start()) {
            server.fill(address(BOB, "full"), "main");
        }
        change(repositories -> repositories.create(address(BOB, "empty")).close());
        assertEquals(
                List.of(
                        name(BOB, "empty") + ": nobody announces it, and it has no refs; removed",
                        name(BOB, "full")
                                + ": nobody announces it, but it has 1 ref; kept, unless --purge-orphans is given",
                        "looked at 0 announcements and 2 repositories: 1 removed with 0 events, 1 left alone"),
                done("--execute"));
        assertEquals(
                List.of(
                        "{\"owner\":\"" + new Npub(StoreSamples.author(BOB)).text()
                                + "\",\"identifier\":\"full\",\"problem\":\"orphan\",\"refs\":1,\"removed\":true,"
                                + "\"events\":0}",
                        "{\"announcements\":0,\"repositories\":1,\"due\":1,\"kept\":0,\"events\":0,\"executed\":true}"),
                done("--execute", "--purge-orphans", "--json"));
        assertTrue(done().getLast().startsWith("looked at 0 announcements and 0 repositories: 0 to be removed,"));
    }

    /// Service 12.1, 51, and what may have no repository by design.
    @Test
    void whatMayLackItsOtherHalfIsNeverLookedAt() throws Exception {
        Event reference;
        Event withdrawn;
        Event held;
        try (var server = start();
                var client = server.connect()) {
            reference = serve(server, server.elsewhere(BOB, "ref"));
            withdrawn = server.serve(server.announcement(ANN, "old"));
            server.write(transaction -> {
                transaction.put(Standing.withdrawn(address(ANN, "old"), clock.instant()));
                return true;
            });
            held = server.announcement(ANN, "new");
            client.publishOk(held);
            assertTrue(server.isHeld(held));
            server.fill(address(BOB, "trash"), "main");
        }
        change(repositories -> repositories.trash(address(BOB, "trash")));
        empty(address(ANN, "old"));
        change(repositories -> repositories.create(address(BOB, "ref")).close());
        var scoped = git().resolve("prs")
                .resolve(new Npub(StoreSamples.author(BOB)).text())
                .resolve("x.git");
        Files.createDirectories(scoped);
        var before = files();
        assertEquals(
                List.of("looked at 0 announcements and 3 repositories: 0 removed with 0 events, 0 left alone"),
                done("--execute", "--purge-orphans"));
        assertEquals(before, files());
        try (var server = start()) {
            assertTrue(server.isServed(reference) && server.isServed(withdrawn) && server.isHeld(held));
        }
    }

    private List<String> files() throws IOException {
        try (var all = Files.walk(git())) {
            return sorted(all.filter(Files::isDirectory)
                    .map(file -> git().relativize(file).toString())
                    .toList());
        }
    }

    @Test
    void nothingIsLookedForWhileAServerUsesTheStore() throws Exception {
        try (var _ = start()) {
            var outcome = run("--execute");
            assertEquals(1, outcome.code());
            assertTrue(outcome.err().startsWith("grapnel: a server runs with the data in "), outcome.err());
            assertEquals("", outcome.out());
        }
    }

    @Test
    void aDirectoryThatIsNotTheServersIsNotTakenForLostRepositories() throws Exception {
        try (var server = start()) {
            server.serve(server.announcement(ANN, "x"));
        }
        Files.move(git(), directory.resolve("elsewhere"));
        Files.createDirectory(git());
        var outcome = run("--execute");
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().startsWith("grapnel: no server has kept repositories in "), outcome.err());
        try (var files = Files.list(git())) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void aRepositoryThatCannotBeReadIsToldAndLeftAlone() throws Exception {
        try (var server = start()) {
            server.serve(server.announcement(ANN, "x"));
        }
        var place = git().resolve(name(ANN, "x") + ".git");
        Files.writeString(place.resolve("packed-refs"), "nonsense\n");
        var outcome = run("--execute");
        assertEquals(1, outcome.code(), outcome.out());
        assertTrue(outcome.err().contains(name(ANN, "x") + ": it cannot be read, and is left alone"), outcome.err());
        assertTrue(Files.isDirectory(place));
    }
}
