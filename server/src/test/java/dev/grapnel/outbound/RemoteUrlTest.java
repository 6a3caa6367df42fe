package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Scheme;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RemoteUrlTest {
    private static final UrlShape GIT = Urls.GIT;

    /// Row 160.
    @Test
    void schemesOfOtherProtocolsAreRefused() {
        for (var text : List.of(
                "ssh://git@host.example/x.git",
                "git@host.example:x.git",
                "git://host.example/x.git",
                "file:///etc/passwd",
                "/etc/passwd",
                "ext::sh -c id",
                "http::https://host.example/x",
                "ftp://host.example/x",
                "-oProxyCommand=id",
                "--upload-pack=id",
                "nostr://npub1/x",
                "wss://host.example/x",
                "")) {
            assertRefused(Rule.SCHEME, text, GIT);
        }
    }

    /// Row 160.
    @Test
    void httpIsRefusedWhereOnlyHttpsIsAllowed() {
        var secure = UrlShape.git(List.of(Scheme.HTTPS));
        assertRefused(Rule.SCHEME, "http://host.example/x.git", secure);
        assertTrue(RemoteUrl.parse("https://host.example/x.git", secure).find().isPresent());
    }

    /// Row 160.
    @Test
    void anythingButHostPortAndPathIsRefusedAndNotRepaired() {
        for (var text : List.of(
                "https://user@host.example/x",
                "https://user:secret@host.example/x",
                "https://@host.example/x",
                "https://host.example/x?y=z",
                "https://host.example/x?",
                "https://host.example/x#y",
                "https://host.example/x#",
                "https://host.example",
                "https:///x",
                "https://host.example/" + "x".repeat(2_048),
                " https://host.example/x",
                "https://host.example/x ",
                "\u00a0https://host.example/x",
                "https://host.example/x\u3000",
                "https://host.example/a\nb",
                "https://host.example/a%0ab",
                "https://host.example/a%00",
                "https://host.example/a\\b",
                "https://host.example/%zz",
                "https://host.example:0/x",
                "https://host.example:99999/x",
                "https://2130706433/x",
                "https://0x7f.0.0.1/x",
                "https://0177.0.0.1/x",
                "https://127.1/x",
                "https://[fe80::1%25eth0]/x")) {
            assertRefused(Rule.SHAPE, text, GIT);
        }
    }

    /// Row 160.
    @Test
    void portsOfOtherServicesAreRefused() {
        for (int port : new int[] {1, 22, 25, 81, 442, 1023}) {
            assertRefused(Rule.PORT, "https://host.example:" + port + "/x", GIT);
        }
        for (int port : new int[] {80, 443, 1024, 8080, 65_535}) {
            assertEquals(port, Urls.git("https://host.example:" + port + "/x").port());
        }
    }

    @Test
    void urlOfTheGreatestLengthIsTaken() {
        var text = "https://host.example/";
        assertTrue(RemoteUrl.parse(text + "x".repeat(2_048 - text.length()), GIT)
                .find()
                .isPresent());
    }

    /// Row 118.
    @Test
    void spellingsOfOneAddressAreOne() {
        var spellings = List.of(
                "https://host.example/a/b.git",
                "HTTPS://HOST.example/a/b.git",
                "https://host.example:443/a/b.git",
                "https://host.example./a/b.git",
                "https://host.example/a/b.git/",
                "https://host.example/a/b.git//",
                "https://host.example/a/./b.git",
                "https://host.example/a/c/../b.git",
                "https://host.example/../a/b.git",
                "https://host.example/a/%2e/b.git",
                "https://host.example/%61/b%2Egit");
        Set<RemoteUrl> urls = new HashSet<>();
        for (var text : spellings) {
            urls.add(Urls.git(text));
            assertEquals("https://host.example/a/b.git", Urls.git(text).text());
        }
        assertEquals(1, urls.size());
    }

    @Test
    void queryWithoutAWordIsNone() {
        assertEquals(
                RemoteUrl.parse("wss://host.example", UrlShape.relay()).require(),
                RemoteUrl.parse("wss://host.example/?", UrlShape.relay()).require());
        assertEquals(
                "wss://host.example?a",
                RemoteUrl.parse("wss://host.example/?a", UrlShape.relay())
                        .require()
                        .text());
    }

    @Test
    void textIsReadAsTheSameUrlAgain() {
        for (var text : List.of(
                "https://host.example/",
                "http://host.example:8080/a%2Fb/c%20d/%E2%82%AC/e+f@g:h",
                "https://[2001:DB8:0::1]:8443/x",
                "https://b\u00fccher.example/x")) {
            var url = Urls.git(text);
            assertEquals(url, Urls.git(url.text()));
            assertEquals(url.text(), Urls.git(url.text()).text());
        }
        assertEquals(
                "http://host.example:8080/a%2Fb/c%20d/%E2%82%AC/e+f@g:h",
                Urls.git("http://host.example:8080/a%2fb/c%20d/\u20ac/e%2Bf%40g:h")
                        .text());
    }

    /// Row 115.
    @Test
    void domainIsTheHostInOneSpelling() {
        assertEquals(Optional.of("host.example"), RemoteUrl.findDomain("https://HOST.example.:8443/x"));
        assertEquals(Optional.of("host.example"), RemoteUrl.findDomain("https://user:p@host.example/x"));
        assertEquals(Optional.of("host.example"), RemoteUrl.findDomain("http://host.example/a@b.example"));
        assertEquals(Optional.of("xn--bcher-kva.example"), RemoteUrl.findDomain("https://B\u00fccher.example/x"));
        assertEquals(Optional.of("[2001:db8::1]"), RemoteUrl.findDomain("https://[2001:DB8:0:0::1]:80/x"));
        for (var none : List.of("ssh://h.example/x", "git@h.example:x", "https:///x", "file:///x", "wss://h.example")) {
            assertEquals(Optional.empty(), RemoteUrl.findDomain(none), none);
        }
        assertEquals("host.example", Urls.git("https://HOST.example.:8443/x").domain());
    }

    /// Row 169.
    @Test
    void logsShowNoCredentialsQueriesAndControlCharacters() {
        assertEquals("https://host.example/x", RemoteUrl.clean("https://user:secret@host.example/x?token=secret"));
        assertEquals("https://host.example/x", RemoteUrl.clean("https://a:secret@b:secret@host.example/x#secret"));
        assertEquals("host.example:x", RemoteUrl.clean("secret@host.example:x"));
        assertEquals("https://h.example/a@b", RemoteUrl.clean("https://h.example/a@b"));
        assertEquals("https://h\\u001b[2J\\n/x", RemoteUrl.clean("https://h\u001b[2J\n/x"));
        assertEquals(
                200, RemoteUrl.clean("https://h.example/" + "x".repeat(500)).length());
        assertFalse(RemoteUrl.clean("https://" + "s".repeat(300) + "@host.example/x")
                .contains("sss"));
        var url = Urls.git("https://h.example/" + "\u20ac".repeat(100));
        assertEquals(200, url.clean().length());
        assertEquals(url.clean(), url.toString());
    }

    /// P-815: relay links use the same type.
    @Test
    void relayUrlsMayLackPathAndKeepTheirQuery() {
        var relay = UrlShape.relay();
        assertEquals(
                "wss://relay.example",
                RemoteUrl.parse("wss://RELAY.example:443/", relay).require().text());
        assertEquals(
                "ws://relay.example:7777/a?b=c",
                RemoteUrl.parse("ws://relay.example:7777/a/?b=c", relay)
                        .require()
                        .text());
        assertRefused(Rule.SCHEME, "https://relay.example/", relay);
        assertRefused(Rule.SHAPE, "wss://relay.example/" + "x".repeat(512), relay);
        assertRefused(Rule.PORT, "wss://relay.example:22/", relay);
    }

    @Test
    void relaysOfTheOperatorMayHaveAnyPort() {
        assertEquals(
                "ws://relay:22",
                RemoteUrl.parse("ws://relay:22/", UrlShape.configuredRelay())
                        .require()
                        .text());
    }

    @Test
    void relayIsDescribedWhereItIs() {
        assertEquals(
                "https://relay.example/a?b=c",
                RemoteUrl.parse("wss://relay.example/a/?b=c", UrlShape.relay())
                        .require()
                        .overHttp()
                        .text());
        assertEquals(
                "http://relay.example:7777/",
                RemoteUrl.parse("ws://relay.example:7777", UrlShape.relay())
                        .require()
                        .overHttp()
                        .text());
    }

    private static void assertRefused(Rule rule, String text, UrlShape shape) {
        switch (RemoteUrl.parse(text, shape)) {
            case Judged.Passed<RemoteUrl>(var url) -> throw new AssertionError(text + " passed as " + url);
            case Judged.Refused<RemoteUrl>(var found, var reason) -> {
                assertEquals(rule, found, text);
                assertFalse(reason.isEmpty());
            }
        }
    }
}
