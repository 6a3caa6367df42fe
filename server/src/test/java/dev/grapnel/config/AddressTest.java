package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Ranges of addresses, and where to listen.
final class AddressTest {
    private static boolean contains(String cidr, String address) {
        return Cidr.parse(cidr).require().contains(InetAddress.ofLiteral(address));
    }

    @Test
    void rangesContainWhatSharesTheirFirstBits() {
        assertTrue(contains("10.0.0.0/8", "10.255.0.1"));
        assertFalse(contains("10.0.0.0/8", "11.0.0.1"));
        assertTrue(contains("192.168.0.130/25", "192.168.0.255"));
        assertFalse(contains("192.168.0.130/25", "192.168.0.127"));
        assertTrue(contains("0.0.0.0/0", "1.2.3.4"));
        assertFalse(contains("0.0.0.0/0", "::1"));
        assertTrue(contains("2001:db8::/33", "2001:db8:7fff::1"));
        assertFalse(contains("2001:db8::/33", "2001:db8:8000::1"));
        assertTrue(contains("::1", "::1"));
        assertTrue(contains("127.0.0.1", "127.0.0.1"));
        assertTrue(contains("::ffff:127.0.0.1", "127.0.0.1"));
        assertTrue(contains("::ffff:10.0.0.0/104", "10.255.0.1"));
        assertFalse(contains("::ffff:10.0.0.0/104", "11.0.0.1"));
    }

    @Test
    void addressesAreWrittenInTheShortStandardForm() {
        assertEquals("::1/128", text("0:0:0:0:0:0:0:1"));
        assertEquals("::/0", text("::/0"));
        assertEquals("2001:db8::/32", text("2001:0DB8:0:0::1/32"));
        assertEquals("2001:0:0:1::1/128", text("2001:0:0:1:0:0:0:1"));
        assertEquals("127.0.0.1/32", text("::ffff:127.0.0.1"));
        assertEquals("10.0.0.0/8", text("::ffff:10.1.2.3/104"));
        assertEquals("10.0.0.0/8", text("10.1.2.3/8"));
    }

    private static String text(String cidr) {
        return Cidr.parse(cidr).require().toString();
    }

    @Test
    void whatIsNoRangeIsRefused() {
        for (var text : List.of(
                "",
                "localhost",
                "10.0.0.0/33",
                "::1/129",
                "10.0.0/8",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "1",
                "a:b",
                "::ffff:10.0.0.0/8")) {
            assertTrue(Cidr.parse(text).find().isEmpty(), text);
        }
    }

    @Test
    void addressAndPortAreReadAndWritten() {
        assertEquals(
                "127.0.0.1:7334", BindAddress.parse("127.0.0.1:7334").require().toString());
        assertEquals("[::]:80", BindAddress.parse("[::]:80").require().toString());
        assertTrue(BindAddress.parse("[::1]:0").require().isLoopback());
        assertFalse(BindAddress.parse("0.0.0.0:1").require().isLoopback());
        for (var text : List.of(
                "",
                "7334",
                ":7334",
                "127.0.0.1",
                "127.0.0.1:",
                "127.0.0.1:65536",
                "::1:80",
                "[127.0.0.1:80",
                "host:80")) {
            assertTrue(BindAddress.parse(text).find().isEmpty(), text);
        }
    }
}
