package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Who answers what (service 2.1, 2.2, 2.4).
final class DispatchTest {
    private static final String NPUB = new Npub(Site.OPERATOR).text();
    private static final Route WRONG_METHOD = new Route.WrongMethod("GET, HEAD, OPTIONS");

    private static Route route(String method, String path) {
        return new Dispatch(List.of()).route(Ask.of(method, path, List.of(), List.of()));
    }

    private static Route get(String path) {
        return route("GET", path);
    }

    private static Route root(String method, String upgrade, String... accept) {
        return new Dispatch(List.of()).route(Ask.of(method, "/", List.of(upgrade), List.of(accept)));
    }

    private static Route below(String base, String path) {
        return new Dispatch(List.of(base.split("/", -1))).route(Ask.of("GET", path, List.of(), List.of()));
    }

    @Test
    void optionsIsAnsweredAlikeOnAnyPath() {
        for (var path : List.of("/", "/nothing", "*", "/%zz", "", "/" + NPUB + "/x.git/info/refs", "/metrics")) {
            assertEquals(new Route.Preflight(), route("OPTIONS", path), path);
        }
        var outside = new Dispatch(List.of("base")).route(Ask.of("OPTIONS", "/elsewhere", List.of(), List.of()));
        assertEquals(new Route.Preflight(), outside);
    }

    @Test
    void fixedPathsAreKnownByTheirDecodedSegments() {
        assertEquals(new Route.NostrJson(), get("/.well-known/nostr.json"));
        assertEquals(new Route.Health(), get("/health"));
        assertEquals(new Route.Health(), get("/%68ealth"));
        assertEquals(new Route.Landing(), get("/"));
        assertEquals(new Route.Figures(), get("/metrics"));
        assertEquals(new Route.Icon(), get("/icon.png"));
        assertEquals(new Route.SyncStatus(false), get("/status"));
        assertEquals(new Route.SyncStatus(true), get("/status.json"));
        var json = Ask.of("GET", "/status", List.of(), List.of("application/json"));
        assertEquals(new Route.SyncStatus(true), new Dispatch(List.of()).route(json));
    }

    @Test
    void anythingElseIsUnknown() {
        for (var path : List.of(
                "/nothing",
                "/health/",
                "//health",
                "/health//",
                "/HEALTH",
                "/./health",
                "/x/../health",
                "/metrics;a=b",
                "/health%2f",
                "/%2fhealth",
                "*",
                "health",
                "/prs",
                "/%",
                "/%2",
                "/%zz",
                "/%ff",
                "/%c0%af",
                "/a\\b",
                "/a b",
                "/\u0000",
                "/\ud800",
                "/health?x",
                "/" + "a".repeat(10_000))) {
            assertEquals(new Route.Unknown(), get(path), path);
        }
    }

    @Test
    void repositoriesAreKnownByTheirShape() {
        var page = new Route.RepositoryPage(Site.OPERATOR, new Identifier("my repo"));
        assertEquals(page, get("/" + NPUB + "/my%20repo.git"));
        assertEquals(page, get("/" + NPUB + "/my%20repo.git/"));
        assertEquals(
                new Route.Git(Site.OPERATOR, new Identifier("my repo"), List.of("info", "refs")),
                get("/" + NPUB + "/my%20repo.git/info/refs"));
        assertEquals(
                new Route.RepositoryPage(Site.OPERATOR, new Identifier("foo.git")), get("/" + NPUB + "/foo.git.git"));
        assertEquals(new Route.PullRequests(List.of(NPUB, "x.git")), get("/prs/" + NPUB + "/x.git"));
        assertEquals(new Route.PullRequests(List.of("")), get("/prs/"));
    }

    @Test
    void whatOnlyLooksLikeARepositoryIsUnknown() {
        for (var path : List.of(
                "/" + NPUB,
                "/" + NPUB + "/",
                "/" + NPUB + "/x",
                "/" + NPUB + "/.git",
                "/" + NPUB + "/..git",
                "/" + NPUB + "/...git",
                "/" + NPUB + "/a%2fb.git",
                "/" + NPUB + "/a%5cb.git",
                "/" + NPUB + "/a%00.git",
                "/" + NPUB + "/" + "a".repeat(201) + ".git",
                "/" + NPUB.toUpperCase(java.util.Locale.ROOT) + "/x.git",
                "/" + Site.OPERATOR.toHex() + "/x.git",
                "/npub1test/x.git")) {
            assertEquals(new Route.Unknown(), get(path), path);
        }
    }

