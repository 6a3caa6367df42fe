package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that are slow, gone, half there or rude, hunted at by a real server: what the operator reads, and that all
/// is served in the end. Each test has names and repositories of its own on one ground.
@Timeout(180)
final class HuntTroubleTest {
    private static final int CAROL = 3;
    private static final Duration BACKOFF = Duration.ofSeconds(20);

    @TempDir
    private static Path directory;

    private static HuntingGround ground;

    @BeforeAll
    static void open() throws IOException {
        ground = HuntingGround.open(directory);
    }

    @AfterAll
    static void close() {
        ground.close();
    }

    private static GraspUnderTest server() {
        return ground.server();
    }

    private static void assertServes(String identifier, Oid tip) throws Exception {
        assertTrue(server().advertisement(HuntingGround.ANN, identifier).contains(tip + " refs/heads/main"));
    }

    /// Row 139.
    @Test
    void stateAndPullRequestAreHuntedTogether() throws Exception {
        var git = ground.repository("both");
        var one = git.commit("one");
        git.run("update-ref", "refs/heads/main", one.toString());
        var idea = git.commit("idea", one);
        git.run("update-ref", "refs/heads/idea", idea.toString());
        var host = ground.host();
        var url = ground.url("both.example", host, "both");
        var state = ground.hear("both", one, url);
        var proposal = ground.proposal(CAROL, "both", idea);
        server().sync(proposal);
        assertTrue(server().isHeld(proposal));
        ground.pass(Duration.ofMillis(500));
        ground.awaitServed(state);
        ground.await(() -> {
            ground.pass(Duration.ofMillis(500));
            return server().isServed(proposal);
        });
        assertServes("both", one);
        assertTrue(server().advertisement(HuntingGround.ANN, "both").contains(idea + " refs/nostr/" + proposal.id()));
    }

    /// Row 141.
    @Test
    void missingThirdDoesNotHoldBackTheOtherTwo() throws Exception {
        var git = ground.repository("three");
        var one = git.commit("one");
        var two = git.commit("two");
        git.run("update-ref", "refs/heads/main", one.toString());
        git.run("update-ref", "refs/heads/dev", two.toString());
        var late = git.commit("late");
        var host = ground.host();
        var url = ground.url("three.example", host, "three");
        server().sync(ground.announcement("three", url));
        var state = server().stateAt(
                        server().now(),
                        HuntingGround.ANN,
                        "three",
                        List.of("refs/heads/main", one.toString()),
                        List.of("refs/heads/dev", two.toString()),
                        List.of("refs/heads/late", late.toString()),
                        List.of("HEAD", "ref: refs/heads/main"));
        ground.hear(state, "three");
        git.run("prune", "--expire=now");
        var picture = ground.hunted("three");
        assertEquals(List.of(late), picture.firstMissing());
        assertEquals("gave 2 refs", ground.told("three", url));
        assertTrue(server().isHeld(state));
        assertEquals(late, git.commit("late"));
        git.run("update-ref", "refs/heads/late", late.toString());
        ground.pass(BACKOFF);
        ground.awaitServed(state);
        assertServes("three", one);
    }

    /// Row 142.
    @Test
    void commitBehindABranchComesWithItFromAServerThatGivesNothingElse() throws Exception {
        var git = ground.repository("strict");
        var one = git.commit("one");
        var two = git.commit("two", one);
        git.run("update-ref", "refs/heads/main", two.toString());
        var host = ground.host();
        host.mood("strict", (asked, out) -> host.behave(withoutVersion2(asked), out));
        var state = ground.hear("strict", one, ground.url("strict.example", host, "strict"));
        ground.pass(Duration.ofMillis(500));
        ground.awaitServed(state);
        assertServes("strict", one);
        assertFalse(server().advertisement(HuntingGround.ANN, "strict").contains(two.toString()));
    }

    /// Only version 2 gives everything to everybody: the older protocol tells what it allows.
    private static TroubledHost.Asked withoutVersion2(TroubledHost.Asked asked) {
        return asked.with(asked.head().replace("Git-Protocol: version=2\r\n", ""));
    }

