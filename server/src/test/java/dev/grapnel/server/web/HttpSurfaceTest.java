package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.ops.Readiness.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Every path as a client meets it (service 2.2, 2.3, 2.7, 2.8).
final class HttpSurfaceTest {
    private static final String NPUB = new Npub(Site.OPERATOR).text();
    private static final String INFORMATION = "Accept: application/nostr+json";
    private static final String HTML = "text/html; charset=utf-8";

    private static void assertEveryHeader(Answer answer) {
        var what = answer.lines().toString();
        assertEquals(List.of("grapnel"), answer.all("Server"), what);
        assertEquals(List.of("*"), answer.all("Access-Control-Allow-Origin"), what);
        assertEquals(List.of("GET, POST, OPTIONS"), answer.all("Access-Control-Allow-Methods"), what);
        assertEquals(
                List.of("Authorization, Content-Type, Git-Protocol, Accept, Content-Encoding, X-Requested-With"),
                answer.all("Access-Control-Allow-Headers"),
                what);
        assertEquals(List.of("86400"), answer.all("Access-Control-Max-Age"), what);
        assertEquals(List.of("WWW-Authenticate, Retry-After"), answer.all("Access-Control-Expose-Headers"), what);
        assertEquals(answer.status() == 101 ? 0 : 1, answer.all("Date").size(), what);
    }

    private static Answer assertStatus(int status, Answer answer) {
        assertEquals(status, answer.status(), answer.lines().toString());
        assertEveryHeader(answer);
        return answer;
    }

    @Test
    void informationIsServedToThoseWhoNameIt() throws IOException {
        try (var site = new Site()) {
            var answer =
                    assertStatus(200, site.ask("GET", "/", "Accept: text/html;q=0.9, application/nostr+json;q=0.1"));
            assertEquals(Optional.of("application/nostr+json"), answer.find("Content-Type"));
            assertTrue(answer.body().startsWith("{\"name\":\"git.example.com grasp relay\""), answer.body());
            var excluded = assertStatus(200, site.ask("GET", "/", "Accept: application/nostr+json;q=0, */*"));
            assertEquals(Optional.of(HTML), excluded.find("Content-Type"));
            assertEquals(Optional.of("Accept"), excluded.find("Vary"), "a cache must keep the two apart");
        }
    }

