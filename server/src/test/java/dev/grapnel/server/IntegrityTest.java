package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.ReleaseAnswer;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Row 235: the comparison that begins by itself (P-733).
@NullUnmarked
@Timeout(120)
final class IntegrityTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final RefName MAIN = new RefName("refs/heads/main");
    private static final RefName EVIL = new RefName("refs/heads/evil");
    private static final RefName STRAY = new RefName("refs/nostr/" + "ab".repeat(32));

    @TempDir
    private Path directory;

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();

    private GraspUnderTest start(String... settings) {
        return GraspUnderTest.start(directory, clock, settings);
    }

    /// A repository with a file, and a state that says so.
    private static Oid publish(GraspUnderTest server, String identifier) throws Exception {
        var address = address(ANN, identifier);
        server.serve(server.announcement(ANN, identifier));
        var commit =
                Oid.parse(commit(server, address, new TreeFormatter()).name()).require();
        move(server, address, MAIN, commit);
        server.direct(
                server.stateAt(server.now(), ANN, identifier, List.of(MAIN.text(), commit.toString()), head("main")));
        server.awaitReconciled();
        assertEquals(commit, refs(server, address).target(MAIN));
        return commit;
    }

    private static List<String> head(String branch) {
        return List.of("HEAD", "ref: refs/heads/" + branch);
    }

    private static ObjectId commit(GraspUnderTest server, RepositoryAddress address, TreeFormatter tree)
            throws IOException {
        try (var lease = server.service().repositories().create(address);
                var inserter = lease.git().newObjectInserter()) {
            var id = insert(inserter, tree);
            inserter.flush();
            return id;
        }
    }

    private static ObjectId insert(ObjectInserter inserter, TreeFormatter tree) throws IOException {
        tree.append("file", FileMode.REGULAR_FILE, inserter.insert(Constants.OBJ_BLOB, new byte[] {1}));
        var commit = new CommitBuilder();
        commit.setTreeId(inserter.insert(tree));
        commit.setAuthor(new PersonIdent("a", "a@example.com"));
        commit.setCommitter(commit.getAuthor());
        return inserter.insert(commit);
    }

    private static void move(GraspUnderTest server, RepositoryAddress address, RefName name, Oid to)
            throws IOException {
        change(
                server,
                address,
                lease -> lease.refs()
                        .apply(
                                List.of(new RefChange(
                                        name, lease.refs().current().target(name), to)),
                                Optional.empty(),
                                lease.peeler()));
    }

    private interface Change {
        RefOutcome on(RepositoryLease lease) throws IOException;
    }

    private static void change(GraspUnderTest server, RepositoryAddress address, Change change) throws IOException {
        try (var lease = server.service().repositories().find(address).orElseThrow()) {
            assertTrue(change.on(lease) instanceof RefOutcome.Done);
        }
    }

    private static Refs refs(GraspUnderTest server, RepositoryAddress address) throws IOException {
        try (var lease = server.service().repositories().find(address).orElseThrow()) {
            return lease.refs().current();
        }
    }

    private static double findings(GraspUnderTest server, String kind) {
        return server.metric("purgatory_integrity_findings{kind=\"" + kind + "\"}");
    }

    private static String line(String identifier, String kind, String ref) {
        return "WARN integrity.finding owner=" + StoreSamples.author(ANN) + " identifier=" + identifier + " kind="
                + kind + " ref=" + ref;
    }

    @Test
    void aChangedBranchIsToldAndPutRightAfterAStart() throws Exception {
        Oid commit;
        try (var server = start()) {
            commit = publish(server, "x");
            move(server, address(ANN, "x"), EVIL, commit);
        }
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            assertEquals(0.0, findings(server, "refs"), "nobody has looked yet");
            server.service().compareIfDue();
            assertEquals(List.of(line("x", "refs", EVIL.text())), log.lines("integrity.finding", 1));
            assertEquals(1.0, findings(server, "refs"));
            assertEquals(Oid.ZERO, refs(server, address(ANN, "x")).target(EVIL));
            assertEquals(commit, refs(server, address(ANN, "x")).target(MAIN));
        }
    }

    @Test
    void aChangedHeadIsToldAndPutRight() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            publish(server, "x");
            change(
                    server,
                    address(ANN, "x"),
                    lease -> lease.refs().apply(List.of(), Optional.of(EVIL), lease.peeler()));
            server.service().compareIfDue();
            assertEquals(List.of(line("x", "head", "HEAD")), log.lines("integrity.finding", 1));
            assertEquals(1.0, findings(server, "head"));
            assertEquals(0.0, findings(server, "refs"));
            assertEquals(MAIN, refs(server, address(ANN, "x")).head());
        }
    }

    @Test
    void aRefThatNoProposalExplainsIsHiddenAndToldAndNeverDeleted() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            var commit = publish(server, "x");
            move(server, address(ANN, "x"), STRAY, commit);
            server.service().compareIfDue();
            assertEquals(List.of(line("x", "pr_ref", STRAY.text())), log.lines("integrity.finding", 1));
            assertEquals(1.0, findings(server, "pr_ref"));
            assertEquals(commit, refs(server, address(ANN, "x")).target(STRAY));
            assertFalse(server.advertisement(ANN, "x").contains(STRAY.text()));
        }
    }

    @Test
    void aMissingObjectIsToldOnceTheDaysHaveGoneBy() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            publish(server, "x");
            try (var lease = server.service()
                            .repositories()
                            .find(address(ANN, "x"))
                            .orElseThrow();
                    var inserter = lease.git().newObjectInserter()) {
                var blob = inserter.idFor(Constants.OBJ_BLOB, new byte[] {1});
                Files.delete(lease.directory()
                        .resolve("objects")
                        .resolve(blob.name().substring(0, 2))
                        .resolve(blob.name().substring(2)));
            }
            server.service().repositories().reopen(address(ANN, "x"));
            server.service().compareIfDue();
            assertEquals(0.0, findings(server, "objects"), "after a start only refs are compared");
            clock.advance(Duration.ofDays(7).minusSeconds(1));
            server.service().compareIfDue();
            assertEquals(0.0, findings(server, "objects"), "it is not time yet");
            clock.advance(Duration.ofSeconds(1));
            server.service().compareIfDue();
            assertEquals(List.of(line("x", "objects", MAIN.text())), log.lines("integrity.finding", 1));
            assertEquals(1.0, findings(server, "objects"));
        }
    }

    /// A server that is started every few days compares everything, too.
    @Test
    void daysOfAnEarlierProcessCount() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile")) {
            try (var server = start()) {
                publish(server, "x");
                server.service().compareIfDue();
            }
            clock.advance(Duration.ofDays(4));
            try (var server = start()) {
                server.service().compareIfDue();
                clock.advance(Duration.ofDays(3).minusSeconds(1));
                server.service().compareIfDue();
                assertEquals(2, log.lines("integrity pass done", 2).size());
                clock.advance(Duration.ofSeconds(1));
                server.service().compareIfDue();
            }
            try (var server = start()) {
                server.service().compareIfDue();
                server.service().compareIfDue();
            }
            assertEquals(
                    List.of("false", "false", "true", "false"),
                    log.lines("integrity pass done", 4).stream()
                            .map(line -> line.replaceAll(".* objects=([a-z]+) .*", "$1"))
                            .toList());
        }
    }

    @Test
    void aMissingObjectThatARefNamesIsToldAfterAStart() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start("INTEGRITY_INTERVAL_DAYS", "2")) {
            var commit = publish(server, "x");
            var file = directoryOf(server, address(ANN, "x"))
                    .resolve("objects")
                    .resolve(commit.toString().substring(0, 2))
                    .resolve(commit.toString().substring(2));
            var content = Files.readAllBytes(file);
            Files.delete(file);
            server.service().compareIfDue();
            assertEquals(List.of(line("x", "objects", MAIN.text())), log.lines("integrity.finding", 1));
            assertEquals(1.0, findings(server, "objects"));
            clock.advance(Duration.ofDays(2));
            server.service().compareIfDue();
            assertEquals(2, log.lines("integrity.finding", 2).size(), "once each, though everything is walked");
            Files.write(file, content);
            clock.advance(Duration.ofDays(2));
            server.service().compareIfDue();
            assertEquals(0.0, findings(server, "objects"));
        }
    }

    private static Path directoryOf(GraspUnderTest server, RepositoryAddress address) throws IOException {
        return server.service().repositories().findPlace(address).orElseThrow().directory();
    }

    @Test
    void aRepositoryThatCannotBeReadIsToldAndTheOthersAreCompared() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            for (var identifier : List.of("x", "y")) {
                move(server, address(ANN, identifier), EVIL, publish(server, identifier));
            }
            var refs = directoryOf(server, address(ANN, "x")).resolve("packed-refs");
            Files.writeString(refs, "garbage\n");
            server.service().compareIfDue();
            assertEquals(
                    List.of(
                            line("x", "refs", "*") + " reason=" + refs
                                    + " cannot be read, line 1: not an object id of 40 lower-case hex digits",
                            line("y", "refs", EVIL.text())),
                    log.lines("integrity.finding", 2));
            assertEquals(2.0, findings(server, "refs"));
            assertTrue(refs(server, address(ANN, "y")).find(EVIL).isEmpty(), "put right");
            clock.advance(Duration.ofDays(7));
            server.service().compareIfDue();
            assertEquals(1.0, findings(server, "refs"), "with all objects, too");
        }
    }

    /// A state whose objects are looked for in everybody's repository of that name.
    @Test
    void aRepositoryThatCannotBeReadHidesNothingOfOthersOfItsName() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory.reconcile");
                var server = start()) {
            var commit = publish(server, "x");
            server.serve(server.announcement(BOB, "x"));
            var tree = new TreeFormatter();
            tree.append("another", FileMode.REGULAR_FILE, ObjectId.zeroId());
            var elsewhere = commit(server, address(BOB, "x"), tree).name();
            Files.writeString(directoryOf(server, address(BOB, "x")).resolve("packed-refs"), "garbage\n");
            server.direct(server.stateAt(server.now() + 1, ANN, "x", List.of(MAIN.text(), elsewhere)));
            server.awaitReconciled();
            move(server, address(ANN, "x"), EVIL, commit);
            server.service().compareIfDue();
            var told = log.lines("integrity.finding", 2);
            assertTrue(told.contains(line("x", "refs", EVIL.text())), told.toString());
            assertTrue(
                    told.stream()
                            .anyMatch(line -> line.contains(
                                    "owner=" + StoreSamples.author(BOB) + " identifier=x kind=refs ref=* reason=")),
                    told.toString());
            assertEquals(1, repair(), "what can be read is put right");
        }
    }

    /// How much differs still.
    private long repair() {
        var left = new AtomicLong(-1);
        try (var client = ControlClient.connect(directory.resolve("relay")).orElseThrow()) {
            client.ask(
                    new ControlRequest(CheckAnswer.NAME, Map.of("repair", new JsonValue.Truth(true))),
                    line -> line.findNumber("left").ifPresent(left::set));
        }
        return left.get();
    }

    @Test
    void findingsAreForgottenWhenTheNextComparisonHasNone() throws Exception {
        try (var server = start("INTEGRITY_INTERVAL_DAYS", "2")) {
            var commit = publish(server, "x");
            move(server, address(ANN, "x"), EVIL, commit);
            server.service().compareIfDue();
            assertEquals(1.0, findings(server, "refs"));
            clock.advance(Duration.ofDays(2));
            server.service().compareIfDue();
            assertEquals(0.0, findings(server, "refs"));
        }
    }

    @Test
    void comparisonsThatBeginByThemselvesAreLimitedToTheNamesTheOperatorGave() throws Exception {
        try (var server = start("STARTUP_INTEGRITY_IDENTIFIERS", "y,z")) {
            for (var identifier : List.of("x", "y")) {
                var commit = publish(server, identifier);
                move(server, address(ANN, identifier), EVIL, commit);
            }
            server.service().compareIfDue();
            assertEquals(1.0, findings(server, "refs"));
            assertFalse(refs(server, address(ANN, "x")).find(EVIL).isEmpty());
            assertTrue(refs(server, address(ANN, "y")).find(EVIL).isEmpty());
        }
    }

    /// P-541: "an operator command lists and forces it".
    @Test
    void theOperatorHasRepairsDoneThatAreNotDueYet() throws Exception {
        try (var server = start("INTEGRITY_INTERVAL_DAYS", "0")) {
            var commit = publish(server, "x");
            move(server, address(ANN, "x"), EVIL, commit);
            server.write(transaction -> {
                transaction.put(Repair.due(address(ANN, "x"), clock.instant())
                        .failed("no luck", clock.instant().plus(Duration.ofDays(1))));
                return true;
            });
            server.service().compareIfDue();
            assertFalse(refs(server, address(ANN, "x")).find(EVIL).isEmpty(), "it waits");
            try (var client = ControlClient.connect(directory.resolve("relay")).orElseThrow()) {
                client.ask(new ControlRequest(ReleaseAnswer.NAME, Map.of()), _ -> {});
            }
            assertTrue(refs(server, address(ANN, "x")).find(EVIL).isEmpty());
            assertEquals(0, server.rows(Table.REPAIRS));
        }
    }

    @Test
    void withoutDaysNothingBeginsByItself() throws Exception {
        try (var server = start("INTEGRITY_INTERVAL_DAYS", "0")) {
            var commit = publish(server, "x");
            move(server, address(ANN, "x"), EVIL, commit);
            clock.advance(Duration.ofDays(365));
            server.service().compareIfDue();
            assertEquals(0.0, findings(server, "refs"));
            assertFalse(refs(server, address(ANN, "x")).find(EVIL).isEmpty());
        }
    }
}
