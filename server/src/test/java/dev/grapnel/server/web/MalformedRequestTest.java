package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that no handler ever sees still get an answer that a browser can read (service 2.3, 2.8).
final class MalformedRequestTest {
    private Site site = new Site();

    MalformedRequestTest() throws IOException {}

    @AfterEach
    void stop() {
        site.close();
    }

    private void assertAnswer(int status, String... lines) throws IOException {
        var answer = site.raw(lines);
        assertEquals(status, answer.status(), lines[0]);
        assertEquals(List.of("*"), answer.all("Access-Control-Allow-Origin"), lines[0]);
        assertEquals(List.of("WWW-Authenticate, Retry-After"), answer.all("Access-Control-Expose-Headers"), lines[0]);
        assertEquals(List.of("grapnel"), answer.all("Server"), lines[0]);
        assertEquals(1, answer.all("Date").size(), lines[0]);
        assertFalse(answer.toString().toLowerCase(java.util.Locale.ROOT).contains("jetty"), answer.toString());
        assertFalse(answer.body().contains("Exception"), answer.body());
    }

    @Test
    void requestLineThatCannotBeRead() throws IOException {
        for (var line : List.of(
                "garbage",
                "GET",
                "GET /",
                "GET / HTTP/9.9",
                "GET / SOMETHING/1.1",
                "G\u0001T / HTTP/1.1",
                "GET * HTTP/1.1",
                "GET /\u0000 HTTP/1.1",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003")) {
            assertAnswer(400, line, "Host: x");
        }
    }

    @Test
    void headersThatCannotBeRead() throws IOException {
        var get = "GET / HTTP/1.1";
        assertAnswer(400, get);
        assertAnswer(400, get, "Host: x", "Host: y");
        assertAnswer(400, get, "Host: x:99999999");
        assertAnswer(400, get, "Host: x", "Bad Header: y");
        assertAnswer(400, get, "Host: x", "NoColon");
        assertAnswer(400, get, "Host: x", " folded: y");
        assertAnswer(400, get, "Host: x", "Content-Length: abc");
        assertAnswer(400, get, "Host: x", "Content-Length: 1", "Content-Length: 2");
        assertAnswer(400, get, "Host: x", "Content-Length: 1", "Transfer-Encoding: chunked");
        assertAnswer(400, get, "Host: x", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: !");
    }

    @Test
    void wishForWebSocketThatIsNotOfTheConnection() throws IOException {
        assertAnswer(400, "GET / HTTP/1.1", "Host: x", "Upgrade: websocket");
        assertAnswer(400, "GET / HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: keep-alive");
    }

    @Test
    void headOfMoreThanSixteenKibibytes() throws IOException {
        assertAnswer(400, "GET / HTTP/1.1", "Host: x", "A: " + "b".repeat(16 * 1024));
        assertAnswer(400, "GET /" + "b".repeat(16 * 1024) + " HTTP/1.1", "Host: x");
        var head = String.join("\r\n", "GET /health HTTP/1.1", "Host: x", "A: ");
        assertAnswer(200, head + "b".repeat(16 * 1024 - head.length() - 4));
    }

    @Test
    void brokenEscapeLeadsNowhere() throws IOException {
        for (var path : List.of("/%", "/%2", "/%zz", "/a%u00", "/%00", "/%ff", "/%c0%af", "/%e9")) {
            assertAnswer(404, "GET " + path + " HTTP/1.1", "Host: x");
        }
    }

    @Test
    void expectationThatNobodyKnows() throws IOException {
        assertAnswer(417, "GET / HTTP/1.1", "Host: x", "Expect: everything");
    }

    @Test
    void answerToRubbishIsShortText() throws IOException {
        var answer = site.raw("rubbish");
        assertEquals("400 Bad Request\n", answer.body());
        assertEquals(Optional.of("text/plain"), answer.find("Content-Type"));
    }
}
