package dev.grapnel.outbound;

import static dev.grapnel.outbound.Outside.LIMITS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Certificates by an authority that the test makes itself.
final class TlsTest {
    private static final CertificateAuthority AUTHORITY = new CertificateAuthority();

    private final Outside outside = new Outside(AUTHORITY.trusting());

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, outside.slots.inUse());
        outside.close();
    }

    /// P-804: the address was checked, the name is verified.
    @Test
    void certificateMustBeForTheNameThatWasPublished() throws Exception {
        var asked = new CompletableFuture<String>();
        var tls = AUTHORITY.serving(Outside.HOST);
        try (var server = RawServer.open(tls, peer -> {
                    peer.getOutputStream().write('y');
                    asked.complete(serverName((SSLSocket) peer));
                });
                var line = outside.dialer.dial(Outside.secureUrl(server), LIMITS, new Cancellation())) {
            assertEquals('y', line.input().read());
            assertEquals(Outside.HOST, asked.join());
        }
        assertEquals(new Failure.CertificateInvalid(), failureWith(AUTHORITY.serving("other.example")));
    }

    @Test
    void certificateWhoseTimeIsOverIsInvalid() throws IOException {
        assertEquals(new Failure.CertificateInvalid(), failureWith(AUTHORITY.servingExpired(Outside.HOST)));
    }

    @Test
    void certificateByAnAuthorityNobodyTrustsIsInvalid() throws IOException {
        assertEquals(new Failure.CertificateInvalid(), failureWith(new CertificateAuthority().serving(Outside.HOST)));
    }

    /// The machine's own list of authorities does not know the test's.
    @Test
    void trustOfTheMachineIsUsedUnlessAnotherIsGiven() throws IOException {
        try (var machine = new Outside();
                var server = RawServer.open(
                        AUTHORITY.serving(Outside.HOST),
                        peer -> peer.getOutputStream().write('y'))) {
            var e = assertThrows(
                    OutboundException.class,
                    () -> machine.dialer.dial(Outside.secureUrl(server), LIMITS, new Cancellation()));
            assertEquals(new Failure.CertificateInvalid(), e.failure());
        }
    }

    @Test
    void alertOfTheOtherSideIsRefusedHandshake() throws IOException {
        var tls = AUTHORITY.serving(Outside.HOST);
        try (var server = RawServer.open(tls, peer -> {
            var socket = (SSLSocket) peer;
            socket.setHandshakeApplicationProtocolSelector((_, _) -> null);
            socket.startHandshake();
        })) {
            assertEquals(new Failure.HandshakeRefused(), fail(server, LIMITS));
        }
    }

    @Test
    void serverWithoutTlsIsNoBadCertificate() throws IOException {
        try (var server = RawServer.open(peer -> {
            peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            peer.getInputStream().readAllBytes();
        })) {
            assertEquals(new Failure.TlsFailed(), fail(server, LIMITS));
        }
    }

    @Test
    void serverThatHangsUpDuringTheHandshakeIsBroken() throws IOException {
        try (var server = RawServer.open(peer -> peer.getInputStream().read(new byte[10_000]))) {
            assertEquals(new Failure.Broken(), fail(server, LIMITS));
        }
    }

    @Test
    void handshakeThatDoesNotEndTimesOut() throws IOException {
        var limits = new LineLimits(
                Duration.ofSeconds(20),
                Duration.ofMillis(100),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                0,
                Duration.ofSeconds(300),
                Duration.ofSeconds(20));
        try (var server = RawServer.open(peer -> peer.getInputStream().readAllBytes())) {
            assertEquals(new Failure.Timeout(Failure.Limit.TLS), fail(server, limits));
        }
    }

    private static String serverName(SSLSocket socket) {
        var session = (ExtendedSSLSession) socket.getSession();
        return List.copyOf(session.getRequestedServerNames()).stream()
                .map(name -> ((SNIHostName) name).getAsciiName())
                .findFirst()
                .orElse("");
    }

    private Failure failureWith(SSLContext tls) throws IOException {
        try (var server = RawServer.open(tls, peer -> peer.getOutputStream().write('y'))) {
            return fail(server, LIMITS);
        }
    }

    private Failure fail(RawServer server, LineLimits limits) {
        return assertThrows(
                        OutboundException.class,
                        () -> outside.dialer.dial(Outside.secureUrl(server), limits, new Cancellation()))
                .failure();
    }
}
