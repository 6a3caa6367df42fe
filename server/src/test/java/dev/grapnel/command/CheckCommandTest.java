package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.client.KeyFile;
import dev.grapnel.command.Terminal.Outcome;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.server.RelayUnderTest;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The theorem, asked of a running server in whose directories somebody meddles (P-733).
@NullUnmarked
@Timeout(120)
final class CheckCommandTest {
    private static final String STRAY = "refs/nostr/" + "ab".repeat(32);

    @TempDir
    private Path temporary;

    private Terminal terminal;
    private RelayUnderTest server;
    private Path work;
    private Path hosted;
    private String name;

    @BeforeEach
    void publish() throws Exception {
        var data = temporary.resolve("server");
        server = RelayUnderTest.startGraspIn(data);
        terminal = new Terminal(data.resolve("relay"));
        work = Files.createDirectory(temporary.resolve("hello"));
        var key = temporary.resolve("me.nsec").toString();
        var npub = run(0, "keys", "new", key).out().strip();
        name = npub + "/hello";
        hosted = data.resolve("git").resolve(npub).resolve("hello.git");
        shell("git init -q -b main . && git commit -q --allow-empty -m one && git commit -q --allow-empty -m two");
        shell("git branch dev HEAD~1");
        run(0, "repo", "init", "--server", "ws://127.0.0.1:" + server.port(), "--key", key, "-C", work.toString());
        shell("git push -q grapnel 'refs/heads/*:refs/heads/*'");
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /// Another repository of the same owner.
    ///
    /// @return where its commits are made
    private Path begin(String identifier) throws Exception {
        var other = Files.createDirectory(temporary.resolve(identifier));
        shell("git clone -q . '" + other + "' && git -C '" + other + "' remote remove origin");
        run(
                0,
                "repo",
                "init",
                "--server",
                "ws://127.0.0.1:" + server.port(),
                "--key",
                temporary.resolve("me.nsec").toString(),
                "-C",
                other.toString());
        return other;
    }

    /// @return its directory on the server
    private Path publishAnother(String identifier) throws Exception {
        shell("git -C '" + begin(identifier) + "' push -q grapnel main");
        return hosted.resolveSibling(identifier + ".git");
    }

    private String nameOf(String identifier) {
        return name.replace("hello", identifier);
    }

    private Outcome run(int code, String... arguments) {
        var outcome = terminal.run(arguments);
        assertEquals(code, outcome.code(), outcome.out() + outcome.err());
        assertEquals("", outcome.err());
        return outcome;
    }

    private String shell(String line) throws Exception {
        var builder =
                new ProcessBuilder("sh", "-c", line).directory(work.toFile()).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "GIT_CONFIG_GLOBAL", "/dev/null",
                        "GIT_AUTHOR_NAME", "a",
                        "GIT_AUTHOR_EMAIL", "a@example.com",
                        "GIT_COMMITTER_NAME", "a",
                        "GIT_COMMITTER_EMAIL", "a@example.com"));
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), line + ": " + out);
        return out.strip();
    }

    private String meddle(String line) throws Exception {
        return shell("git -C '" + hosted + "' " + line);
    }

    private String listed() throws Exception {
        return shell("git ls-remote grapnel");
    }

    @Test
    void aRepositoryThatIsWhatItsEventsSayHasNoDifferences() {
        assertEquals(
                List.of("checked 1 repository: no differences"), run(0, "check").lines());
        assertEquals(
                List.of("checked 1 repository: no differences"),
                run(0, "integrity-check", "--identifier", "hello", "--objects").lines());
        assertEquals(
                List.of("checked 0 repositories: no differences"),
                run(0, "check", "--identifier", "other").lines());
    }

    @Test
    void refsThatNobodySignedAreToldAndPutRight() throws Exception {
        var signed = listed();
        meddle("update-ref refs/heads/evil main");
        meddle("update-ref -d refs/heads/dev");
        meddle("symbolic-ref HEAD refs/heads/evil");
        var told = run(1, "check").lines();
        assertTrue(told.getFirst().startsWith(name + ": 3 refs, refs/heads/dev among them, differ"), told.toString());
        assertEquals("checked 1 repository: 1 difference; --repair puts right what can be", told.getLast());
        assertEquals(
                List.of("checked 1 repository: 1 difference, all put right"),
                run(0, "check", "--repair").lines());
        assertEquals(signed, listed());
        assertEquals(
                List.of("0 repositories to repair"), run(0, "repair", "list").lines());
    }

    @Test
    void aProposalsRefThatNoEventExplainsIsToldHiddenAndNeverDeleted() throws Exception {
        var main = meddle("rev-parse main");
        meddle("update-ref " + STRAY + " main");
        for (var option : List.of("--repair", "--json")) {
            var told = run(1, "check", option).out();
            assertTrue(told.contains(STRAY) && told.contains(main), told);
        }
        assertEquals(main, meddle("rev-parse " + STRAY));
        assertTrue(!listed().contains("refs/nostr"), listed());
    }

    @Test
    void missingObjectsAreFoundWhenAskedFor() throws Exception {
        shell("rm -f '" + hosted + "'/objects/pack/*.pack");
        assertTrue(run(1, "check", "--objects").out().contains(name + ": "));
    }

    @Test
    void packsThatAreGoneAreFoundUnasked() throws Exception {
        shell("git ls-remote -q grapnel && git clone -q $(git remote get-url grapnel) ../copy");
        shell("rm -f '" + hosted + "'/objects/pack/*.pack");
        var main = shell("git rev-parse main");
        var told = run(1, "check").lines();
        assertTrue(
                told.contains(name + ": refs/heads/main names the object " + main + ", which cannot be read here;"
                        + " bring its file back from a backup"),
                told.toString());
        assertTrue(told.stream().anyMatch(line -> line.startsWith(name + ": refs/heads/dev names")), told.toString());
        assertEquals("checked 1 repository: 2 differences; --repair puts right what can be", told.getLast());
        server.close();
        assertEquals(told, runStopped(1, "check").lines());
    }

    @Test
    void packsOfZerosAreFoundUnasked() throws Exception {
        shell("for pack in '" + hosted + "'/objects/pack/*.pack; do size=$(stat -c %s \"$pack\"); chmod u+w \"$pack\";"
                + " truncate -s 0 \"$pack\"; truncate -s $size \"$pack\"; done");
        var told = run(1, "check").out();
        assertTrue(told.contains(name + ": refs/heads/main names the object "), told);
        assertTrue(told.endsWith("checked 1 repository: 2 differences; --repair puts right what can be\n"), told);
        var json = run(1, "check", "--json").out();
        assertTrue(json.contains("\"problem\":\"incomplete\""), json);
    }

    /// A tree that is missing behind a commit is for the full walk.
    @Test
    void onlyWhatRefsNameIsOpenedUnasked() throws Exception {
        var tree = shell("git rev-parse 'main^{tree}'");
        shell("cd '" + hosted + "'/objects && mkdir ../aside && mv pack/* ../aside && cat ../aside/*.pack |"
                + " git -C '" + hosted + "' unpack-objects -q && rm -f " + tree.substring(0, 2) + "/"
                + tree.substring(2));
        run(0, "check");
        run(1, "check", "--objects");
    }

    @Test
    void aRepositoryThatCannotBeReadIsToldAndTheOthersAreCompared() throws Exception {
        var after = publishAnother("zebra");
        publishAnother("apple");
        Files.writeString(hosted.resolve("packed-refs"), "garbage\n");
        shell("git -C '" + after + "' update-ref refs/heads/evil main");
        var told = run(1, "check").lines();
        assertEquals(unreadable(), told.getFirst());
        assertTrue(told.get(1).startsWith(nameOf("zebra") + ": refs/heads/evil differs"), told.toString());
        assertEquals("checked 3 repositories: 2 differences; --repair puts right what can be", told.getLast());
        assertEquals(
                List.of(unreadable(), "checked 3 repositories: 2 differences, 1 put right"),
                run(1, "check", "--repair").lines());
        assertTrue(run(1, "check", "--json").out().contains("\"problem\":\"unreadable\""));
        server.close();
        assertEquals(
                List.of(unreadable(), "checked 3 repositories: 1 difference; --repair puts right what can be"),
                runStopped(1, "check").lines());
        assertTrue(runStopped(1, "check", "--objects", "--repair").out().contains("checked 3 repositories: "));
    }

    @Test
    void aRepositoryWhoseObjectsCannotBeLookedAtIsToldAndTheOthersAreLookedAt() throws Exception {
        publishAnother("zebra");
        Files.writeString(hosted.resolve("config"), "[[[");
        var told = run(1, "check").lines();
        assertTrue(told.get(0).startsWith(name + ": its objects were not looked at, as "), told.toString());
        assertEquals("checked 2 repositories: 1 difference; --repair puts right what can be", told.getLast());
        told = run(1, "check", "--objects").lines();
        assertTrue(told.get(0).startsWith(name + ": it cannot be read to its end: "), told.toString());
        assertEquals("checked 2 repositories: 1 difference; --repair puts right what can be", told.getLast());
        server.close();
        told = runStopped(1, "check").lines();
        assertTrue(told.get(0).startsWith(name + ": it was not compared, as "), told.toString());
        assertEquals("checked 2 repositories: 1 difference; --repair puts right what can be", told.getLast());
    }

    private String unreadable() {
        return name + ": it was not compared, as " + hosted.resolve("packed-refs")
                + " cannot be read, line 1: not an object id of 40 lower-case hex digits; mend that or bring it back"
                + " from a backup, and check again";
    }

    @Test
    void aProposalsRefAtAnotherCommitIsToldAndPutRight() throws Exception {
        var main = meddle("rev-parse main");
        var proposal = StoreSamples.event(
                1,
                Kinds.PULL_REQUEST,
                Instant.now().getEpochSecond(),
                List.of(
                        List.of("a", "30617:" + owner().publicKey().toHex() + ":hello"),
                        List.of("c", main),
                        List.of("clone", "https://elsewhere.example/x.git")),
                "");
        try (var client = server.connect()) {
            client.publishOk(proposal);
        }
        var ref = "refs/nostr/" + proposal.id();
        assertEquals(main, meddle("rev-parse " + ref));
        assertTrue(listed().contains(ref), listed());
        meddle("update-ref " + ref + " dev");
        assertFalse(listed().contains(ref), "hidden before anybody looks for differences");
        assertTrue(run(1, "check").out().contains(ref + " is at " + meddle("rev-parse dev") + ", but its event"));
        run(0, "check", "--repair");
        assertEquals(main, meddle("rev-parse " + ref));
        assertTrue(listed().contains(main + "\t" + ref), listed());
    }

    private SecretKey owner() {
        return KeyFile.require(temporary.resolve("me.nsec").toString());
    }

    @Test
    void whatAnEmptyStateRemovedIsListedAndIsNoDifference() throws Exception {
        var main = meddle("rev-parse main");
        var empty = new EventDraft(Instant.now().getEpochSecond() + 5, Kinds.STATE, List.of(List.of("d", "hello")), "")
                .sign(owner(), new Random(1));
        try (var client = server.connect()) {
            client.publishOk(empty);
        }
        var told = run(0, "check").lines();
        assertTrue(
                told.getFirst().startsWith(name + ": the empty state " + empty.id() + " removed 2 refs"),
                told.toString());
        assertEquals("checked 1 repository: no differences", told.getLast());
        assertTrue(run(0, "check", "--json").out().contains("\"refs/heads/main\":\"" + main + "\""));
    }

    @Test
    void whatIsInTheTrashIsEjectedForGood() throws Exception {
        var owner = name.substring(0, name.indexOf('/'));
        var eject = new String[] {"eject", "--owner", owner, "--identifier", "hello"};
        var served = terminal.run(eject);
        assertEquals(1, served.code());
        assertTrue(served.err().startsWith("grapnel: no such repository is in the trash"), served.err());
        assertTrue(Files.isDirectory(hosted));
        var deletion = new EventDraft(
                        Instant.now().getEpochSecond() + 5,
                        Kinds.DELETION,
                        List.of(List.of("a", "30617:" + owner().publicKey().toHex() + ":hello")),
                        "")
                .sign(owner(), new Random(1));
        try (var client = server.connect()) {
            client.publishOk(deletion);
            await(() -> !Files.exists(hosted));
            assertTrue(hasPack());
            assertEquals(
                    List.of(name + ": deleted for good, with 1 event and 0 trash records"),
                    run(0, eject).lines());
            assertTrue(!hasPack());
            assertEquals(1, terminal.run(eject).code());
        }
    }

    private boolean hasPack() throws IOException {
        try (var files = Files.walk(temporary.resolve("server").resolve("git"))) {
            return files.anyMatch(file -> file.toString().endsWith(".pack"));
        }
    }

    private static void await(BooleanSupplier isDone) {
        while (!isDone.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void releaseLooksAtOnceAndSaysWhatItDid() {
        assertEquals(
                List.of("looked at 0 identifiers: 0 events released, 0 still held, 0 repositories to repair"),
                run(0, "purgatory", "release").lines());
        assertEquals(
                List.of("looked at 1 identifier: 0 events released, 0 still held, 0 repositories to repair"),
                run(0, "purgatory", "release", "hello").lines());
    }

    @Test
    void releaseOfOneNameCountsWhatIsHeldUnderIt() throws Exception {
        begin("waiting");
        assertEquals(
                List.of("looked at 1 identifier: 0 events released, 2 still held, 0 repositories to repair"),
                run(0, "purgatory", "release").lines());
        assertEquals(
                List.of("looked at 1 identifier: 0 events released, 2 still held, 0 repositories to repair"),
                run(0, "purgatory", "release", "waiting").lines());
        assertEquals(
                List.of("looked at 1 identifier: 0 events released, 0 still held, 0 repositories to repair"),
                run(0, "purgatory", "release", "hello").lines());
    }

    @Test
    void releaseOfANameThatNobodyKnowsSaysSo() throws Exception {
        begin("waiting");
        assertEquals(
                List.of("nothing called does-not-exist is known here: nobody announces it, and nothing waits or needs"
                        + " repair under that name"),
                run(0, "purgatory", "release", "does-not-exist").lines());
        assertEquals(
                List.of("{\"identifiers\":1,\"failed\":0,\"released\":0,\"held\":0,\"repairs\":0,"
                        + "\"unknown\":\"does-not-exist\"}"),
                run(0, "purgatory", "release", "--json", "does-not-exist").lines());
    }

    private Outcome runStopped(int code, String... arguments) {
        var data = temporary.resolve("server");
        var outcome = terminal.runWith(
                Map.of(
                        "GRAPNEL_RELAY_DATA_PATH", data.resolve("relay").toString(),
                        "GRAPNEL_GIT_DATA_PATH", data.resolve("git").toString()),
                arguments);
        assertEquals(code, outcome.code(), outcome.out() + outcome.err());
        assertEquals("", outcome.err());
        return outcome;
    }

    @Test
    void withoutServerTheDataIsLookedAtInTheSameWay() throws Exception {
        server.close();
        assertEquals(
                List.of("checked 1 repository: no differences"),
                runStopped(0, "check", "--repair", "--objects").lines());
        meddle("update-ref refs/heads/evil main");
        meddle("update-ref " + STRAY + " main");
        var told = runStopped(1, "check").lines();
        assertTrue(told.getFirst().startsWith(name + ": refs/heads/evil differs from the state "), told.toString());
        assertTrue(told.get(1).startsWith(name + ": no event explains " + STRAY), told.toString());
        assertEquals("checked 1 repository: 2 differences; --repair puts right what can be", told.getLast());
        assertTrue(runStopped(1, "check", "--json")
                .out()
                .endsWith("{\"repositories\":1,\"differences\":2,\"left\":2,\"queued\":0}\n"));
    }

    @Test
    void whatIsToBeRepairedWithoutServerIsDoneByTheNextStart() throws Exception {
        server.close();
        meddle("update-ref refs/heads/evil main");
        assertEquals(
                "checked 1 repository: 1 difference, 0 put right; no server runs, so 1 repository entered the repair"
                        + " ledger, which the next start works off",
                runStopped(1, "check", "--repair").lines().getLast());
        assertTrue(meddle("show-ref").contains("evil"));
        server = RelayUnderTest.startGraspIn(temporary.resolve("server"));
        assertFalse(meddle("show-ref").contains("evil"));
        assertEquals(
                List.of("checked 1 repository: no differences"), run(0, "check").lines());
        assertEquals(
                List.of("0 repositories to repair"), run(0, "repair", "list").lines());
    }

    @Test
    void withoutServerAndDataTheCheckSaysWhatIsMissing() throws Exception {
        server.close();
        var none = temporary.resolve("none");
        var outcome = terminal.runWith(Map.of("GRAPNEL_RELAY_DATA_PATH", none.toString()), "check");
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().startsWith("grapnel: there is no store in " + none), outcome.err());
        var withoutGit = terminal.run("check", "--git-data-path", none.toString());
        assertEquals(1, withoutGit.code());
        assertTrue(
                withoutGit.err().startsWith("grapnel: no server has kept repositories in " + none), withoutGit.err());
    }

    @Test
    void withoutServerTheCommandsSaySo() throws Exception {
        server.close();
        for (var command : List.of("repair list", "purgatory release")) {
            var outcome = terminal.run(command.split(" ", -1));
            assertEquals(1, outcome.code());
            assertTrue(outcome.err().startsWith("grapnel: no server runs with the data in "), outcome.err());
        }
    }
}
