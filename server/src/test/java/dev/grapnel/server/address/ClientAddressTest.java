package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.Cidr;
import dev.grapnel.nostr.Parsed;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Addresses as they are read, counted and written.
final class ClientAddressTest {
    private static ClientAddress address(String text) {
        return ClientAddress.parse(text).require();
    }

    private static String counted(String text) {
        return address(text).counted().toString();
    }

    @Test
    void ipv6IsCountedByItsNetwork() {
        assertEquals("2001:db8:1:2::", counted("2001:db8:1:2:3:4:5:6"));
        assertEquals(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assertNotEquals(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assertEquals("::", counted("::1"));
    }

    @Test
    void ipv4IsCountedByItself() {
        assertEquals("192.0.2.1", counted("192.0.2.1"));
        assertNotEquals(counted("192.0.2.1"), counted("192.0.2.2"));
    }

    @Test
    void ipv4InsideIpv6IsIpv4() throws UnknownHostException {
        assertEquals(address("192.0.2.1"), address("::ffff:192.0.2.1"));
        assertEquals(address("192.0.2.1"), address("::FFFF:c000:0201"));
        assertEquals("192.0.2.1", address("0:0:0:0:0:ffff:192.0.2.1").counted().toString());
        // With a scope the JDK leaves such an address as it is.
        var bytes = new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 1};
        assertEquals(address("192.0.2.1"), new ClientAddress(Inet6Address.getByAddress("host", bytes, 3)));
        assertNotEquals(address("192.0.2.1"), address("::192.0.2.1"));
    }

    @Test
    void namesAndZonesAreDropped() throws UnknownHostException {
        var plain = InetAddress.ofLiteral("fe80::1");
        var zoned = new ClientAddress(Inet6Address.getByAddress("host.example", plain.getAddress(), 7));
        assertEquals(new ClientAddress(plain), zoned);
        assertEquals("fe80::1", zoned.toString());
        assertEquals("fe80::", zoned.counted().toString());
    }

    @Test
    void rangesAreAskedForTheWholeAddress() {
        var ranges = List.of(
                Cidr.parse("10.0.0.0/8").require(),
                Cidr.parse("2001:db8::5/128").require());
        assertTrue(address("10.1.2.3").isIn(ranges));
        assertTrue(address("::ffff:10.1.2.3").isIn(ranges));
        assertTrue(address("2001:db8::5").isIn(ranges));
        assertFalse(address("2001:db8::6").isIn(ranges));
        assertFalse(address("11.0.0.1").isIn(List.of()));
    }

    @Test
    void textIsTheShortest() {
        assertEquals("2001:db8::1", address("2001:0DB8:0:0:0:0:0:1").toString());
        assertEquals("::", address("0:0:0:0:0:0:0:0").toString());
        assertEquals("192.0.2.1", address("192.0.2.1").toString());
    }

    @Test
    void onlyUsualSpellingsAreRead() {
        for (var text : List.of(
                "",
                "localhost",
                "1.2.3",
                "127.1",
                "16909060",
                "0x7f.0.0.1",
                "01.2.3.4",
                "1.2.3.04",
                "1.2.3.00",
                "1.2.3.256",
                "1.2.3.4.5",
                "1.2.3.",
                ".1.2.3",
                "1..2.3",
                "1.2.3.-4",
                "1.2.3.+4",
                " 1.2.3.4",
                "1.2.3.4 ",
                "\u0661.2.3.4",
                ":",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "1::2::3",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "12345::",
                "g::",
                "::1%eth0",
                "::%",
                "[::1]",
                "::1/64",
                "::1.2.3",
                "::01.2.3.4",
                "::1.2.3.4.5",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::+1",
                "::-1",
                "1:2:3:4:5:6:7:8 ",
                "0000:0000:0000:0000:0000:0000:0000:0000:0000:0001",
                ":".repeat(100_000))) {
            assertTrue(ClientAddress.parse(text) instanceof Parsed.Invalid, text);
        }
    }

    @Test
    void everySpellingOfAnAddressIsRead() {
        for (var text : List.of(
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "1::8",
                "1:2:3:4:5:6:1.2.3.4",
                "1::1.2.3.4",
                "::",
                "0.0.0.0",
                "255.255.255.255",
                "0000:0000:0000:0000:0000:ffff:255.255.255.255",
                "ABCD:ef01::")) {
            assertEquals(new ClientAddress(InetAddress.ofLiteral(text)), address(text), text);
        }
    }

    @Test
    void whatIsWrittenIsRead() {
        for (long seed = 0; seed < 2_000; seed++) {
            var random = new Random(seed);
            var bytes = new byte[random.nextBoolean() ? 4 : 16];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
            }
            var made = made(bytes);
            assertEquals(made, address(made.toString()), "seed " + seed);
            assertEquals(made, address(made.address().getHostAddress()), "seed " + seed);
        }
    }

    private static ClientAddress made(byte[] bytes) {
        try {
            return new ClientAddress(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
