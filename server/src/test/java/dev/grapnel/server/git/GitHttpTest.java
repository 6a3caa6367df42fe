package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.GitUnderTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The HTTP side of git, request by request (service 2.5, 2.6, 2.8).
final class GitHttpTest {
    @TempDir
    private static Path directory;

    private static GitUnderTest server;
    private static String tip = "";
    private static final HttpClient HTTP = PlainHttp.client();

    @BeforeAll
    static void start() throws IOException {
        server = GitUnderTest.start(directory.resolve("server"));
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        tip = git.commit(work, "a.txt", "a");
        git.ok(work, "tag", "-a", "v1", "-m", "one");
        git.ok(work, "push", "--quiet", server.url("x"), "main", "v1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> get(String rest, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(server.endpoint("x", rest)).GET(), headers);
    }

    private static HttpResponse<String> post(String rest, byte[] body, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(server.endpoint("x", rest)).POST(BodyPublishers.ofByteArray(body)), headers);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        }
        return packed.toByteArray();
    }

    /// Each piece would wake the client once more.
    @Test
    void smallAnswersComeInOnePiece() throws Exception {
        var fetch = "0011command=fetch0001000fno-progress0032want " + tip + "\n0009done\n0000";
        for (var body : List.of("0014command=ls-refs\n0000", fetch)) {
            var request = HttpRequest.newBuilder(server.endpoint("x", "git-upload-pack"))
                    .version(HttpClient.Version.HTTP_1_1)
                    .POST(BodyPublishers.ofString(body));
            var answer = send(request, "Git-Protocol", "version=2");
            assertEquals(200, answer.statusCode());
            assertTrue(answer.body().endsWith("0000"), answer.body());
            assertEquals(
                    Long.toString(answer.body().length()),
                    answer.headers().firstValue("Content-Length").orElse("in pieces"));
        }
    }

    @Test
    void advertisementHasAllThatIsPromised() throws Exception {
        var answer = get("info/refs?service=git-upload-pack");
        assertEquals(200, answer.statusCode());
        assertEquals(
                "application/x-git-upload-pack-advertisement",
                answer.headers().firstValue("Content-Type").orElseThrow());
        assertEquals(
                "no-cache, max-age=0, must-revalidate",
                answer.headers().firstValue("Cache-Control").orElseThrow());
        assertEquals(
                "*", answer.headers().firstValue("Access-Control-Allow-Origin").orElseThrow());
        assertTrue(answer.body().startsWith("001e# service=git-upload-pack\n0000"), answer.body());
        for (var word : List.of(
                "multi_ack_detailed",
                "side-band-64k",
                "ofs-delta",
                "shallow",
                "no-progress",
                "filter",
                "allow-tip-sha1-in-want",
                "allow-reachable-sha1-in-want",
                "symref=HEAD:refs/heads/main",
                "object-format=sha1",
                "agent=grapnel/",
                "no-done",
                "thin-pack",
                "include-tag",
                "deepen-since",
                "deepen-not",
                tip + " refs/heads/main",
                tip + " refs/tags/v1^{}")) {
            assertTrue(answer.body().contains(word), word);
        }
    }

    @Test
    void versionTwoOffersCommands() throws Exception {
        for (var header : List.of("version=2", "foo:version=2", "version=1:version=2:bar=x")) {
            var body = get("info/refs?service=git-upload-pack", "Git-Protocol", header)
                    .body();
            for (var word : List.of(
                    "version 2\n",
                    "ls-refs=unborn\n",
                    "fetch=shallow wait-for-done filter\n",
                    "object-format=sha1\n")) {
                assertTrue(body.contains(word), header + " " + word);
            }
        }
        for (var header : List.of("version=3", "x".repeat(250) + ":version=2", "version=1")) {
            assertTrue(
                    get("info/refs?service=git-upload-pack", "Git-Protocol", header)
                            .body()
                            .contains(" HEAD\0"),
                    header);
        }
    }

    @Test
    void pushAdvertisementHasItsCapabilities() throws Exception {
        var body = get("a=b&service=git-receive-pack".replaceFirst("^", "info/refs?"), "Git-Protocol", "version=2")
                .body();
        assertTrue(body.startsWith("001f# service=git-receive-pack\n0000"), body);
        for (var word : List.of(
                "report-status ",
                "report-status-v2",
                "delete-refs",
                "side-band-64k",
                "quiet",
                "atomic",
                "ofs-delta",
                "push-options",
                "object-format=sha1")) {
            assertTrue(body.contains(word), word);
        }
        assertFalse(body.contains("push-cert"));
    }

    @Test
    void emptyRepositoryHasCapabilities() throws Exception {
        var answer = send(HttpRequest.newBuilder(server.endpoint("nothing yet", "info/refs?service=git-upload-pack")));
        assertTrue(answer.body().contains("0".repeat(40) + " capabilities^{}\0"), answer.body());
        assertTrue(answer.body().contains("allow-reachable-sha1-in-want"));
        assertFalse(answer.body().contains("symref"));
    }

    @Test
    void headIsGetWithoutBody() throws Exception {
        var head = send(HttpRequest.newBuilder(server.endpoint("x", "info/refs?service=git-upload-pack"))
                .HEAD());
        var full = get("info/refs?service=git-upload-pack");
        assertEquals(200, head.statusCode());
        assertEquals("", head.body());
        assertEquals(full.headers().firstValue("Content-Length"), head.headers().firstValue("Content-Length"));
        assertEquals(full.headers().firstValue("Content-Type"), head.headers().firstValue("Content-Type"));
    }

    @Test
    void whatIsNotOfferedHasItsStatus() throws Exception {
        assertEquals(400, get("info/refs").statusCode());
        assertEquals(400, get("info/refs?service=git-upload-archive").statusCode());
        assertEquals(400, get("info/refs?xservice=git-upload-pack").statusCode());
        assertEquals(404, get("info/refsXYZ?service=git-upload-pack").statusCode());
        for (var dumb : List.of(
                "HEAD",
                "objects/info/packs",
                "objects/ab/cdef",
                "config",
                "packed-refs",
                "info",
                "git-upload-pack/x")) {
            assertEquals(404, get(dumb).statusCode(), dumb);
        }
        var wrong = get("git-upload-pack");
        assertEquals(405, wrong.statusCode());
        assertEquals("POST, OPTIONS", wrong.headers().firstValue("Allow").orElseThrow());
        assertEquals(405, post("info/refs?service=git-upload-pack", new byte[0]).statusCode());
    }

    @Test
    void pathsThatAreNoneAreUnknown() throws Exception {
        var base = "http://127.0.0.1:" + server.port();
        var good = server.url("x").substring(base.length());
        var npub = good.substring(1, good.indexOf('/', 1));
        for (var path : List.of(
                "/" + npub + "/..%2f..%2fx.git/info/refs",
                "/../" + npub + "/x.git/info/refs",
                "/" + npub.toUpperCase(Locale.ROOT) + "/x.git/info/refs",
                "/npub1test/x.git/info/refs",
                "/" + npub + "/x/info/refs",
                "/" + npub + "/%2e%2e.git/info/refs",
                "/" + npub + "/..git/info/refs",
                "/" + npub + "/a%00b.git/info/refs",
                "/" + npub + "/a%0d%0ab.git/info/refs",
                "/" + npub + "/a%5cb.git/info/refs",
                "/" + npub + "/%zz.git/info/refs",
                "/" + npub + "/%ff.git/info/refs",
                "/" + npub + "/" + "x".repeat(201) + ".git/info/refs",
                "//" + npub + "/x.git/info/refs")) {
            var answer =
                    raw("GET " + path + "?service=git-upload-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertTrue(
                    answer.startsWith("HTTP/1.1 404") || answer.startsWith("HTTP/1.1 400"),
                    path + ": " + answer.lines().findFirst());
        }
    }

    private static String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(bytes(request));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String lsRefs() {
        return "0014command=ls-refs\n0001" + "0009peel\n" + "000csymrefs\n" + "0000";
    }

    @Test
    void listingRefsShowsPeeledTagsAndHead() throws Exception {
        var answer = post("git-upload-pack", bytes(lsRefs()), "Git-Protocol", "version=2");
        assertEquals(200, answer.statusCode());
        assertTrue(answer.body().contains(tip + " HEAD symref-target:refs/heads/main\n"), answer.body());
        assertTrue(answer.body().contains(" refs/tags/v1 peeled:" + tip + "\n"), answer.body());
    }

    @Test
    void packedBodiesAreUnpackedAndBrokenOnesRefused() throws Exception {
        for (var encoding : List.of("gzip", "x-gzip")) {
            var good = post(
                    "git-upload-pack",
                    gzip(bytes(lsRefs())),
                    "Git-Protocol",
                    "version=2",
                    "Content-Encoding",
                    encoding);
            assertEquals(200, good.statusCode());
        }
        var packed = gzip(bytes(lsRefs()));
        for (int cut : new int[] {1, 5, 12, packed.length - 1, packed.length - 8}) {
            var answer = post(
                    "git-upload-pack",
                    Arrays.copyOf(packed, cut),
                    "Git-Protocol",
                    "version=2",
                    "Content-Encoding",
                    "gzip");
            assertEquals(400, answer.statusCode(), "cut at " + cut);
        }
        var flipped = packed.clone();
        flipped[flipped.length - 6] ^= 1;
        assertEquals(
                400,
                post("git-upload-pack", flipped, "Git-Protocol", "version=2", "Content-Encoding", "gzip")
                        .statusCode());
        assertEquals(
                400,
                post("git-upload-pack", bytes(lsRefs()), "Git-Protocol", "version=2", "Content-Encoding", "gzip")
                        .statusCode());
        assertEquals(
                415,
                post("git-upload-pack", bytes(lsRefs()), "Content-Encoding", "br")
                        .statusCode());
    }

    /// A probe and a deletion need no pack, so nobody would read on.
    @Test
    void everyPackedBodyIsReadToItsEnd() throws Exception {
        for (var body : List.of("0000", deletionOf("refs/heads/gone"))) {
            for (var service : List.of("git-upload-pack", "git-receive-pack")) {
                var packed = gzip(bytes(body));
                var broken = packed.clone();
                broken[broken.length - 6] ^= 1;
                var followed = Arrays.copyOf(packed, packed.length + 5);
                for (var bad : List.of(broken, followed)) {
                    var answer = post(service, bad, "Content-Encoding", "gzip");
                    assertEquals(400, answer.statusCode(), service + " " + body);
                    assertTrue(answer.body().startsWith("Git error: "), answer.body());
                }
            }
        }
        assertEquals(
                200,
                post("git-receive-pack", gzip(bytes("0000")), "Content-Encoding", "gzip")
                        .statusCode());
        assertEquals(400, post("git-receive-pack", bytes("0000junk")).statusCode());
    }

    private static String deletionOf(String ref) {
        var line = tip + " " + "0".repeat(40) + " " + ref + "\0report-status\n";
        return HexFormat.of().toHexDigits((short) (line.length() + 4)) + line + "0000";
    }

    @Test
    void bodiesThatUnpackToTooMuchAreRefused() throws Exception {
        var bomb = gzip(new byte[32 << 20]);
        var answer = post("git-upload-pack", bomb, "Content-Encoding", "gzip");
        assertEquals(400, answer.statusCode());
        var line = "0032have " + "1".repeat(40) + "\n";
        var long1 = bytes(line.repeat((17 << 20) / line.length()));
        var head = bytes("0032want " + tip + "\n0000");
        var all = new ByteArrayOutputStream();
        all.write(head);
        all.write(long1);
        assertEquals(413, post("git-upload-pack", all.toByteArray()).statusCode());
    }

    @Test
    void brokenPacketsAreRefused() throws Exception {
        for (var body : List.of(
                "zzzz",
                "00",
                "0003",
                "0004x",
                "fff1",
                "0010want",
                "0032want " + "x".repeat(40) + "\n0000",
                "+004",
                "000ahello\n0000")) {
            assertEquals(400, post("git-upload-pack", bytes(body)).statusCode(), body);
        }
        for (var body : List.of("zzzz", "0003", "0010command\n0000", "0005a0000")) {
            assertEquals(400, post("git-receive-pack", bytes(body)).statusCode(), body);
        }
    }

    @Test
    void unavailableWantIsAnErrorOfGitNotOfHttp() throws Exception {
        var missing = "0123456789".repeat(4);
        var old = post("git-upload-pack", bytes("0032want " + missing + "\n00000009done\n"));
        assertEquals(200, old.statusCode());
        assertTrue(old.body().contains("ERR upload-pack: not our ref " + missing), old.body());
        var now = post(
                "git-upload-pack",
                bytes("0011command=fetch0001" + "0032want " + missing + "\n" + "0009done\n0000"),
                "Git-Protocol",
                "version=2");
        assertEquals(200, now.statusCode());
        assertTrue(now.body().contains("ERR upload-pack: not our ref " + missing), now.body());
    }

    @Test
    void probesAreAnsweredWithNothing() throws Exception {
        for (var service : List.of("git-upload-pack", "git-receive-pack")) {
            var answer = post(service, bytes("0000"));
            assertEquals(200, answer.statusCode());
            assertEquals("", answer.body());
            assertEquals(
                    "application/x-" + service + "-result",
                    answer.headers().firstValue("Content-Type").orElseThrow());
        }
    }

    @Test
    void chunkedBodiesAndExpectationsWork() throws Exception {
        var path = URI.create(server.url("x")).getPath() + "/git-upload-pack";
        var body = lsRefs();
        var chunked = raw("POST " + path
                + " HTTP/1.1\r\nHost: x\r\nGit-Protocol: version=2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
        assertTrue(chunked.startsWith("HTTP/1.1 200"), chunked);
        assertTrue(chunked.contains("refs/heads/main"), chunked);
        var expecting = raw("POST " + path
                + " HTTP/1.1\r\nHost: x\r\nGit-Protocol: version=2\r\nExpect: 100-continue\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body);
        assertTrue(expecting.contains("200 OK") && expecting.contains("refs/heads/main"), expecting);
    }

    @Test
    void brokenChunksAreAnErrorOfTheClient() throws Exception {
        var path = URI.create(server.url("x")).getPath() + "/git-upload-pack";
        var answer = raw("POST " + path + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
    }

    @Test
    void contentTypeDoesNotMatter() throws Exception {
        for (var type : List.of("application/x-git-upload-pack-request", "text/plain", "multipart/form-data")) {
            assertEquals(
                    200,
                    post("git-upload-pack", bytes(lsRefs()), "Git-Protocol", "version=2", "Content-Type", type)
                            .statusCode());
        }
    }

    @Test
    void repositoryPageTellsHowToClone() throws Exception {
        var page = HTTP.send(HttpRequest.newBuilder(URI.create(server.url("x"))).build(), BodyHandlers.ofString());
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("git clone " + server.url("x")), page.body());
        assertTrue(page.body().contains("nostr://npub1"));
        assertTrue(page.body().contains("https://gitworkshop.dev/npub1"));
    }
}