    @Test
    void wishForWebSocketBeatsInformationBeatsPage() {
        assertEquals(new Route.Relay(), root("GET", "websocket", "application/nostr+json"));
        assertEquals(new Route.Relay(), root("GET", "h2c, WebSocket"));
        assertEquals(new Route.Landing(), root("GET", "websockets"));
        assertEquals(new Route.Information(), root("GET", "", "application/nostr+json"));
        assertEquals(new Route.Information(), root("HEAD", "", "application/nostr+json"));
        assertEquals(new Route.Landing(), root("HEAD", "websocket"), "a handshake is a GET");
        assertEquals(WRONG_METHOD, root("POST", "websocket"));
    }

    @Test
    void wishForWebSocketIsIgnoredElsewhere() {
        var asked = new Dispatch(List.of());
        assertEquals(new Route.Unknown(), asked.route(Ask.of("GET", "/nothing", List.of("websocket"), List.of())));
        assertEquals(new Route.Health(), asked.route(Ask.of("GET", "/health", List.of("websocket"), List.of())));
    }

    @Test
    void informationIsSelectedByNameOnly() {
        for (var accept : List.of(
                "application/nostr+json",
                "APPLICATION/Nostr+JSON",
                "text/html, application/nostr+json",
                "text/html;q=0.9,application/nostr+json;q=0.1",
                "application/nostr+json ; charset=utf-8 ; q=0.001",
                "application/nostr+json;q=nonsense",
                "text/html;a=\"x, y\\\" ; z\", application/nostr+json",
                ",, application/nostr+json ,")) {
            assertEquals(new Route.Information(), root("GET", "", accept), accept);
        }
        for (var accept : List.of(
                "",
                "*/*",
                "application/*",
                "application/json",
                "application/nostr+json+rpc",
                "application/nostr+json;q=0",
                "application/nostr+json; Q=0.000",
                "application/nostr+json;x=1;q = 0.",
                "text/html;a=\", application/nostr+json\"",
                "text/html;a=\"application/nostr+json")) {
            assertEquals(new Route.Landing(), root("GET", "", accept), accept);
        }
        assertEquals(new Route.Information(), root("GET", "", "text/html", "application/nostr+json"));
    }

    @Test
    void knownPathByAnotherMethodTellsTheRightOnes() {
        for (var path : List.of("/", "/health", "/metrics", "/icon.png", "/.well-known/nostr.json")) {
            for (var method : List.of("POST", "PUT", "DELETE", "PATCH", "TRACE", "get", "ODD")) {
                assertEquals(WRONG_METHOD, route(method, path), method + " " + path);
            }
        }
        assertEquals(new Route.Unknown(), route("POST", "/nothing"));
    }

    @Test
    void basePathIsTakenOffFirst() {
        assertEquals(new Route.Landing(), below("a b/c", "/a%20b/c"));
        assertEquals(new Route.Landing(), below("a b/c", "/a%20b/c/"));
        assertEquals(new Route.Health(), below("a b/c", "/a%20b/c/health"));
        assertInstanceOf(Route.RepositoryPage.class, below("c", "/c/" + NPUB + "/x.git"));
        for (var path : List.of("/", "/health", "/ch", "/c%2fhealth", "/C/health", "//c", "/x/c/health")) {
            assertEquals(new Route.Unknown(), below("c", path), path);
        }
    }

    @Test
    void operatorHasNoNameBelowBasePath() {
        assertEquals(new Route.Unknown(), below("c", "/c/.well-known/nostr.json"));
        assertEquals(new Route.Unknown(), below("c", "/.well-known/nostr.json"));
    }

    @Test
    void anyTextIsAPathOrUnknown() {
        var random = new Random(1);
        var alphabet = "/%2fF.cgit~\\?#;\u0000\u00e9\ud83d\udc80\ud800 npub1".toCharArray();
        for (int round = 0; round < 20_000; round++) {
            var path = new StringBuilder("/");
            for (int i = random.nextInt(30); i > 0; i--) {
                path.append(alphabet[random.nextInt(alphabet.length)]);
            }
            var route = get(path.toString());
            assertEquals(route, get(path.toString()), "round " + round);
        }
    }
}
