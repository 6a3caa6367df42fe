package dev.grapnel.outbound;

import static dev.grapnel.outbound.Outside.LIMITS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ProxyAddress;
import dev.grapnel.nostr.url.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DialerTest {
    private final Outside outside = new Outside();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, outside.slots.inUse());
        outside.close();
    }

    /// Row 162: the name leads elsewhere the second time, and nobody asks a second time.
    @Test
    void connectionGoesToTheAddressThatWasChecked() throws IOException {
        try (var good = RawServer.open(peer -> peer.getOutputStream().write('y'));
                var bad = RawServer.open("127.0.0.2", good.port(), _ -> {})) {
            outside.names.answer("turn.example", "127.0.0.1").answer("turn.example", "127.0.0.2");
            var url = Urls.git("http://turn.example:" + good.port() + "/x");
            try (var line = outside.dialer.dial(url, LIMITS, new Cancellation())) {
                assertEquals('y', line.input().read());
            }
            assertEquals(List.of("turn.example"), outside.names.asked());
            assertEquals(new Failure.Policy(Rule.ADDRESS, "it leads to an address that is not public"), fail(url));
            assertEquals(1, good.accepted());
            assertEquals(0, bad.accepted());
        }
    }

    /// Row 161: observed with a listener.
    @Test
    void privateAddressAmongSeveralMeansNoConnectionAtAll() throws IOException {
        try (var good = RawServer.open(_ -> {});
                var bad = RawServer.open("127.0.0.2", good.port(), _ -> {})) {
            outside.names.answer("mixed.example", "127.0.0.1", "127.0.0.2");
            var failure = fail(Urls.git("http://mixed.example:" + good.port() + "/x"));
            assertEquals(
                    Rule.ADDRESS,
                    assertInstanceOf(Failure.Policy.class, failure).rule());
            assertEquals(0, good.accepted() + bad.accepted());
        }
    }

    /// Row 239.
    @Test
    void namesThatDoNotExistAreToldApartFromFailedLookUps() {
        outside.names.answer("broken.example", new Names.Lookup.Failed());
        assertEquals(new Failure.NoSuchName(), fail(Urls.git("https://unknown.example/x")));
        assertEquals(new Failure.LookupFailed(), fail(Urls.git("https://broken.example/x")));
    }

    @Test
    void nextAddressIsTriedWhenOneRefuses() throws IOException {
        var rules = AddressRules.allowing(Urls.ranges("127.0.0.0/8"));
        try (var server = RawServer.open(peer -> peer.getOutputStream().write('y'))) {
            outside.names.answer("two.example", "127.0.0.3", "127.0.0.1");
            var dialer = dialer(rules, Optional.empty());
            var url = Urls.git("http://two.example:" + server.port() + "/x");
            try (var line = dialer.dial(url, LIMITS, new Cancellation())) {
                assertEquals('y', line.input().read());
                assertEquals(1, outside.slots.inUse());
            }
        }
    }

    @Test
    void refusedConnectionIsNoTimeout() throws IOException {
        int port;
        try (var unused = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = unused.getLocalPort();
        }
        assertEquals(new Failure.ConnectFailed(), fail(Urls.git("http://127.0.0.1:" + port + "/x")));
    }

    /// P-654.
    @Test
    void fullAddressIsBusyAndNotWaitedFor() throws IOException {
        try (var server = RawServer.open(peer -> peer.getInputStream().read());
                var second = outside.dialer.dial(Outside.url(server), LIMITS, new Cancellation())) {
            var first = outside.dialer.dial(Outside.url(server), LIMITS, new Cancellation());
            assertInstanceOf(Failure.Busy.class, fail(Outside.url(server)));
            assertEquals(0, outside.freed.get());
            first.close();
            first.close();
            assertEquals(1, outside.freed.get());
            outside.dialer.dial(Outside.url(server), LIMITS, new Cancellation()).close();
            assertEquals(0, second.bytesReceived());
        }
    }

    @Test
    void connectionThatNobodyTakesTimesOut() throws IOException {
        try (var full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                var first = new Socket(full.getInetAddress(), full.getLocalPort());
                var second = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertTrue(first.isConnected() && second.isConnected());
            var limits = new LineLimits(
                    Duration.ofMillis(200),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    0,
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(20));
            var url = Urls.git("http://127.0.0.1:" + full.getLocalPort() + "/x");
            var failure = assertThrows(
                            OutboundException.class, () -> outside.dialer.dial(url, limits, new Cancellation()))
                    .failure();
            assertEquals(new Failure.Timeout(Failure.Limit.CONNECT), failure);
        }
    }

    @Test
    void lookUpThatHangsTimesOut() throws Exception {
        var time = new ManualTime();
        var asked = new CompletableFuture<Host>();
        var dialer = hanging(asked, time);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var dial = threads.submit(
                    () -> dialer.dial(Urls.git("https://slow.example/x"), LineLimits.DEFAULTS, new Cancellation()));
            asked.get(20, TimeUnit.SECONDS);
            while (time.waiting() == 0) {
                Thread.onSpinWait();
            }
            time.advance(Duration.ofSeconds(9));
            assertEquals(1, time.waiting());
            time.advance(Duration.ofSeconds(1));
            var e = assertThrows(ExecutionException.class, () -> dial.get(20, TimeUnit.SECONDS));
            assertEquals(
                    new Failure.Timeout(Failure.Limit.LOOKUP),
                    assertInstanceOf(OutboundException.class, e.getCause()).failure());
            assertEquals(0, time.waiting());
        }
    }

    @Test
    void lookUpThatHangsCanBeCancelled() throws Exception {
        var asked = new CompletableFuture<Host>();
        var dialer = hanging(asked, new ManualTime());
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var dial = threads.submit(
                    () -> dialer.dial(Urls.git("https://slow.example/x"), LineLimits.DEFAULTS, cancellation));
            asked.get(20, TimeUnit.SECONDS);
            cancellation.cancel();
            var e = assertThrows(ExecutionException.class, () -> dial.get(20, TimeUnit.SECONDS));
            assertEquals(
                    new Failure.Cancelled(),
                    assertInstanceOf(OutboundException.class, e.getCause()).failure());
        }
    }

    @Test
    void nothingBeginsAfterCancellation() throws IOException {
        try (var server = RawServer.open(_ -> {})) {
            var cancellation = new Cancellation();
            cancellation.cancel();
            var e = assertThrows(
                    OutboundException.class, () -> outside.dialer.dial(Outside.url(server), LIMITS, cancellation));
            assertEquals(new Failure.Cancelled(), e.failure());
            assertEquals(0, server.accepted());
            assertEquals(List.of(), outside.names.asked());
        }
    }

    /// P-815.
    @Test
    void onionServiceIsReachedThroughTheProxyByName() throws IOException {
        var asked = new CompletableFuture<String>();
        try (var proxy = RawServer.open(peer -> asked.complete(socks(peer, 0)))) {
            var dialer = dialer(AddressRules.strict(), Optional.of("127.0.0.1:" + proxy.port()));
            try (var line = dialer.dial(Urls.git("http://abc.onion:8080/x"), LIMITS, new Cancellation())) {
                assertEquals('y', line.input().read());
            }
            assertEquals("abc.onion:8080", asked.join());
            assertEquals(List.of(), outside.names.asked());
        }
    }

    /// P-815.
    @Test
    void proxyThatCannotReachTheServiceIsFailedConnection() throws IOException {
        try (var proxy = RawServer.open(peer -> socks(peer, 4))) {
            var dialer = dialer(AddressRules.strict(), Optional.of("127.0.0.1:" + proxy.port()));
            var e = assertThrows(
                    OutboundException.class,
                    () -> dialer.dial(Urls.git("http://abc.onion/x"), LIMITS, new Cancellation()));
            assertEquals(new Failure.ConnectFailed(), e.failure());
        }
    }

    /// Plays a SOCKS5 proxy and the service behind it.
    private static String socks(Socket peer, int reply) throws IOException {
        var in = peer.getInputStream();
        var out = peer.getOutputStream();
        assertEquals(3, in.readNBytes(3).length);
        out.write(new byte[] {5, 0});
        in.readNBytes(4);
        var name = new String(in.readNBytes(in.read()), StandardCharsets.US_ASCII);
        int port = in.read() << 8 | in.read();
        out.write(new byte[] {5, (byte) reply, 0, 1, 0, 0, 0, 0, 0, 0});
        out.write('y');
        return name + ":" + port;
    }

    private Dialer dialer(AddressRules rules, Optional<String> proxy) {
        var gateway = new Gateway(
                rules,
                Urls.own("git.example.com"),
                outside.names,
                proxy.map(text -> ProxyAddress.parse(text).require()));
        return new Dialer(
                gateway, outside.names, outside.slots, Dialer.systemTls(), new ManualTime(), System::nanoTime);
    }

    private Dialer hanging(CompletableFuture<Host> asked, ManualTime time) {
        Names names = name -> {
            asked.complete(name);
            return new CompletableFuture<>();
        };
        var gateway = new Gateway(AddressRules.strict(), Urls.own("git.example.com"), names, Optional.empty());
        return new Dialer(gateway, names, outside.slots, Dialer.systemTls(), time, time);
    }

    private Failure fail(RemoteUrl url) {
        return assertThrows(OutboundException.class, () -> outside.dialer.dial(url, LIMITS, new Cancellation()))
                .failure();
    }
}