    @Test
    void serverThatAsksForTimeGetsItAndIsAskedAgain() throws Exception {
        var tip = ground.filled("busy");
        var host = ground.host();
        var url = ground.url("busy.example", host, "busy");
        host.says("busy", ScriptedServer.status(429, "Retry-After: 90"));
        var state = ground.hear("busy", tip, url);
        ground.hunted("busy");
        assertEquals("asked to come back later (status 429, retry after 90 s)", ground.told("busy", url));
        assertEquals(
                Optional.of(server().clock().instant().plusSeconds(90)),
                ground.domain("busy.example").flatMap(domain -> domain.pausedUntil()));
        host.behaves("busy");
        ground.pass(Duration.ofSeconds(89));
        ground.hunted("busy", 2);
        assertEquals(1, host.asked().size(), "it is left alone as long as it asked for");
        ground.pass(Duration.ofSeconds(1));
        ground.awaitServed(state);
        assertServes("busy", tip);
    }

    @Test
    void serverThatDiesWhileItSendsIsAskedAgainWhenItIsBack() throws Exception {
        var tip = ground.filled("mortal");
        var host = ground.host();
        var url = ground.url("mortal.example", host, "mortal");
        host.breaksOff("mortal", 300);
        var state = ground.hear("mortal", tip, url);
        ground.hunted("mortal");
        assertTrue(host.asked().getLast().isFetch(), "it died in the middle of the pack");
        assertEquals("could not be reached, or failed (the connection broke)", ground.told("mortal", url));
        assertEquals(0, ground.huntedBytes("mortal"));
        host.die();
        ground.pass(BACKOFF);
        ground.hunted("mortal", 2);
        assertEquals("could not be reached, or failed (no connection could be made)", ground.told("mortal", url));
        host.comeBack();
        host.behaves("mortal");
        ground.pass(BACKOFF.multipliedBy(2));
        ground.awaitServed(state);
        assertServes("mortal", tip);
    }

    @Test
    void domainThatFailsFiveTimesRestsAndIsAskedAgain() throws Exception {
        var tip = ground.filled("ailing");
        var host = ground.host();
        var url = ground.url("ailing.example", host, "ailing");
        host.says("ailing", ScriptedServer.status(500));
        var state = ground.hear("ailing", tip, url);
        ground.hunted("ailing");
        for (int attempt = 2; attempt <= 5; attempt++) {
            ground.pass(Duration.ofMinutes(2));
            ground.hunted("ailing", attempt);
        }
        assertEquals(5, host.visits());
        assertEquals("could not be reached, or failed (status 500)", ground.told("ailing", url));
        host.behaves("ailing");
        ground.pass(Duration.ofSeconds(299));
        ground.hunted("ailing", 6);
        assertEquals(5, host.visits(), "it rests for five minutes");
        assertEquals(
                "could not be reached, or failed (status 500); not asked now: it asked for time, or failed again and"
                        + " again",
                ground.told("ailing", url));
        ground.pass(Duration.ofSeconds(1));
        ground.awaitServed(state);
    }

    @Test
    void serverWithAnExpiredCertificateIsLeftAloneForHours() throws Exception {
        var tip = ground.filled("sealed");
        var expired = ground.secureHost(ground.authority.servingExpired("expired.example"));
        var good = ground.secureHost(ground.authority.serving("good.example"));
        good.says("sealed", ScriptedServer.status(404));
        ground.names.answer("expired.example", "127.0.0.1").answer("good.example", "127.0.0.1");
        var expiredUrl = "https://expired.example:" + expired.port() + "/sealed.git";
        var goodUrl = "https://good.example:" + good.port() + "/sealed.git";
        try (var log = LogWatch.on("dev.grapnel.purgatory.hunt")) {
            var state = ground.hear("sealed", tip, expiredUrl, goodUrl);
            ground.hunted("sealed");
            assertEquals(
                    "its certificate is not valid; left alone for hours (the certificate is not valid)",
                    ground.told("sealed", expiredUrl));
            assertEquals(
                    "does not have the repository, or does not give it to everybody (status 404)",
                    ground.told("sealed", goodUrl));
            assertEquals(1, ground.naughty().get(NaughtyCause.TLS));
            var until = server().clock().instant().plus(Duration.ofHours(12));
            assertEquals(
                    List.of("WARN domain.naughty domain=expired.example class=tls until=" + until),
                    log.lines("domain.naughty", 1));
            good.behaves("sealed");
            ground.pass(BACKOFF);
            ground.awaitServed(state);
            assertServes("sealed", tip);
            assertEquals(List.of(), expired.asked());
            assertEquals(1, expired.connections(), "not asked again");
        }
    }

