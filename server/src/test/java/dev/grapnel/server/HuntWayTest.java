package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.Names;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Names that lead to several places, or to another one each time, and redirects, followed by a real server or not.
/// Each test has names and repositories of its own on one ground.
@Timeout(180)
final class HuntWayTest {
    private static final Duration BACKOFF = Duration.ofSeconds(20);

    private static final String ELSEWHERE = "it redirects to where nothing is fetched from: ";
    private static final String ASTRAY = "it redirects, which is not followed: ";

    @TempDir
    private static Path directory;

    private static HuntingGround ground;

    @BeforeAll
    static void open() throws IOException {
        ground = new HuntingGround(directory, "ADDRESS_ALLOW", "127.0.0.1/32,127.0.0.3/32");
    }

    @AfterAll
    static void close() {
        ground.close();
    }

    /// Row 162.
    @Test
    void connectionsGoWhereWasCheckedThoughTheNameLeadsElsewhereNext() throws Exception {
        var tip = ground.filled("rebound");
        var host = ground.host();
        var other = ground.host("127.0.0.2", host.port());
        ground.names.answer("rebinding.example", "127.0.0.1").answer("rebinding.example", "127.0.0.2");
        var url = "http://rebinding.example:" + host.port() + "/rebound.git";
        var good = ground.url("steady.example", host, "good");
        var state = ground.hear("rebound", tip, url, good);
        ground.hunted("rebound");
        assertEquals(1, host.visits("rebound"), "the address that was checked");
        assertEquals(0, other.connections());
        assertEquals("is never connected to (it leads to an address that is not public)", ground.told("rebound", url));
        ground.repository("good").run("fetch", "--quiet", "../rebound.git", "main:refs/heads/main");
        ground.pass(BACKOFF);
        ground.awaitServed(state);
        assertEquals(0, other.connections());
    }

    /// A name with several addresses is asked at the next when one does not answer.
    @Test
    void secondAddressOfANameIsTriedWhenTheFirstIsDead() throws Exception {
        var tip = ground.filled("several");
        var host = ground.host();
        ground.names.answer("twice.example", "127.0.0.3", "127.0.0.1");
        var state = ground.hear("several", tip, "http://twice.example:" + host.port() + "/several.git");
        ground.pass(Duration.ofMillis(500));
        ground.awaitServed(state);
    }

    /// Rows 144 and 239, in part: a resolver that fails says nothing about the name; a name that does not exist is
    /// left alone.
    @Test
    void nameThatDoesNotExistIsLeftAloneAndOneThatCouldNotBeLookedUpIsNot() throws Exception {
        var tip = ground.filled("unnamed");
        var host = ground.host();
        ground.names
                .answer("nobody.example", new Names.Lookup.NoSuchName())
                .answer("unsure.example", new Names.Lookup.Failed())
                .answer("unsure.example", "127.0.0.1");
        var nobody = "http://nobody.example:" + host.port() + "/unnamed.git";
        var unsure = "http://unsure.example:" + host.port() + "/unnamed.git";
        var state = ground.hear("unnamed", tip, nobody, unsure);
        ground.hunted("unnamed");
        assertEquals(
                "its name does not exist; left alone for hours (the name does not exist)",
                ground.told("unnamed", nobody));
        assertEquals(
                "could not be reached, or failed (the name could not be looked up)", ground.told("unnamed", unsure));
        assertEquals(1L, ground.naughty().get(NaughtyCause.DNS));
        ground.pass(BACKOFF);
        ground.awaitServed(state);
        assertEquals(
                1,
                ground.names.asked().stream().filter("nobody.example"::equals).count());
    }

    // ---- redirects

