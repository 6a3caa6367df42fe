package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.ForwardedHeader;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Who is behind a proxy (relay 6.7).
final class ClientAddressesTest {
    private static final String PROXY = "127.0.0.1";
    private static final List<Cidr> TRUSTED = Stream.of("127.0.0.0/8", "10.0.0.0/8", "::1/128", "2001:db8:ffff::/48")
            .map(text -> Cidr.parse(text).require())
            .toList();

    private static String client(ForwardedHeader header, String peer, Map<String, List<String>> headers) {
        return new ClientAddresses(TRUSTED, header)
                .of(InetAddress.ofLiteral(peer), name -> headers.getOrDefault(name, List.of()))
                .toString();
    }

    private static String auto(Map<String, List<String>> headers) {
        return client(ForwardedHeader.AUTO, PROXY, headers);
    }

    private static String xForwardedFor(String... values) {
        return auto(Map.of("X-Forwarded-For", List.of(values)));
    }

    private static String forwarded(String... values) {
        return auto(Map.of("Forwarded", List.of(values)));
    }

    @Test
    void headersOfStrangersAreIgnored() {
        var headers = Map.of(
                "X-Forwarded-For", List.of("192.0.2.1"),
                "Forwarded", List.of("for=192.0.2.2"),
                "X-Real-IP", List.of("192.0.2.3"));
        assertEquals("198.51.100.7", client(ForwardedHeader.AUTO, "198.51.100.7", headers));
        assertEquals("2001:db8::7", client(ForwardedHeader.X_REAL_IP, "2001:db8::7", headers));
        assertEquals("192.0.2.1", client(ForwardedHeader.AUTO, PROXY, headers));
    }

    @Test
    void nobodyIsTrustedIfTheListIsEmpty() {
        var resolver = new ClientAddresses(List.of(), ForwardedHeader.AUTO);
        var client = resolver.of(InetAddress.ofLiteral(PROXY), _ -> List.of("192.0.2.1"));
        assertEquals(PROXY, client.toString());
    }

    @Test
    void peerIsTheClientWithoutHeaders() {
        assertEquals(PROXY, auto(Map.of()));
        assertEquals("192.0.2.9", client(ForwardedHeader.AUTO, "::ffff:192.0.2.9", Map.of()));
    }

    @Test
    void firstUntrustedFromTheRightIsTheClient() {
        assertEquals("192.0.2.1", xForwardedFor("192.0.2.1"));
        assertEquals("192.0.2.1", xForwardedFor("203.0.113.66, 192.0.2.1"));
        assertEquals("192.0.2.1", xForwardedFor("203.0.113.66,192.0.2.1 ,10.0.0.1,\t10.0.0.2 "));
        assertEquals("192.0.2.1", xForwardedFor("127.0.0.1, 192.0.2.1, ::1"));
        assertEquals("192.0.2.1", xForwardedFor("203.0.113.66", "192.0.2.1", "10.0.0.1, 10.0.0.2"));
        assertEquals("192.0.2.1", forwarded("for=203.0.113.66, for=192.0.2.1;proto=https, For=10.0.0.1"));
        assertEquals("192.0.2.1", forwarded("for=203.0.113.66", "proto=http ; for=192.0.2.1", "for=10.0.0.1"));
    }

    @Test
    void leftmostIsTheClientIfAllAreTrusted() {
        assertEquals("10.0.0.3", xForwardedFor("10.0.0.3, 10.0.0.2, 10.0.0.1"));
        assertEquals("127.0.0.5", forwarded("for=127.0.0.5"));
        assertEquals("10.0.0.3", auto(Map.of("X-Real-IP", List.of("10.0.0.3"))));
    }

    @Test
    void whatStandsLeftOfTheClientIsNotRead() {
        for (var hostile : List.of("", ",,,", "nonsense", "\"", "\"\\", "for=\"", "192.0.2.66\"", "\u0000", "=;=")) {
            assertEquals("192.0.2.1", xForwardedFor(hostile + ", 192.0.2.1"), hostile);
            assertEquals("192.0.2.1", xForwardedFor(hostile, "192.0.2.1"), hostile);
            assertEquals("192.0.2.1", forwarded(hostile + ", for=192.0.2.1;by=_x"), hostile);
            assertEquals("192.0.2.1", forwarded(hostile + ", for=\"192.0.2.1:5\";host=\"a\", for=10.0.0.1"), hostile);
        }
    }

