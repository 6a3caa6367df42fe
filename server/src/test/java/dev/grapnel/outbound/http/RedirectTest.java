package dev.grapnel.outbound.http;

import static dev.grapnel.outbound.Outside.LIMITS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.CertificateAuthority;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.Urls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Row 163.
final class RedirectTest {
    private static final String SUFFIX = "/info/refs?service=git-upload-pack";
    private static final long PLENTY = 1L << 20;

    private final Outside outside = new Outside();
    private final List<String> charged = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, outside.slots.inUse());
        outside.close();
    }

    @Test
    void goodRedirectIsFollowedAndChargedToItsTarget() throws IOException {
        outside.names.answer("other.example", "127.0.0.1");
        try (var target = RawServer.open(RawServer.answering(RawServer.ok("refs")));
                var first = redirecting("http://OTHER.example:" + target.port() + "/c/d.git" + SUFFIX);
                var answer = follow(Outside.url(first))) {
            assertEquals("refs", new String(answer.body().readAllBytes(), StandardCharsets.US_ASCII));
            assertEquals(
                    "http://other.example:" + target.port() + "/c/d.git",
                    answer.base().text());
            assertEquals(List.of("other.example"), charged);
        }
    }

    @Test
    void redirectToPrivateAddressOrNameIsRefused() throws IOException {
        outside.names.answer("private.example", "10.0.0.1").answer("db.internal", "10.0.0.2");
        try (var victim = RawServer.open("127.0.0.2", 0, _ -> {})) {
            for (var host : List.of("private.example", "127.0.0.2", "db.internal", "[::ffff:127.0.0.2]")) {
                assertEquals(Rule.ADDRESS, refusal("http://" + host + ":" + victim.port() + "/x" + SUFFIX), host);
            }
            assertEquals(0, victim.accepted());
        }
    }

    @Test
    void redirectToOurselvesIsRefused() throws IOException {
        assertEquals(Rule.OWN, refusal("https://git.example.com/x" + SUFFIX));
    }

    @Test
    void redirectOfBadShapeIsRefused() throws IOException {
        assertEquals(Rule.SCHEME, refusal("ftp://other.example/x" + SUFFIX));
        assertEquals(Rule.SCHEME, refusal("file:///x" + SUFFIX));
        assertEquals(Rule.PORT, refusal("http://other.example:22/x" + SUFFIX));
        assertEquals(Rule.SHAPE, refusal("http://a:b@other.example/x" + SUFFIX));
        assertEquals(Rule.SHAPE, refusal("http://other.example/x?y" + SUFFIX));
        assertEquals(Rule.REDIRECT, refusal("http://other.example/login"));
        assertEquals(Rule.REDIRECT, refusal("http://other.example/x" + SUFFIX + "&token=1"));
        assertEquals(List.of(), charged);
    }

    @Test
    void encryptedConnectionDoesNotLeadToPlainOne() throws IOException {
        var authority = new CertificateAuthority();
        try (var secure = new Outside(authority.trusting());
                var plain = RawServer.open(_ -> {});
                var first = RawServer.open(
                        authority.serving(Outside.HOST),
                        RawServer.answering(
                                RawServer.redirect(Outside.url(plain).text() + SUFFIX)))) {
            var request = Request.get(Outside.secureUrl(first), SUFFIX, LIMITS, PLENTY);
            var e = assertThrows(
                    OutboundException.class, () -> secure.client.askFollowing(request, _ -> true, new Cancellation()));
            assertEquals(Rule.REDIRECT, ((Failure.Redirected) e.failure()).rule());
            assertEquals(0, plain.accepted());
        }
    }

    @Test
    void fourthRedirectIsRefused() throws IOException {
        try (var loop = RawServer.open(peer -> {
            var path = RawServer.readHead(peer.getInputStream()).split(" ", -1)[1];
            var next = "/n" + path;
            peer.getOutputStream().write(RawServer.redirect(next).getBytes(StandardCharsets.US_ASCII));
        })) {
            var e = assertThrows(OutboundException.class, () -> follow(Outside.url(loop)));
            assertEquals(Rule.REDIRECT, ((Failure.Redirected) e.failure()).rule());
            assertEquals(4, loop.accepted());
            assertEquals(3, charged.size());
        }
    }

    @Test
    void thirdRedirectIsFollowed() throws IOException {
        try (var loop = RawServer.open(peer -> {
                    var path = RawServer.readHead(peer.getInputStream()).split(" ", -1)[1];
                    var answer = path.startsWith("/n/n/n/") ? RawServer.ok("x") : RawServer.redirect("/n" + path);
                    peer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                });
                var answer = follow(Outside.url(loop))) {
            assertEquals(200, answer.status());
            assertTrue(answer.base().path().startsWith("/n/n/n/a/"));
        }
    }

    @Test
    void targetWithoutPermitEndsTheRequestAsBusy() throws IOException {
        outside.names.answer("other.example", "127.0.0.1");
        try (var target = RawServer.open(_ -> {});
                var first = redirecting("http://other.example:" + target.port() + "/x" + SUFFIX)) {
            var request = Request.get(Outside.url(first), SUFFIX, LIMITS, PLENTY);
            var e = assertThrows(
                    OutboundException.class,
                    () -> outside.client.askFollowing(request, _ -> false, new Cancellation()));
            assertInstanceOf(Failure.Busy.class, e.failure());
            assertEquals(0, target.accepted());
        }
    }

    @Test
    void redirectedPostAndLaterGetAreRefused() throws IOException {
        try (var server = redirecting("/elsewhere" + SUFFIX)) {
            var post = Request.post(Outside.url(server), "/git-upload-pack", Body.of(new byte[1]), LIMITS, PLENTY);
            var get = Request.get(Outside.url(server), SUFFIX, LIMITS, PLENTY);
            for (var request : List.of(post, get)) {
                var e = assertThrows(OutboundException.class, () -> outside.client.ask(request, new Cancellation()));
                assertEquals(Rule.REDIRECT, ((Failure.Redirected) e.failure()).rule());
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> outside.client.askFollowing(post, _ -> true, new Cancellation()));
            assertEquals(2, server.accepted());
        }
    }

    @Test
    void relativeTargetsAreReadFromWhereTheyStand() {
        var request = Request.get(Urls.git("https://host.example:8443/a/b.git"), SUFFIX, LIMITS, PLENTY);
        assertEquals("https://host.example:8443/c", target(request, "/c" + SUFFIX));
        assertEquals("https://other.example/c", target(request, "//other.example/c" + SUFFIX));
        assertEquals("https://host.example:8443/a/c", target(request, "../../c" + SUFFIX));
        assertEquals("https://other.example/", target(request, "https://other.example" + SUFFIX));
        assertInstanceOf(Judged.Refused.class, Redirects.judge(request, Optional.empty(), Urls.GIT));
        assertInstanceOf(Judged.Refused.class, Redirects.judge(request, Optional.of(""), Urls.GIT));
    }

    private static String target(Request request, String location) {
        return Redirects.judge(request, Optional.of(location), Urls.GIT)
                .require()
                .text();
    }

    private static RawServer redirecting(String location) throws IOException {
        return RawServer.open(RawServer.answering(RawServer.redirect(location)));
    }

    private Answer follow(RemoteUrl url) throws IOException {
        var request = Request.get(url, SUFFIX, LIMITS, PLENTY);
        return outside.client.askFollowing(request, target -> charged.add(target.domain()), new Cancellation());
    }

    private Rule refusal(String location) throws IOException {
        try (var server = redirecting(location)) {
            var e = assertThrows(OutboundException.class, () -> follow(Outside.url(server)));
            return assertInstanceOf(Failure.Redirected.class, e.failure()).rule();
        }
    }
}