    @Test
    void pagesForbidEverythingForeign() throws IOException {
        try (var site = new Site()) {
            for (var path : List.of("/", "/nothing")) {
                var answer = site.ask("GET", path);
                assertEquals(Optional.of(HTML), answer.find("Content-Type"));
                assertEquals(Optional.of("nosniff"), answer.find("X-Content-Type-Options"));
                var policy = answer.find("Content-Security-Policy").orElseThrow();
                assertTrue(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
                assertFalse(policy.contains("unsafe"), policy);
                assertFalse(answer.body().contains("style="), "the policy allows no style but the sheet");
            }
        }
    }

    @Test
    void headAnswersAsGetWithoutBody() throws IOException {
        try (var site = new Site(Map.of("METRICS_ENABLED", "false"))) {
            for (var path : List.of(
                    "/",
                    "/health",
                    "/metrics",
                    "/icon.png",
                    "/.well-known/nostr.json",
                    "/nothing",
                    "/" + NPUB + "/x.git")) {
                var get = site.ask("GET", path);
                var head = assertStatus(get.status(), site.ask("HEAD", path));
                assertEquals(get.headers(), head.headers(), path);
                assertEquals("", head.body());
            }
            assertEquals(
                    site.ask("GET", "/", INFORMATION).headers(),
                    site.ask("HEAD", "/", INFORMATION).headers());
        }
    }

    @Test
    void nothingFollowsTheAnswerToHead() throws IOException {
        try (var site = new Site();
                var socket = site.connect()) {
            Site.send(socket, "HEAD /nothing HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(404, Answer.read(socket.getInputStream(), true).status());
            assertEquals("ok", Answer.read(socket.getInputStream(), false).body());
        }
    }

    @Test
    void optionsIsNoContentAnywhere() throws IOException {
        try (var site = new Site(Map.of("BASE_PATH", "/base"))) {
            for (var path : List.of("/base/", "/base/x", "/elsewhere", "/", "*", "/%ff")) {
                var answer = assertStatus(204, site.ask("OPTIONS", path, "Origin: https://app.example"));
                assertEquals("", answer.body());
                assertEquals(Optional.empty(), answer.find("Content-Length"));
            }
        }
    }

    @Test
    void wrongMethodTellsTheRightOnes() throws IOException {
        try (var site = new Site()) {
            for (var path : List.of("/", "/health", "/metrics", "/icon.png")) {
                for (var method : List.of("POST", "PUT", "DELETE", "ODD")) {
                    var answer = assertStatus(405, site.ask(method, path, "Content-Length: 0"));
                    assertEquals(Optional.of("GET, HEAD, OPTIONS"), answer.find("Allow"));
                }
            }
            assertStatus(405, site.ask("POST", "/", "Content-Type: application/nostr+json+rpc", "Content-Length: 0"));
        }
    }

    @Test
    void repositoriesHavePagesAndOthersSaySo() throws IOException {
        try (var site = new Site()) {
            var page = assertStatus(200, site.ask("GET", "/" + NPUB + "/hosted%3Cb%3E%20one.git"));
            assertEquals(Optional.of(HTML), page.find("Content-Type"));
            assertTrue(page.body().contains("hosted&lt;b&gt; one"), page.body());
            assertTrue(page.body().contains("/" + NPUB + "/hosted%3Cb%3E%20one.git"), page.body());
            assertTrue(page.body().contains("nostr://" + NPUB + "/ws%3A%2F%2F"), page.body());
            assertFalse(page.body().contains("<b>"), page.body());
            var tls = site.ask("GET", "/" + NPUB + "/hosted.git", "Test-Scheme: https");
            assertTrue(tls.body().contains("git clone https://"), tls.body());
            var missing = assertStatus(404, site.ask("GET", "/" + NPUB + "/x%3Cb%3E.git"));
            assertTrue(
                    missing.body().contains("Not hosted here") && missing.body().contains("x&lt;b&gt;"),
                    missing.body());
            assertStatus(405, site.ask("POST", "/" + NPUB + "/hosted.git", "Content-Length: 0"));
            assertStatus(404, site.ask("GET", "/prs/" + NPUB + "/x.git"));
        }
    }

    @Test
    void whatGitAsksGoesThroughItsDoor() throws IOException {
        try (var site = new Site()) {
            var answer =
                    assertStatus(200, site.ask("GET", "/" + NPUB + "/a.git.git/info/refs?service=git-upload-pack"));
            assertEquals("a.git info/refs", answer.body());
        }
    }

    @Test
    void basePathIsTheWholeWorld() throws IOException {
        try (var site = new Site(Map.of("BASE_PATH", "/base"))) {
            assertStatus(200, site.ask("GET", "/base"));
            assertStatus(200, site.ask("GET", "/base/"));
            assertStatus(200, site.ask("GET", "/base/health"));
            assertStatus(200, site.ask("GET", "/base/icon.png"));
            assertStatus(426, site.ask("GET", "/base", "Upgrade: websocket", "Connection: Upgrade"));
            for (var path : List.of("/", "/health", "/metrics", "/basement", "/base/.well-known/nostr.json")) {
                assertStatus(404, site.ask("GET", path));
            }
        }
    }

    @Test
    void wishForWebSocketGoesToTheDoor() throws IOException {
        try (var site = new Site()) {
            var wish = new String[] {"Upgrade: WebSocket", "Connection: keep-alive, Upgrade", INFORMATION};
            assertEquals("door", assertStatus(426, site.ask("GET", "/", wish)).body());
            assertStatus(404, site.ask("GET", "/nothing", wish));
            assertStatus(200, site.ask("HEAD", "/", wish));
            assertStatus(405, site.ask("POST", "/", "Upgrade: websocket", "Connection: Upgrade", "Content-Length: 0"));
        }
    }

    @Test
    void healthIsOkOrListsWhatIsInTheWay() throws IOException {
        try (var site = new Site()) {
            var good = assertStatus(200, site.ask("GET", "/health"));
            assertEquals("ok", good.body());
            assertEquals(Optional.of("text/plain"), good.find("Content-Type"));
            site.readiness.begin(Reason.STORE_READ_ONLY);
            site.readiness.begin(Reason.DISK_FLOOR);
            var bad = assertStatus(503, site.ask("GET", "/health"));
            assertEquals("[\"disk floor\",\"store read-only\"]", bad.body());
            assertEquals(Optional.of("application/json"), bad.find("Content-Type"));
            assertEquals(Optional.of("10"), bad.find("Retry-After"));
            assertStatus(200, site.ask("GET", "/"));
        }
    }

    @Test
    void whileStartingOnlyHealthAnswers() throws IOException {
        try (var site = new Site()) {
            site.readiness.begin(Reason.STARTING);
            assertEquals(
                    "[\"starting\"]",
                    assertStatus(503, site.ask("GET", "/health")).body());
            for (var path : List.of("/", "/metrics", "/icon.png", "/nothing", "/.well-known/nostr.json")) {
                assertEquals(
                        Optional.of("10"),
                        assertStatus(503, site.ask("GET", path)).find("Retry-After"),
                        path);
            }
            assertStatus(503, site.ask("GET", "/", "Upgrade: websocket", "Connection: Upgrade"));
            assertStatus(503, site.ask("POST", "/", "Content-Length: 0"));
            assertStatus(204, site.ask("OPTIONS", "/"));
        }
    }

    @Test
    void detailsAreForThoseTheOperatorNames() throws IOException {
        try (var site = new Site(Map.of("METRICS_ALLOW", "10.0.0.0/8,2001:db8::/32"))) {
            site.readiness.begin(Reason.IMPORTING);
            for (var address : List.of("10.1.2.3", "2001:db8::1")) {
                assertStatus(200, site.ask("GET", "/metrics", "Test-Address: " + address));
                assertEquals(
                        "[\"importing\"]",
                        site.ask("GET", "/health", "Test-Address: " + address).body());
            }
            for (var address : List.of("11.1.2.3", "2001:db9::1", "127.0.0.1")) {
                assertEquals(
                        Optional.of(HTML),
                        assertStatus(404, site.ask("GET", "/metrics", "Test-Address: " + address))
                                .find("Content-Type"));
                assertEquals(
                        "not ready",
                        assertStatus(503, site.ask("GET", "/health", "Test-Address: " + address))
                                .body());
            }
        }
    }

    @Test
    void figuresAreTextForPrometheusUnlessSwitchedOff() throws IOException {
        try (var site = new Site()) {
            var answer = assertStatus(200, site.ask("GET", "/metrics"));
            assertEquals(Optional.of("text/plain; version=0.0.4; charset=utf-8"), answer.find("Content-Type"));
            assertTrue(
                    answer.body().contains("ngit_build_info{version=\"1.2.3\",commit=\"abc1234\"} 1\n"), answer.body());
        }
        try (var site = new Site(Map.of("METRICS_ENABLED", "false"))) {
            assertEquals(
                    "Metrics disabled",
                    assertStatus(404, site.ask("GET", "/metrics")).body());
        }
    }

    @Test
    void operatorHasAName() throws IOException {
        var hex = Site.OPERATOR.toHex();
        try (var site = new Site()) {
            var answer = assertStatus(200, site.ask("GET", "/.well-known/nostr.json?name=anybody"));
            assertEquals(
                    "{\"names\":{\"_\":\"" + hex + "\"},\"relays\":{\"" + hex + "\":[\"wss://git.example.com\"]}}",
                    answer.body());
            assertEquals(Optional.of("application/json; charset=utf-8"), answer.find("Content-Type"));
            assertEquals(Optional.of("max-age=3600"), answer.find("Cache-Control"));
        }
        try (var site = new Site(Map.of("DOMAIN", "localhost:7334"))) {
            assertTrue(site.ask("GET", "/.well-known/nostr.json").body().contains("[\"ws://localhost:7334\"]"));
        }
    }

    @Test
    void iconIsASmallPicture() throws IOException {
        try (var site = new Site()) {
            var answer = assertStatus(200, site.ask("HEAD", "/icon.png"));
            assertEquals(Optional.of("image/png"), answer.find("Content-Type"));
            assertEquals(Optional.of("public, max-age=86400"), answer.find("Cache-Control"));
        }
        var icon = Page.resource("icon.png");
        assertTrue(icon.length < 10_000, "it has " + icon.length + " bytes");
        assertEquals("PNG", new String(icon, 1, 3, StandardCharsets.US_ASCII));
    }

    @Test
    void mistakeOfOursIsToldAndCounted() throws IOException {
        RelayDoor broken = (_, _, _) -> {
            throw new IllegalStateException("made up by a test");
        };
        try (var site = new Site(Map.of(), HttpPort.Limits.DEFAULTS, broken)) {
            var answer = assertStatus(500, site.ask("GET", "/", "Upgrade: websocket", "Connection: Upgrade"));
            assertFalse(answer.body().contains("made up"), "what went wrong inside is for the log");
            assertFalse(answer.body().contains("IllegalState"));
            assertTrue(site.metrics.scrape().contains("\ngrapnel_internal_errors_total 1\n"));
        }
    }

    @Test
    void pathsAreNeverRepeated() throws IOException {
        try (var site = new Site()) {
            for (var path : List.of(
                    "/<script>alert(1)</script>",
                    "/%3Cscript%3Ealert(1)",
                    "/\"onload=alert(1)",
                    "/?alert(1)",
                    "/%zzalert(1)")) {
                var answer = site.ask("GET", path);
                assertEveryHeader(answer);
                assertFalse(answer.body().contains("alert(1)"), path);
                assertFalse(answer.lines().toString().contains("alert(1)"), path);
            }
        }
    }
}
