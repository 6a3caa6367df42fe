package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.config.ProxyAddress;
import dev.grapnel.outbound.Gateway.Passage;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GatewayTest {
    private final ScriptedNames names = new ScriptedNames();
    private final OwnAddresses own = Urls.own("git.example.com");
    private final Gateway strict = new Gateway(AddressRules.strict(), own, names, Optional.empty());

    @Test
    void routeHoldsEveryCheckedAddressInOrder() {
        names.answer("host.example", "2606:4700::1", "8.8.8.8");
        var route = open(strict, "https://host.example/x");
        assertEquals("host.example", route.host().text());
        assertEquals(443, route.port());
        assertEquals(
                List.of(InetAddress.ofLiteral("2606:4700::1"), InetAddress.ofLiteral("8.8.8.8")), route.addresses());
        assertEquals(List.of("host.example"), names.asked());
    }

    /// Row 161.
    @Test
    void oneOfManyAddressesBeingPrivateClosesTheHost() {
        names.answer("host.example", "8.8.8.8", "192.168.1.1");
        assertEquals(Rule.ADDRESS, refusal(strict, "https://host.example/x"));
        var many = IntStream.rangeClosed(1, 30).mapToObj(i -> "8.8.8." + i).toList();
        names.answer("crowd.example", many.toArray(String[]::new));
        assertEquals(8, open(strict, "https://crowd.example/x").addresses().size());
        var poisoned = new ArrayList<>(many);
        poisoned.add("10.0.0.1");
        names.answer("poisoned.example", poisoned.toArray(String[]::new));
        assertEquals(Rule.ADDRESS, refusal(strict, "https://poisoned.example/x"));
    }

    /// Row 161.
    @Test
    void addressesAsHostsAreJudgedWithoutLookUp() {
        for (var host : List.of("127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:10.0.0.1]")) {
            assertEquals(Rule.ADDRESS, refusal(strict, "http://" + host + "/x"), host);
        }
        assertEquals(1, open(strict, "http://[2606:4700::1]:8080/x").addresses().size());
        assertEquals(List.of(), names.asked());
    }

    /// Row 236.
    @Test
    void namesOfPrivateNetworksAreNotLookedUp() {
        for (var host : List.of("localhost", "intranet", "a.local", "a.internal", "a.home.arpa", "a.test")) {
            assertEquals(Rule.NAME, refusal(strict, "http://" + host + "/x"), host);
        }
        assertEquals(List.of(), names.asked());
    }

    /// Row 236, row 170: an opened name is looked up and must lead to a listed address.
    @Test
    void openedNamesAreLookedUp() {
        names.answer("db.internal", "10.1.1.1").answer("x.internal", "8.8.8.8");
        var gateway = new Gateway(AddressRules.allowing(Urls.ranges("10.1.0.0/16")), own, names, Optional.empty());
        assertEquals(1, open(gateway, "http://db.internal/x").addresses().size());
        assertEquals(Rule.ADDRESS, refusal(gateway, "http://x.internal/x"));
        assertEquals(List.of("db.internal", "x.internal"), names.asked());
    }

    /// Row 170: what is opened for git fetches is open for relay links.
    @Test
    void relayLinksObeyTheSameList() {
        var gateway = new Gateway(AddressRules.allowing(Urls.ranges("10.1.0.0/16")), own, names, Optional.empty());
        var listed = RemoteUrl.parse("ws://10.1.2.3:7777", UrlShape.relay()).require();
        var other = RemoteUrl.parse("ws://10.2.2.3:7777", UrlShape.relay()).require();
        assertInstanceOf(Passage.Open.class, gateway.route(listed).join());
        assertInstanceOf(Passage.Closed.class, gateway.route(other).join());
        var mine = RemoteUrl.parse("wss://git.example.com", UrlShape.relay()).require();
        assertEquals(
                new Passage.Closed(new Failure.Policy(Rule.OWN, "it leads to this service itself")),
                gateway.route(mine).join());
    }

    /// P-622.
    @Test
    void ourselvesAreNeverAsked() {
        assertEquals(Rule.OWN, refusal(strict, "https://GIT.example.com/x"));
        assertEquals(List.of(), names.asked());
    }

    /// Row 239.
    @Test
    void failedLookUpIsToldApartFromNameThatDoesNotExist() {
        names.answer("gone.example", new Names.Lookup.NoSuchName())
                .answer("broken.example", new Names.Lookup.Failed())
                .answer("empty.example");
        assertEquals(new Passage.Closed(new Failure.NoSuchName()), pass(strict, "https://gone.example/x"));
        assertEquals(new Passage.Closed(new Failure.LookupFailed()), pass(strict, "https://broken.example/x"));
        assertEquals(new Passage.Closed(new Failure.LookupFailed()), pass(strict, "https://empty.example/x"));
    }

    /// P-815.
    @Test
    void onionServicesNeedProxyAndNothingElseUsesIt() {
        assertEquals(Rule.ONION, refusal(strict, "http://abc.onion/x"));
        var proxy = ProxyAddress.parse("127.0.0.1:9050").require();
        names.answer("host.example", "8.8.8.8");
        var gateway = new Gateway(AddressRules.strict(), own, names, Optional.of(proxy));
        var open = assertInstanceOf(Passage.Open.class, pass(gateway, "http://abc.onion/x"));
        assertEquals(proxy, assertInstanceOf(Route.Onion.class, open.route()).proxy());
        assertEquals(List.of(), names.asked());
        assertInstanceOf(Route.Direct.class, open(gateway, "http://host.example/x"));
    }

    private static Passage pass(Gateway gateway, String url) {
        return gateway.route(Urls.git(url)).join();
    }

    private static Route.Direct open(Gateway gateway, String url) {
        var open = assertInstanceOf(Passage.Open.class, pass(gateway, url));
        return assertInstanceOf(Route.Direct.class, open.route());
    }

    private static Rule refusal(Gateway gateway, String url) {
        var closed = assertInstanceOf(Passage.Closed.class, pass(gateway, url));
        return assertInstanceOf(Failure.Policy.class, closed.failure()).rule();
    }
}