    /// Row 163: each leads nowhere, and what is honest beside it is served.
    @Test
    void redirectsThatAreNotFollowedEndThere() throws Exception {
        var tip = ground.filled("led");
        var host = ground.host();
        var other = ground.host("127.0.0.2", host.port());
        ground.names.answer("hidden.example", "127.0.0.2");
        var secure = ground.secureHost(ground.authority.serving("secure.example"));
        ground.names.answer("secure.example", "127.0.0.1");
        var plain = ground.url("plain.example", host, "led");
        var end = "/info/refs?service=git-upload-pack";
        redirect(host, "private", "http://127.0.0.2:" + host.port() + "/led.git" + end);
        redirect(host, "named", "http://hidden.example:" + host.port() + "/led.git" + end);
        redirect(host, "own", GraspUnderTest.cloneUrl(HuntingGround.ANN, "led") + end);
        redirect(host, "schemes", "file:///led.git" + end);
        redirect(secure, "down", plain + end);
        for (int i = 0; i < 4; i++) {
            redirect(host, "chain" + i, "http://plain.example:" + host.port() + "/chain" + (i + 1) + ".git" + end);
        }
        host.mood("posts", (asked, out) -> {
            if (asked.isFirst()) {
                host.behave(asked.with(asked.head().replace("/posts.git", "/led.git")), out);
            } else {
                ScriptedServer.status(307, "Location: " + plain + "/git-upload-pack")
                        .answer(out);
            }
        });
        var refusals = List.of(
                told(
                        "first.example",
                        host,
                        "private",
                        ELSEWHERE + "it leads to an address that is not public, after a redirect to 127.0.0.2"),
                told(
                        "second.example",
                        host,
                        "named",
                        ELSEWHERE + "it leads to an address that is not public, after a redirect to hidden.example"),
                told(
                        "third.example",
                        host,
                        "own",
                        ELSEWHERE + "it leads to this service itself, after a redirect to git.example.com"),
                told("fourth.example", host, "schemes", ELSEWHERE + "the scheme is none of those that are allowed"),
                told("fifth.example", host, "chain0", ASTRAY + "there are more than 3 redirects"),
                told("sixth.example", host, "posts", ASTRAY + "only the first question may be led elsewhere"));
        var down = "https://secure.example:" + secure.port() + "/down.git";
        var urls = Stream.concat(refusals.stream().map(List::getFirst), Stream.of(down))
                .toArray(String[]::new);
        var state = ground.hear("led", tip, urls);
        ground.hunted("led");
        for (var refusal : refusals) {
            var told = ground.told("led", refusal.getFirst());
            assertTrue(told.contains(refusal.get(1)), told);
            assertFalse(told.contains("never"), told);
        }
        assertEquals(1, secure.visits());
        assertTrue(
                ground.told("led", down).contains(ASTRAY + "it leads from an encrypted connection to a plain one"),
                ground.told("led", down));
        assertEquals(0, other.connections());
        assertTrue(
                host.asked().stream().noneMatch(asked -> asked.repository().equals("led")),
                "nothing was asked where a refused redirect led to");
        assertTrue(host.visits("chain3") == 1 && host.visits("chain4") == 0);

        ground.server().sync(announcedLater("led", plain));
        ground.pass(BACKOFF);
        ground.awaitServed(state);
    }

    /// A redirect is no property of the URL, so the next round asks again.
    @Test
    void redirectThatIsMendedIsAskedAgain() throws Exception {
        var tip = ground.filled("mended");
        var host = ground.host();
        host.says("mended", ScriptedServer.status(302));
        var url = ground.url("mended.example", host, "mended");
        var state = ground.hear("mended", tip, url);
        ground.hunted("mended");
        var told = ground.told("mended", url);
        assertTrue(told.contains(ASTRAY + "it does not say where to"), told);
        host.behaves("mended");
        ground.pass(BACKOFF);
        ground.awaitServed(state);
    }

    private static List<String> told(String name, TroubledHost host, String repository, String words) {
        return List.of(ground.url(name, host, repository), words);
    }

    private static Event announcedLater(String identifier, String url) {
        ground.server().clock().advance(Duration.ofSeconds(1));
        return ground.announcement(identifier, url);
    }

    private static void redirect(TroubledHost host, String repository, String target) {
        host.says(repository, ScriptedServer.status(302, "Location: " + target));
    }

    /// Row 163.
    @Test
    void redirectThatIsFollowedIsChargedToItsTarget() throws Exception {
        var tip = ground.filled("moved");
        var host = ground.host();
        var target = ground.url("target.example", host, "moved");
        redirect(host, "away", target + "/info/refs?service=git-upload-pack");
        var state = ground.hear("moved", tip, ground.url("mover.example", host, "away"));
        ground.pass(Duration.ofMillis(500));
        ground.awaitServed(state);
        assertEquals(1, ground.domain("mover.example").orElseThrow().starts());
        assertEquals(1, ground.domain("target.example").orElseThrow().starts());
        assertTrue(
                host.asked().stream()
                        .filter(asked -> !asked.isFirst())
                        .allMatch(asked -> asked.repository().equals("moved")),
                "everything after the first request goes where it led");
    }
}
