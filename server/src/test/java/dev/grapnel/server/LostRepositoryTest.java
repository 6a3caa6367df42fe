package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.ReleaseAnswer;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Directories and files of repositories that somebody took away: what others have comes back, and nobody takes what
/// is left for the whole (P-541, P-733).
@NullUnmarked
@Timeout(120)
final class LostRepositoryTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final RefName MAIN = new RefName("refs/heads/main");

    @TempDir
    private Path directory;

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();

    private GraspUnderTest start() {
        return GraspUnderTest.start(directory, clock);
    }

    /// One repository for each, which a state of the first governs.
    ///
    /// @return the commit
    private static String publish(GraspUnderTest server, int... owners) throws Exception {
        for (int owner : owners) {
            server.serve(server.announcement(owner, "x", GraspUnderTest.maintainers(owners)));
        }
        var commit = main(server, owners[0]);
        server.direct(server.stateAt(
                server.now(), owners[0], "x", List.of(MAIN.text(), commit), List.of("HEAD", "ref: refs/heads/main")));
        server.awaitReconciled();
        return commit;
    }

    private static String main(GraspUnderTest server, int owner) throws IOException {
        try (var lease =
                server.service().repositories().find(address(owner, "x")).orElseThrow()) {
            return lease.refs().current().target(MAIN).toString();
        }
    }

    private static void lose(GraspUnderTest server, int owner) throws IOException {
        assertTrue(server.service().repositories().remove(address(owner, "x")));
    }

    private static Path placeOf(GraspUnderTest server, int owner) throws IOException {
        RepositoryAddress address = address(owner, "x");
        return server.service().repositories().findPlace(address).orElseThrow().directory();
    }

    /// Takes away every object of a repository.
    private static void loseObjects(Path repository) throws IOException {
        try (var files = Files.walk(repository.resolve("objects"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    private List<String> ask(String command, String... flags) {
        var arguments = new HashMap<String, JsonValue>();
        for (var flag : flags) {
            arguments.put(flag, new JsonValue.Truth(true));
        }
        var lines = new ArrayList<String>();
        try (var client = ControlClient.connect(directory.resolve("relay")).orElseThrow()) {
            client.ask(new ControlRequest(command, arguments), line -> lines.add(line.json()));
        }
        return lines;
    }

    private void isWhole(GraspUnderTest server, int owner, String commit) throws Exception {
        assertEquals(commit, main(server, owner));
        assertTrue(server.advertisement(owner, "x").contains(commit + " refs/heads/main"));
        assertEquals(0, server.rows(Table.REPAIRS), () -> ask("repair list").toString());
        try (var lease = server.service()
                        .repositories()
                        .find(address(owner, "x"))
                        .orElseThrow();
                var reader = lease.newReader()) {
            assertTrue(reader.has(GitIds.of(lease.refs().current().target(MAIN))));
            assertFalse(lease.isPartial());
        }
    }

    @Test
    void whoeverReadsAVanishedRepositoryGetsWhatOthersHave() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            lose(server, BOB);
            var shown = server.advertisement(BOB, "x");
            assertTrue(shown.contains(commit + " refs/heads/main"), shown);
            isWhole(server, BOB, commit);
        }
    }

    /// Whoever looks after directories may be quicker than the reader; then a run is to come.
    @Test
    void whoeverReadsARepositoryThatWasMadeAnewWaitsForWhatOthersHave() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            lose(server, BOB);
            server.service().repositories().create(address(BOB, "x")).close();
            server.write(transaction -> {
                transaction.put(Repair.due(address(BOB, "x"), clock.instant()));
                return true;
            });
            assertTrue(server.advertisement(BOB, "x").contains(commit + " refs/heads/main"));
            isWhole(server, BOB, commit);
        }
    }

    @Test
    void aCheckThatRepairsBringsAVanishedRepositoryBack() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            lose(server, ANN);
            var told = ask(CheckAnswer.NAME, "repair");
            assertEquals("{\"repositories\":2,\"differences\":1,\"left\":0,\"queued\":0}", told.getLast());
            isWhole(server, ANN, commit);
        }
    }

    @Test
    void aStartBringsAVanishedRepositoryBack() throws Exception {
        String commit;
        try (var server = start()) {
            commit = publish(server, ANN, BOB);
            lose(server, ANN);
        }
        try (var server = start()) {
            server.sweep(); // directories are looked after by then
            ask(ReleaseAnswer.NAME);
            isWhole(server, ANN, commit);
        }
    }

    @Test
    void pullRequestsOfAVanishedRepositoryComeBackWithIt() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            Event proposal = StoreSamples.event(
                    3,
                    Kinds.PULL_REQUEST,
                    server.now(),
                    List.of(List.of("a", GraspUnderTest.coordinate(ANN, "x")), List.of("c", commit)),
                    "");
            server.direct(proposal);
            server.awaitReconciled();
            lose(server, ANN);
            assertTrue(server.advertisement(ANN, "x").contains("refs/nostr/" + proposal.id()));
        }
    }

    /// An empty clone would pass for the whole of it.
    @Test
    void whatNobodyHasIsNotServedAsAnEmptyRepository() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN);
            var backup = directory.resolve("backup");
            restore(placeOf(server, ANN), backup);
            lose(server, ANN);
            assertEquals(503, server.gitStatus(ANN, "x"));
            assertTrue(server.isOnDisk(ANN, "x"), "somebody may push to it");
            assertEquals(503, server.gitStatus(ANN, "x"));
            assertEquals(1, server.rows(Table.REPAIRS));
            restore(backup, placeOf(server, ANN));
            ask(ReleaseAnswer.NAME);
            isWhole(server, ANN, commit);
        }
    }

    @Test
    void aWithdrawnRepositoryThatVanishedIsNotServedEmptyEither() throws Exception {
        try (var server = start()) {
            publish(server, ANN);
            server.write(transaction -> {
                transaction.put(Standing.withdrawn(address(ANN, "x"), clock.instant()));
                return true;
            });
            lose(server, ANN);
            assertEquals(503, server.gitStatus(ANN, "x"));
        }
    }

    @Test
    void aCheckThatRepairsBringsLostObjectsFromOthersOfThatName() throws Exception {
        for (var flags : List.of(new String[] {"repair"}, new String[] {"repair", "objects"})) {
            try (var server = start()) {
                var commit = publish(server, ANN, BOB);
                assertEquals(200, server.gitStatus(BOB, "x"));
                loseObjects(placeOf(server, BOB));
                assertTrue(ask(CheckAnswer.NAME)
                        .getFirst()
                        .contains("; another repository of its name has it, from where"));
                var told = ask(CheckAnswer.NAME, flags);
                assertTrue(told.getLast().contains("\"left\":0"), told.toString());
                isWhole(server, BOB, commit);
                clock.advance(Duration.ofSeconds(10));
            }
        }
    }

    /// Packs that several have are the same file, and so are their names.
    @Test
    void aPackWhoseIndexIsStillThereComesBack() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            for (int owner : new int[] {BOB, ANN}) {
                loseObjects(placeOf(server, owner));
                assertTrue(ask(CheckAnswer.NAME, "repair").getLast().contains("\"left\":0"));
            }
            var packs = placeOf(server, ANN).resolve("objects/pack");
            try (var files = Files.newDirectoryStream(packs, "*.pack")) {
                for (var file : files) {
                    assertTrue(Files.exists(
                            placeOf(server, BOB).resolve("objects/pack").resolve(file.getFileName())));
                    Files.delete(file);
                }
            }
            assertTrue(ask(CheckAnswer.NAME, "repair").getLast().contains("\"left\":0"));
            isWhole(server, ANN, commit);
        }
    }

    @Test
    void aComparisonThatBeginsByItselfBringsLostObjects() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN, BOB);
            loseObjects(placeOf(server, ANN));
            server.service().compareIfDue();
            isWhole(server, ANN, commit);
        }
    }

    @Test
    void objectsThatNobodyHasStayInTheLedgerUntilTheyAreBack() throws Exception {
        try (var server = start()) {
            var commit = publish(server, ANN);
            var place = placeOf(server, ANN);
            var backup = directory.resolve("backup");
            restore(place, backup);
            loseObjects(place);
            var told = ask(CheckAnswer.NAME, "repair");
            assertTrue(told.getFirst().contains("; bring its file back from a backup"), told.toString());
            assertEquals(1, server.rows(Table.REPAIRS));
            assertTrue(Files.readString(place.resolve("config")).contains("lacking = true"));
            restore(backup, place);
            ask(ReleaseAnswer.NAME);
            isWhole(server, ANN, commit);
            assertFalse(Files.readString(place.resolve("config")).contains("lacking"));
        }
    }

    private static void restore(Path from, Path to) throws IOException {
        var objects = from.resolve("objects");
        try (var files = Files.walk(objects)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var target = to.resolve("objects").resolve(objects.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }
}
