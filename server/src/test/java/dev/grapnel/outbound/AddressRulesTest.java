package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AddressRulesTest {
    private static final Host NAME = host("git.example.com");
    private static final List<String> CLOSED_NAMES = List.of(
            "localhost",
            "a.localhost",
            "intranet",
            "printer.local",
            "x.localdomain",
            "db.internal",
            "nas.home.arpa",
            "home.arpa",
            "x.test",
            "x.y.invalid");

    /// Row 161.
    @Test
    void addressesThatAreNotPublicAreRefused() {
        for (var text : List.of(
                "0.0.0.0",
                "0.255.255.255",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.255",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.1.1.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::808:808",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:2::1",
                "2001:10::1",
                "2001:1f::1",
                "2001:db8::1",
                "3fff::1",
                "3fff:fff::1",
                "fc00::1",
                "fd12::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "5f00::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b::a00:1",
                "2002:7f00:1::1",
                "2002:c0a8:101::",
                "2002:a00:1::1")) {
            assertRefused(Rule.ADDRESS, AddressRules.strict(), NAME, text);
        }
    }

    /// Row 161.
    @Test
    void publicAddressesPassAndAreJudgedByTheIpv4AddressInside() {
        for (var text : List.of(
                "8.8.8.8",
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1111",
                "2001:1::1",
                "2001:4860::8888",
                "2001:20::1",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808",
                "2002:808:808::1")) {
            assertPasses(AddressRules.strict(), NAME, text);
        }
    }

    @Test
    void mappedAddressThatStayedIpv6IsJudgedByTheIpv4AddressInside() throws UnknownHostException {
        var bytes = new byte[16];
        bytes[10] = (byte) 0xff;
        bytes[11] = (byte) 0xff;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress loopback = Inet6Address.getByAddress("x", bytes, 0);
        assertInstanceOf(Judged.Refused.class, AddressRules.strict().judgeAddresses(NAME, List.of(loopback)));
        bytes[12] = 8;
        InetAddress open = Inet6Address.getByAddress("x", bytes, 0);
        assertInstanceOf(Judged.Passed.class, AddressRules.strict().judgeAddresses(NAME, List.of(open)));
    }

    @Test
    void addressWithZoneIsRefusedEvenIfListed() throws UnknownHostException {
        var bytes = Inet6Address.ofLiteral("2606:4700::1").getAddress();
        InetAddress zoned = Inet6Address.getByAddress("x", bytes, 3);
        for (var rules : List.of(AddressRules.strict(), AddressRules.allowing(Urls.ranges("2606:4700::/32")))) {
            assertInstanceOf(Judged.Refused.class, rules.judgeAddresses(NAME, List.of(zoned)));
        }
    }

    /// Row 161.
    @Test
    void oneBadAddressAmongSeveralRefusesTheHost() {
        assertRefused(Rule.ADDRESS, AddressRules.strict(), NAME, "8.8.8.8", "10.0.0.1");
        assertRefused(Rule.ADDRESS, AddressRules.strict(), NAME, "2606:4700::1111", "8.8.8.8", "fd00::1");
        assertRefused(Rule.ADDRESS, AddressRules.strict(), NAME);
        assertPasses(AddressRules.strict(), NAME, "8.8.8.8", "2606:4700::1111");
    }

    /// Row 236.
    @Test
    void namesOfPrivateNetworksAreRefusedByName() {
        for (var name : CLOSED_NAMES) {
            var refused =
                    assertInstanceOf(Judged.Refused.class, AddressRules.strict().judgeName(host(name)), name);
            assertEquals(Rule.NAME, refused.rule());
        }
        for (var name : List.of(
                "git.example.com",
                "mylocalhost.example",
                "local.example",
                "git.nonlocal",
                "git.mylocalhost",
                "git.contest",
                "git.not-onion",
                "8.8.8.8",
                "[::1]")) {
            assertInstanceOf(Judged.Passed.class, AddressRules.strict().judgeName(host(name)), name);
        }
    }

    /// Row 236, P-814: with a list these names are looked up, and pass if every result is listed.
    @Test
    void listOpensPrivateNamesForListedAddressesOnly() {
        var rules = AddressRules.allowing(Urls.ranges("10.1.0.0/16"));
        for (var name : CLOSED_NAMES) {
            assertInstanceOf(Judged.Passed.class, rules.judgeName(host(name)), name);
            assertPasses(rules, host(name), "10.1.2.3");
            assertRefused(Rule.ADDRESS, rules, host(name), "8.8.8.8");
            assertRefused(Rule.ADDRESS, rules, host(name), "10.1.2.3", "10.2.0.0");
        }
    }

    /// P-815: no list opens onion services.
    @Test
    void onionServicesAreRefusedHereWhateverIsListed() {
        for (var rules : List.of(AddressRules.strict(), AddressRules.allowing(Urls.ranges("0.0.0.0/0", "::/0")))) {
            var refused = assertInstanceOf(Judged.Refused.class, rules.judgeName(host("abc.onion")));
            assertEquals(Rule.ONION, refused.rule());
        }
    }

    /// Row 170.
    @Test
    void listOpensExactlyTheListedRanges() {
        var rules = AddressRules.of(Urls.ranges("10.1.0.0/16", "fd00:1::/32"), false, Urls.service("git.example.com"));
        assertPasses(rules, NAME, "10.1.255.255", "8.8.8.8", "fd00:1::7", "64:ff9b::a01:1");
        assertRefused(Rule.ADDRESS, rules, NAME, "10.2.0.0");
        assertRefused(Rule.ADDRESS, rules, NAME, "127.0.0.1");
        assertRefused(Rule.ADDRESS, rules, NAME, "fd00:2::1");
        assertRefused(Rule.ADDRESS, rules, NAME, "169.254.169.254");
        assertEquals(List.of(), rules.openings());
    }

    /// Row 170.
    @Test
    void serviceDomainOnLoopbackOpensLoopbackAndSaysSo() {
        for (var domain : List.of("localhost:8080", "dev.localhost", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080")) {
            var rules = AddressRules.of(List.of(), false, Urls.service(domain));
            assertInstanceOf(Judged.Passed.class, rules.judgeName(host("localhost")));
            assertPasses(rules, host("localhost"), "127.0.0.1", "::1");
            assertPasses(rules, NAME, "127.0.0.1");
            assertPasses(rules, NAME, "8.8.8.8");
            assertRefused(Rule.ADDRESS, rules, host("localhost"), "8.8.8.8");
            assertRefused(Rule.ADDRESS, rules, NAME, "10.0.0.1");
            assertRefused(Rule.ADDRESS, rules, NAME, "169.254.169.254");
            assertInstanceOf(Judged.Refused.class, rules.judgeName(host("db.internal")));
            assertEquals(
                    List.of("address.loopback_allowed"),
                    rules.openings().stream().map(AddressRules.Opening::event).toList());
        }
        var elsewhere = AddressRules.of(List.of(), false, Urls.service("git.example.com"));
        assertRefused(Rule.ADDRESS, elsewhere, NAME, "127.0.0.1");
        assertEquals(List.of(), elsewhere.openings());
    }

    /// Row 170.
    @Test
    void switchOfTheExistingServerOpensPrivateRangesWithWarningButNotLinkLocal() {
        var rules = AddressRules.of(List.of(), true, Urls.service("git.example.com"));
        assertPasses(rules, NAME, "127.0.0.1", "::1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "fd00::1", "100.64.0.1");
        assertPasses(rules, host("db.internal"), "10.0.0.1");
        for (var closed : List.of("169.254.169.254", "fe80::1", "192.0.2.1", "0.0.0.0", "224.0.0.1", "::")) {
            assertRefused(Rule.ADDRESS, rules, NAME, closed);
        }
        assertEquals("address.non_global_allowed", rules.openings().getFirst().event());
        assertTrue(rules.openings().getFirst().text().contains("--address-allow"));
    }

    @Test
    void operatorMayNameAnyAddress() {
        var rules = AddressRules.none();
        for (var name : List.of("relay", "localhost", "x.internal", "relay.example")) {
            assertInstanceOf(Judged.Passed.class, rules.judgeName(host(name)), name);
            assertPasses(rules, host(name), "127.0.0.1", "10.0.0.1", "169.254.1.1", "::1", "8.8.8.8");
        }
        assertRefused(Rule.ADDRESS, rules, NAME);
        assertInstanceOf(Judged.Refused.class, rules.judgeName(host("x.onion")));
        assertEquals(List.of(), rules.openings());
    }

    private static Host host(String text) {
        return Host.parse(text).require();
    }

    private static void assertPasses(AddressRules rules, Host host, String... addresses) {
        assertInstanceOf(Judged.Passed.class, judge(rules, host, addresses), List.of(addresses)::toString);
    }

    private static void assertRefused(Rule rule, AddressRules rules, Host host, String... addresses) {
        var refused =
                assertInstanceOf(Judged.Refused.class, judge(rules, host, addresses), List.of(addresses)::toString);
        assertEquals(rule, refused.rule());
    }

    private static Judged<List<InetAddress>> judge(AddressRules rules, Host host, String... addresses) {
        return rules.judgeAddresses(
                host, Stream.of(addresses).map(InetAddress::ofLiteral).toList());
    }
}