    @Test
    void quotedTextOfAClientIsNoElement() {
        assertEquals("192.0.2.1", forwarded("for=192.0.2.1;host=\"a,for=203.0.113.66;x=\""));
        assertEquals("192.0.2.1", forwarded("for=192.0.2.1;host=\"a\\\",for=203.0.113.66;x=\\\"\""));
        assertEquals("192.0.2.1", forwarded("for=192.0.2.1;host=\"\\\\\", for=10.0.0.1"));
        assertEquals("192.0.2.1", forwarded("for=192.0.2.1;host=\"a\\\";for=203.0.113.66;x=\\\"\""));
        assertEquals("192.0.2.1", forwarded("host=\"x;for=203.0.113.66\";for=192.0.2.1"));
    }

    @Test
    void autoTakesTheFirstHeaderThatIsThere() {
        var real = List.of("192.0.2.3");
        assertEquals("192.0.2.3", auto(Map.of("X-Real-IP", real)));
        assertEquals("192.0.2.2", auto(Map.of("X-Real-IP", real, "Forwarded", List.of("for=192.0.2.2"))));
        assertEquals(
                "192.0.2.1",
                auto(Map.of(
                        "X-Real-IP", real,
                        "Forwarded", List.of("for=192.0.2.2"),
                        "X-Forwarded-For", List.of("192.0.2.1"))));
    }

    @Test
    void autoTriesNoOtherIfTheFirstIsUnreadable() {
        var real = List.of("192.0.2.3");
        for (var text : List.of("", ",", "nonsense", "192.0.2.1, unknown", "192.0.2.1, nonsense, 10.0.0.1")) {
            assertEquals(PROXY, auto(Map.of("X-Forwarded-For", List.of(text), "X-Real-IP", real)), text);
        }
        assertEquals(PROXY, auto(Map.of("Forwarded", List.of("for=unknown"), "X-Real-IP", real)));
    }

    @Test
    void namedHeaderIsTheOnlyOneRead() {
        var headers = Map.of(
                "X-Forwarded-For", List.of("192.0.2.1"),
                "Forwarded", List.of("for=192.0.2.2"),
                "X-Real-IP", List.of("192.0.2.3"));
        assertEquals("192.0.2.1", client(ForwardedHeader.X_FORWARDED_FOR, PROXY, headers));
        assertEquals("192.0.2.2", client(ForwardedHeader.FORWARDED, PROXY, headers));
        assertEquals("192.0.2.3", client(ForwardedHeader.X_REAL_IP, PROXY, headers));
        assertEquals(PROXY, client(ForwardedHeader.FORWARDED, PROXY, Map.of("X-Forwarded-For", List.of("192.0.2.1"))));
    }

    @Test
    void realIpIsOneAddressAndTheLastLineCounts() {
        assertEquals("192.0.2.3", auto(Map.of("X-Real-IP", List.of("203.0.113.66", " 192.0.2.3 "))));
        assertEquals(PROXY, auto(Map.of("X-Real-IP", List.of("203.0.113.66, 192.0.2.3"))));
    }

    @Test
    void portsBracketsQuotesAndZonesAreRead() {
        for (var text : List.of("192.0.2.1:80", "\"192.0.2.1\"", "\"192.0.2.1:65535\"", "::ffff:192.0.2.1")) {
            assertEquals("192.0.2.1", xForwardedFor(text), text);
            assertEquals("192.0.2.1", forwarded("for=" + text), text);
        }
        for (var text : List.of(
                "2001:db8::1",
                "[2001:db8::1]",
                "[2001:db8::1]:4711",
                "\"[2001:db8::1]:4711\"",
                "\"[2001:DB8::1]\"",
                "\"\\[2001:db8::1]:_hidden\"",
                "2001:db8::1%eth0",
                "[2001:db8::1%25en0]:1")) {
            assertEquals("2001:db8::1", xForwardedFor(text), text);
            assertEquals("2001:db8::1", forwarded("for=" + text + ";proto=https"), text);
        }
    }

