package dev.grapnel.server;

import static dev.grapnel.server.HuntSite.ANN;
import static dev.grapnel.server.HuntSite.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Served data that was lost and that no repository here has is fetched from where it was published (P-610, P-733).
@Timeout(120)
final class HuntedRepairTest {
    @TempDir
    static Path directory;

    private static HuntSite site;
    private static int count;

    private String name;
    private GitProgram elsewhere;
    private Oid one;
    private Oid two;

    @BeforeAll
    static void open() throws IOException {
        site = new HuntSite(directory);
    }

    @AfterAll
    static void close() {
        site.close();
    }

    /// A repository with two commits is served.
    @BeforeEach
    void publish() throws Exception {
        name = "x" + count++;
        elsewhere = site.repository(name);
        one = elsewhere.commit("one");
        two = elsewhere.commit("two", one);
        elsewhere.run("update-ref", "refs/heads/main", two.toString());
        site.publish(ANN, name, two, site.url(name));
    }

    private RepositoryAddress address() {
        return GraspUnderTest.address(ANN, name);
    }

    private Path place() throws IOException {
        var found = site.server().service().repositories().findPlace(address());
        return found.orElseThrow().directory();
    }

    private List<Path> files() throws IOException {
        try (var files = Files.walk(place().resolve("objects"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private Path pack() throws IOException {
        return files().stream()
                .filter(file -> file.toString().endsWith(".pack"))
                .findFirst()
                .orElseThrow();
    }

    private void loseObjects() throws IOException {
        for (var file : files()) {
            Files.delete(file);
        }
    }

    private void loseDirectory() throws IOException {
        assertTrue(site.server().service().repositories().remove(address()));
    }

    private void check(String... flags) {
        var arguments = new HashMap<String, JsonValue>();
        arguments.put("identifier", new JsonValue.Text(name));
        for (var flag : flags) {
            arguments.put(flag, new JsonValue.Truth(true));
        }
        var _ = site.ask(CheckAnswer.NAME, arguments);
    }

    /// Lets the hunt begin that was asked for.
    private void hunt() throws Exception {
        site.await(() -> site.hunt(name).isPresent());
        site.server().pass(Duration.ofMillis(500));
    }

    private void awaitAttempts(int attempts) throws Exception {
        site.await(() ->
                site.hunt(name).filter(hunt -> hunt.attempts() == attempts).isPresent());
    }

    /// Nothing is left to do, and whoever clones gets all of it.
    ///
    /// @return the clone
    private GitProgram awaitWhole() throws Exception {
        var server = site.server();
        var identifier = Identifier.parse(name).require();
        site.await(() -> server.rows(Table.REPAIRS) == 0);
        site.await(() -> site.hunt(name).isEmpty());
        site.await(() -> server.service().repositories().hunting().bytes(identifier) == 0);
        var clone = directory.resolve("clone-" + name);
        new GitProgram(directory).run("clone", "--quiet", "--mirror", url(), clone.toString());
        var git = new GitProgram(clone);
        assertEquals(two.toString(), git.run("rev-parse", "refs/heads/main"));
        git.run("fsck", "--full", "--strict");
        assertFalse(Files.readString(place().resolve("config")).contains("lacking"));
        return git;
    }

    private String url() {
        return "http://127.0.0.1:" + site.server().service().port() + "/" + new Npub(StoreSamples.author(ANN)) + "/"
                + name + ".git";
    }

    /// Serves a pull request whose author has it on a server of their own.
    private Event propose() throws Exception {
        var own = site.repository("own-" + name);
        own.run("fetch", "--quiet", site.elsewhere(name).toString(), "main:refs/heads/main");
        var idea = own.commit("idea", two);
        own.run("update-ref", "refs/heads/idea", idea.toString());
        own.run("update-ref", "-d", "refs/heads/main");
        var proposal = site.proposal(CAROL, ANN, name, idea, site.url("own-" + name));
        site.serve(name, proposal);
        return proposal;
    }

    /// Row 235.
    @Test
    void lostObjectsOfBranchesAndPullRequestsAreFetchedAfterACheckThatRepairs() throws Exception {
        check("repair");
        assertTrue(site.hunt(name).isEmpty(), "nothing is missing yet");
        var proposal = propose();
        loseObjects();
        check();
        assertTrue(site.hunt(name).isEmpty(), "nobody asked for a repair");
        check("repair");
        hunt();
        awaitWhole().run("rev-parse", "--verify", "refs/nostr/" + proposal.id());
    }

    @Test
    void lostObjectsAreFetchedAfterACheckThatBeginsByItself() throws Exception {
        loseObjects();
        site.restart(); // the first check comes with a start
        site.server().service().compareIfDue();
        hunt();
        awaitWhole();
    }

    @Test
    void aDirectoryThatVanishedComesBackFromElsewhereWithItsPullRequests() throws Exception {
        var proposal = propose();
        loseDirectory();
        assertEquals(503, site.server().gitStatus(ANN, name), "an empty repository would pass for the whole");
        hunt();
        awaitWhole().run("rev-parse", "--verify", "refs/nostr/" + proposal.id());
    }

    @Test
    void aPackThatWasCutShortIsReplaced() throws Exception {
        try (var channel = FileChannel.open(pack(), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
        check("repair");
        hunt();
        awaitWhole();
    }

    /// Only reading all of it finds that.
    @Test
    void objectsThatNoRefNamesComeBackToo() throws Exception {
        var pack = Files.readAllBytes(pack());
        loseObjects();
        new GitProgram(place()).pipe(pack, "unpack-objects", "-q");
        var digits = one.toString();
        Files.delete(place().resolve("objects").resolve(digits.substring(0, 2)).resolve(digits.substring(2)));
        check("repair", "objects");
        hunt();
        awaitWhole();
    }

    @Test
    void whatWasFoundMissingIsHuntedAfterAStart() throws Exception {
        loseDirectory();
        site.server().service().compareIfDue();
        check("repair");
        site.restart();
        hunt();
        awaitWhole();
    }

    /// Row 209.
    @Test
    void lostDataIsLookedForHourlyUntilSomebodyHasItOrTheOperatorAsks() throws Exception {
        Files.move(site.elsewhere(name), site.elsewhere("gone"));
        loseObjects();
        check("repair");
        hunt();
        awaitAttempts(1);
        assertEquals(Duration.ofSeconds(20), untilNext());
        site.server().pass(Duration.ofMinutes(31)); // by then an event would have expired
        awaitAttempts(2);
        assertTrue(
                untilNext().compareTo(Duration.ofMinutes(54)) >= 0
                        && untilNext().compareTo(Duration.ofMinutes(60)) <= 0,
                () -> site.hunt(name).toString());
        site.server().pass(Duration.ofMinutes(60));
        awaitAttempts(3);
        check("repair");
        awaitAttempts(0);
        assertTrue(
                untilNext().compareTo(Duration.ofMillis(500)) <= 0,
                () -> site.hunt(name).toString());
        site.server().pass(Duration.ofMillis(500));
        awaitAttempts(1);
        Files.move(site.elsewhere("gone"), site.elsewhere(name));
        site.server().pass(Duration.ofSeconds(20));
        awaitWhole();
    }

    private Duration untilNext() {
        return Duration.between(
                site.server().clock().instant(),
                site.hunt(name).orElseThrow().nextAttempt().orElseThrow());
    }
}
