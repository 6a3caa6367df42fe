package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Kinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Invariants of the specification's first page that are about git, each by its name; I-3 is TheoremTest, I-12
/// begins with the first outgoing connection.
final class GitInvariantsTest extends GraspGitTest {
    private static final String MAIN = "refs/heads/main";
    private static final String ALL = "{\"kinds\":[" + Kinds.ANNOUNCEMENT + "," + Kinds.STATE + "]}";

    private void assertNotFetchable(int owner, String commit) throws IOException {
        var empty = Files.createTempDirectory(work, "probe");
        git.ok(empty, "init", "--quiet", "--bare");
        var result = git.run(empty, "fetch", "--quiet", url(owner, "x"), commit);
        assertTrue(result.code() != 0, "it was given away");
    }

    @Test
    void i2ReleasedStateHasItsObjectsAndACloneShowsExactlyIt() throws IOException {
        var first = commit("main");
        var second = commit("dev");
        serve(ANN, "x", server.now(), Map.of(MAIN, first, "refs/heads/dev", second));
        git.ok(work, "clone", "--quiet", "--mirror", url(ANN, "x"), "mirror");
        assertEquals(
                second + " refs/heads/dev\n" + first + " refs/heads/main\n",
                git.ok(work.resolve("mirror"), "for-each-ref", "--format=%(objectname) %(refname)"));
        git.assertSound(work.resolve("mirror"));
        var deletion = server.deletionAt(server.now(), ANN, List.of(List.of("a", GraspUnderTest.coordinate(ANN, "x"))));
        client.publishOk(deletion);
        assertEquals(List.of(), client.query(ALL), "its state left with the repository");
        assertEquals(404, gitStatus());
        var again = server.announcementAt(server.now() + 1, ANN, "x");
        assertEquals("", client.publish(again).message());
        assertEquals(2, client.query(ALL).size());
        assertEquals(Map.of(MAIN, first, "refs/heads/dev", second, "HEAD", "ref: " + MAIN), refs(ANN, "x"));
    }

    private int gitStatus() throws IOException {
        try {
            return server.gitStatus(ANN, "x");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void i4RefusedPushChangesNothingAndItsObjectsCannotBeFetched() throws IOException {
        var first = commit("main");
        serve(ANN, "x", server.now(), Map.of(MAIN, first));
        var second = commit("main");
        var words = push(ANN, "x", second + ":" + MAIN).orSucceed();
        assertTrue(words.contains("[remote rejected] " + second + " -> main (authorisation failed: "), words);
        assertTrue(words.contains("hint:"), words);
        assertEquals(Map.of(MAIN, first, "HEAD", "ref: " + MAIN), refs(ANN, "x"));
        assertNotFetchable(ANN, second);
        var outsiders = state(BOB, "x", server.now() + 1, Map.of(MAIN, second));
        client.publish(outsiders);
        push(ANN, "x", second + ":" + MAIN).orSucceed();
        assertNotFetchable(ANN, second);
    }

    @Test
    void i7WhenGitReadsOkEventsAndRefsAreThere() throws Exception {
        var first = commit("main");
        try (var other = server.connect()) {
            other.subscribe("live", "{\"limit\":0}");
            var announcement = server.announcement(ANN, "x");
            var state = state(ANN, "x", server.now(), Map.of(MAIN, first));
            client.publish(announcement);
            client.publish(state);
            assertEquals(List.of(), client.query(ALL));
            push(ANN, "x", first + ":" + MAIN).orFail();
            assertEquals(Set.of(announcement.id(), state.id()), Set.copyOf(client.query(ALL)));
            assertEquals(Map.of(MAIN, first, "HEAD", "ref: " + MAIN), refs(ANN, "x"));
            assertEquals(announcement, other.live("live"));
            assertEquals(state, other.live("live"));
        }
    }

    @Test
    void i14OwnersWhoOnlyShareANameNeitherAuthoriseNorShowAnythingOfEachOther() throws IOException {
        var first = commit("main");
        serve(ANN, "x", server.now(), Map.of(MAIN, first));
        var second = commit("main");
        client.publish(server.announcement(BOB, "x"));
        client.publish(state(BOB, "x", server.now() + 1, Map.of(MAIN, second)));
        push(ANN, "x", second + ":" + MAIN).orSucceed();
        push(BOB, "x", second + ":" + MAIN).orFail();
        assertEquals(Map.of(MAIN, first, "HEAD", "ref: " + MAIN), refs(ANN, "x"));
        assertEquals(Map.of(MAIN, second, "HEAD", "ref: " + MAIN), refs(BOB, "x"));
        // what Bob hides again is not Ann's to name
        assertEquals(
                "", client.publish(state(BOB, "x", server.now() + 2, Map.of())).message());
        server.clock().advance(Duration.ofMinutes(11));
        var named = client.publish(state(ANN, "x", server.now(), Map.of(MAIN, second)));
        assertTrue(named.message().startsWith("purgatory: "), named.message());
        assertNotFetchable(ANN, second);
        assertNotFetchable(BOB, second);
    }

    @Test
    void i17NeitherASlowPushNorAnotherNameHoldsAnIdentifierUp() throws Exception {
        var first = commit("main");
        client.publish(server.announcement(ANN, "x"));
        client.publish(state(ANN, "x", server.now(), Map.of(MAIN, first)));
        try (var slow =
                new Socket(InetAddress.getLoopbackAddress(), server.service().port())) {
            var path = url(ANN, "x").replaceFirst("http://[^/]*", "");
            var command = "0".repeat(40) + " " + first + " " + MAIN + "\0report-status";
            var head = "POST " + path + "/git-receive-pack HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    + "application/x-git-receive-pack-request\r\nTransfer-Encoding: chunked\r\n\r\n";
            var line = "%04x%s0000PACK".formatted(command.length() + 4, command);
            slow.getOutputStream()
                    .write((head + "%x\r\n%s\r\n".formatted(line.length(), line)).getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            push(ANN, "x", first + ":" + MAIN).orFail(); // the other is still sending
            assertEquals(
                    "",
                    client.publish(state(ANN, "x", server.now() + 1, Map.of("refs/heads/a", first)))
                            .message());
        }
        assertEquals(Map.of("refs/heads/a", first, "HEAD", "ref: refs/heads/a"), refs(ANN, "x"));
    }

    @Test
    void i18WaitingRepositoryHasNoBranchOrTag() throws IOException {
        var first = commit("main");
        client.publish(server.announcement(ANN, "x"));
        push(ANN, "x", first + ":" + MAIN).orSucceed();
        client.publish(state(ANN, "x", server.now(), Map.of(MAIN, "1".repeat(40))));
        push(ANN, "x", first + ":" + MAIN).orSucceed();
        client.publish(state(ANN, "x", server.now() + 1, Map.of()));
        push(ANN, "x", first + ":" + MAIN).orSucceed();
        try (var lease = server.service()
                .repositories()
                .find(GraspUnderTest.address(ANN, "x"))
                .orElseThrow()) {
            assertEquals(Map.of(), lease.refs().current().values());
        }
    }
}