    @Test
    void whatIsNoAddressGivesThePeer() {
        for (var text : List.of(
                "unknown",
                "_hidden",
                "\"_hidden\"",
                "localhost",
                "example.org:80",
                "1.2.3",
                "010.0.0.1",
                "192.0.2.1:",
                "192.0.2.1:http",
                "192.0.2.1:123456",
                "[192.0.2.1]",
                "[2001:db8::1",
                "2001:db8::1]",
                "[2001:db8::1]80",
                "[2001:db8::1]:",
                "[[2001:db8::1]]",
                "2001:db8::1%",
                "\"192.0.2.1",
                "192.0.2.1\"",
                "\"",
                "\"\"",
                "\"\\\"",
                "192.0.2.1 192.0.2.2",
                "192.0.2.1;",
                "unix:")) {
            assertEquals(PROXY, xForwardedFor(text), text);
        }
    }

    @Test
    void elementThatDoesNotSayForWhomGivesThePeer() {
        for (var text : List.of(
                "",
                "proto=https",
                "for",
                "for=",
                "for =192.0.2.1",
                "for=_hidden",
                "for=unknown",
                "for=192.0.2.1;for=192.0.2.2",
                "xfor=192.0.2.1",
                "by=192.0.2.1",
                "for=192.0.2.66, proto=https",
                "for=192.0.2.66, for=_hidden;proto=https",
                "192.0.2.1")) {
            assertEquals(PROXY, forwarded(text), text);
        }
    }

    @Test
    void longListsAreReadAsFarAsProxiesReach() {
        var trusted = "10.0.0.1, ".repeat(10_000);
        assertEquals("192.0.2.1", xForwardedFor(trusted + "192.0.2.1"));
        assertEquals(PROXY, xForwardedFor("192.0.2.1, " + trusted));
        assertEquals(PROXY, xForwardedFor("192.0.2.1, " + ",".repeat(10_000)));
        var few = "192.0.2.1" + ",10.0.0.1".repeat(ClientAddresses.HOPS_MAX - 1);
        assertEquals("192.0.2.1", xForwardedFor(few));
        assertEquals(PROXY, xForwardedFor(few + ",10.0.0.1"));
        var lines = IntStream.range(0, 10_000).mapToObj(_ -> "10.0.0.1").toArray(String[]::new);
        assertEquals(PROXY, xForwardedFor(lines));
    }

    @Test
    void longElementsAreReadInOneGo() {
        for (var part : List.of("\"", "\\", "\\\"", "1", ":", ".", ";", "for=", "[", "a=\"b\";")) {
            var text = part.repeat(300_000);
            assertEquals(PROXY, xForwardedFor(text), part);
            assertEquals(PROXY, forwarded(text), part);
            assertEquals(PROXY, forwarded("for=" + text), part);
        }
    }

    @Test
    void noTextMakesItThrow() {
        var parts = List.of(
                "192.0.2.1",
                "10.0.0.1",
                "2001:db8::1",
                "::ffff:10.0.0.1",
                "[",
                "]",
                ":",
                "::",
                "\"",
                "\\",
                ",",
                ";",
                "=",
                "for=",
                "For=\"",
                "by",
                "_x",
                "unknown",
                "%eth0",
                ".",
                " ",
                "\t",
                "\n",
                "\r",
                "\u0000",
                "\u00e9",
                "\ud800",
                "\u2028",
                "80",
                "99999",
                "fffff",
                "$1",
                "(");
        var peers = List.of(PROXY, "::1", "198.51.100.7", "2001:db8:ffff::9");
        var headers = List.of(ForwardedHeader.values());
        var seen = new HashSet<String>();
        for (long seed = 0; seed < 50_000; seed++) {
            var random = new Random(seed);
            var lines = IntStream.range(0, random.nextInt(4))
                    .mapToObj(_ -> IntStream.range(0, random.nextInt(9))
                            .mapToObj(_ -> parts.get(random.nextInt(parts.size())))
                            .reduce("", String::concat))
                    .toList();
            var header = headers.get(random.nextInt(headers.size()));
            var peer = InetAddress.ofLiteral(peers.get(random.nextInt(peers.size())));
            seen.add(new ClientAddresses(TRUSTED, header).of(peer, _ -> lines).toString());
        }
        assertTrue(
                seen.containsAll(List.of("192.0.2.1", "10.0.0.1", "2001:db8::1", PROXY, "198.51.100.7")),
                seen::toString);
    }
}
