package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.store.StoreSamples;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the page of a repository shows, and what it keeps to itself.
@NullUnmarked
@Timeout(120)
final class RepositoryPageTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final String TOLD = "What the owner says of it";

    @TempDir
    private Path temporary;

    private Path work;
    private RelayUnderTest server;
    private RelayClient client;
    private String domain;
    private final long begin = Instant.now().getEpochSecond() - 1000;

    @BeforeEach
    void open() throws Exception {
        server = RelayUnderTest.startGraspIn(temporary.resolve("server"));
        domain = "127.0.0.1:" + server.port();
        client = server.connect();
        work = Files.createDirectory(temporary.resolve("work"));
        git("init", "-q", "-b", "main", ".");
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    private String git(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@example.com"));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out.strip();
    }

    private String commit(String words) throws Exception {
        git("commit", "-q", "--allow-empty", "-m", words);
        return git("rev-parse", "HEAD");
    }

    private static String npub(int person) {
        return new Npub(StoreSamples.author(person)).text();
    }

    private String url(int owner) {
        return "http://" + domain + "/" + npub(owner) + "/x.git";
    }

    private Event announcement(int owner, long later, int... listed) {
        var maintainers = new ArrayList<>(List.of("maintainers"));
        for (int person : listed) {
            maintainers.add(StoreSamples.author(person).toHex());
        }
        return StoreSamples.event(
                owner,
                Kinds.ANNOUNCEMENT,
                begin + later,
                List.of(
                        List.of("d", "x"),
                        List.of("description", TOLD),
                        List.of("clone", url(owner)),
                        List.of("relays", "ws://" + domain),
                        maintainers),
                "");
    }

    private Event state(int author, long later, Map<String, String> refs) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", "x"));
        refs.forEach((name, id) -> tags.add(List.of(name, id)));
        return StoreSamples.event(author, Kinds.STATE, begin + later, tags, "");
    }

    private String page(int owner) throws Exception {
        try (var http = PlainHttp.client()) {
            var answer =
                    http.send(HttpRequest.newBuilder(URI.create(url(owner))).build(), BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            return answer.body();
        }
    }

    private String served(int... listed) throws Exception {
        var tip = commit("one");
        client.publishOk(announcement(ANN, 1, listed));
        client.publishOk(state(ANN, 2, Map.of("refs/heads/main", tip)));
        git("push", "-q", url(ANN), "main");
        return tip;
    }

    @Test
    void beforeItsContentCameThePageTellsThatItIsAwaitedAndNothingElse() throws Exception {
        client.publishOk(announcement(ANN, 1, BOB));
        client.publishOk(state(ANN, 2, Map.of("refs/heads/secret", "12".repeat(20))));
        var page = page(ANN);
        assertTrue(page.contains("waits for content until"), page);
        for (var held : List.of(TOLD, npub(BOB), "secret", "121212121212")) {
            assertFalse(page.contains(held), held);
        }
    }

    @Test
    void servedItShowsRefsWhoSignedThemAndWhoIsInvited() throws Exception {
        var tip = served(BOB);
        var page = page(ANN);
        assertTrue(page.contains(TOLD), page);
        assertTrue(page.contains("main (default)"), page);
        assertTrue(page.contains(tip.substring(0, 12)), page);
        assertTrue(page.contains("1 branch, 0 tags"), page);
        assertTrue(page.contains(npub(BOB)), page);
        assertTrue(page.contains("accepts by announcing"), page);
        // hunting forgets what it was to look for a moment after the push was answered
        SyncScene.await("nothing is awaited", () -> !page(ANN).contains("Awaited"));
    }

    @Test
    void whoeverAcceptedIsConfirmed() throws Exception {
        served(BOB);
        client.publishOk(announcement(BOB, 3, ANN));
        var page = page(ANN);
        assertFalse(page.contains("accepts by announcing"), page);
        assertTrue(page.contains("confirmed, leads"), page);
    }

    @Test
    void aNewerStateThatWaitsIsToldWithoutWhatItSays() throws Exception {
        served();
        client.publishOk(state(ANN, 5, Map.of("refs/heads/secret", "34".repeat(20))));
        var page = page(ANN);
        assertTrue(page.contains("waits for git data until"), page);
        assertTrue(page.contains("git push " + url(ANN)), page);
        assertFalse(page.contains("secret"), page);
        assertFalse(page.contains("343434343434"), page);
    }

    @Test
    void whatWaitsForOneOwnerIsNotToldAtAnother() throws Exception {
        served();
        client.publishOk(announcement(CAROL, 1));
        client.publishOk(state(CAROL, 2, Map.of("refs/heads/main", "34".repeat(20))));
        client.publishOk(StoreSamples.event(
                BOB,
                Kinds.PULL_REQUEST,
                begin,
                List.of(
                        List.of("a", "30617:" + StoreSamples.author(CAROL).toHex() + ":x"),
                        List.of("c", "56".repeat(20)),
                        List.of("clone", "https://elsewhere.example/x.git")),
                ""));
        assertFalse(page(ANN).contains("Awaited"));
        assertTrue(page(CAROL).contains("Awaited"));
    }

    @Test
    void aPullRequestThatWaitsIsCounted() throws Exception {
        served();
        client.publishOk(StoreSamples.event(
                BOB,
                Kinds.PULL_REQUEST,
                begin,
                List.of(
                        List.of("a", "30617:" + StoreSamples.author(ANN).toHex() + ":x"),
                        List.of("c", "56".repeat(20)),
                        List.of("clone", "https://elsewhere.example/x.git")),
                "words of the pull request"));
        var page = page(ANN);
        assertTrue(page.contains("A pull request waits for its commit"), page);
        for (var held : List.of("words of the pull request", npub(BOB), "565656565656", "elsewhere")) {
            assertFalse(page.contains(held), held);
        }
    }

    @Test
    void emptiedOnPurposeItSaysSo() throws Exception {
        served();
        client.publishOk(state(ANN, 5, Map.of()));
        assertTrue(page(ANN).contains("emptied on purpose"));
    }
}