    /// Row 168.
    @Test
    void serverWithoutSmartHttpIsAskedForNothingElse() throws Exception {
        var tip = ground.filled("dumb");
        var host = ground.host();
        var url = ground.url("dumb.example", host, "dumb");
        var refs = tip + "\trefs/heads/main\n";
        host.says(
                "dumb",
                ScriptedServer.raw(
                        "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: " + refs.length(), refs));
        var state = ground.hear("dumb", tip, url);
        ground.hunted("dumb");
        assertEquals(
                List.of("/dumb.git/info/refs?service=git-upload-pack"),
                host.asked().stream().map(TroubledHost.Asked::path).toList(),
                "neither alternates nor objects");
        assertEquals(
                "does not have the repository, or does not give it to everybody (it does not speak git's"
                        + " smart HTTP protocol)",
                ground.told("dumb", url));
        host.behaves("dumb");
        ground.pass(BACKOFF);
        ground.awaitServed(state);
    }

    /// Row 145.
    @Test
    void stateWhoseOnlyServerIsGoneExpiresAndLeavesNothing() throws Exception {
        var tip = ground.filled("gone");
        var host = ground.host();
        var url = ground.url("gone.example", host, "gone");
        host.die();
        var state = ground.hear("gone", tip, url);
        ground.hunted("gone");
        for (int attempt = 2; attempt <= 6; attempt++) {
            ground.pass(Duration.ofMinutes(2));
            ground.hunted("gone", attempt);
        }
        ground.pass(Duration.ofMinutes(21));
        ground.await(() -> !server().isHeld(state));
        ground.pass(Duration.ofMinutes(30)); // an attempt may have been under way when it expired
        ground.await(() -> ground.picture("gone").isEmpty());
        assertEquals(0, ground.huntedBytes("gone"));
        assertEquals(0, ground.hunt().counts().running());
        assertTrue(
                ground.domain("gone.example").stream()
                        .allMatch(domain -> domain.inFlight() == 0 && domain.queued() == 0),
                "no permit is left");
        var record = server().expired(state).orElseThrow().dormant().orElseThrow();
        assertEquals(List.of(tip), record.missing());
        assertTrue(record.cloneUrls().contains(url));
        host.comeBack();
        server().direct(ground.announcement("gone", url));
        server().direct(state);
        ground.await(() -> ground.picture("gone").isPresent());
        ground.pass(Duration.ofMinutes(3));
        ground.awaitServed(state);
        assertServes("gone", tip);
    }

    /// Row 169.
    @Test
    void logsAndOperatorSeeNeitherSecretsNorControlCharacters() throws Exception {
        var tip = ground.filled("noisy");
        var host = ground.host();
        var url = ground.url("noisy.example", host, "noisy");
        var words = "ERR hunter2\u001b[2J";
        host.says("noisy", ScriptedServer.advertisement(ScriptedServer.lines(words, "flush")));
        try (var log = LogWatch.on("dev.grapnel")) {
            var state = ground.hear(
                    "noisy",
                    tip,
                    "https://carol:hunter2@secret.example/user.git",
                    "https://secret.example/noisy.git?key=hunter2",
                    "https://secret.example/no\u001bisy.git#hunter2",
                    url);
            ground.hunted("noisy");
            var picture = ground.picture("noisy").orElseThrow();
            assertEquals(4, picture.answers().size(), picture.toString());
            assertEquals(
                    "is never connected to (there is user info or a fragment)",
                    ground.told("noisy", "https://secret.example/user.git"));
            assertTrue(isQuiet(picture.answers().toString()), picture.toString());
            assertEquals("could not be reached, or failed (it said that it failed)", ground.told("noisy", url));
            host.behaves("noisy");
            ground.pass(BACKOFF);
            ground.awaitServed(state);
            for (var line : log.lines("", 1)) {
                assertTrue(line.startsWith("DEBUG remote says") || isQuiet(line), line);
            }
            assertFalse(ground.names.asked().contains("secret.example"));
        }
    }

    private static boolean isQuiet(String text) {
        return !text.contains("hunter2") && text.chars().noneMatch(Character::isISOControl);
    }
}
