package dev.grapnel.nostr.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceAddressTest {
    private static final PublicKey OWNER = PublicKey.parse(
                    "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
            .require();
    private static final String NPUB = "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266";
    private static final ServiceAddress PLAIN =
            ServiceAddress.parse("git.example.com", "/").require();
    private static final ServiceAddress WITH_PORT =
            ServiceAddress.parse("localhost:8080", "/").require();
    private static final ServiceAddress BELOW =
            ServiceAddress.parse("example.com", "/some/git").require();

    @ParameterizedTest
    @CsvSource({
        "https://git.example.com/x, true",
        "http://GIT.example.com:80, true",
        "https://git.example.com.:443, true",
        "wss://git.example.com, true",
        "https://git.example.com:80, false",
        "http://git.example.com:443, false",
        "https://git.example.com:8443, false",
        "https://mygit.example.com, false",
        "https://git.example.com.evil.org, false",
        "https://evil.org/git.example.com, false"
    })
    void domainWithoutPortMeansTheDefaultOfEachScheme(String url, boolean same) {
        assertEquals(same, PLAIN.sameHostAndPort(parse(url)));
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080, true",
        "wss://localhost:8080/, true",
        "http://localhost, false",
        "https://localhost:8081, false"
    })
    void domainWithPortMeansThatPort(String url, boolean same) {
        assertEquals(same, WITH_PORT.sameHostAndPort(parse(url)));
    }

    @Test
    void defaultPortInTheDomainMayBeLeftOutOfUrls() {
        var service = ServiceAddress.parse("a.b:443", "/").require();
        assertEquals(true, service.sameHostAndPort(parse("https://a.b")));
        assertEquals(false, service.sameHostAndPort(parse("http://a.b")));
        assertEquals("wss://a.b", service.relayUrl(Scheme.WSS));
        assertEquals("ws://a.b:443", service.relayUrl(Scheme.WS));
    }

    @ParameterizedTest
    @CsvSource({
        "ws://git.example.com/any/path?x, true",
        "wss://GIT.EXAMPLE.COM:443, true",
        "https://git.example.com, false",
        "wss://other.example.com, false"
    })
    void authenticationComparesHostAndPortOnly(String url, boolean same) {
        assertEquals(same, PLAIN.isRelayHost(parse(url)));
    }

    @ParameterizedTest
    @CsvSource({
        "wss://git.example.com, true",
        "ws://GIT.example.com:80/, true",
        "wss://git.example.com//, false",
        "wss://git.example.com/x, false",
        "wss://git.example.com/?x, false",
        "wss://u@git.example.com/, false",
        "https://git.example.com, false"
    })
    void relayUrlMayHaveOneSlashAtItsEnd(String url, boolean same) {
        assertEquals(same, PLAIN.isRelay(parse(url)));
    }

    @ParameterizedTest
    @CsvSource({
        "wss://example.com/some/git, true",
        "wss://example.com/some/git/, true",
        "wss://example.com/some, false",
        "wss://example.com, false",
        "wss://example.com/some%2Fgit, false"
    })
    void relayUrlHasTheBasePath(String url, boolean same) {
        assertEquals(same, BELOW.isRelay(parse(url)));
    }

    @ParameterizedTest
    @CsvSource({
        "https://git.example.com/a%20b?x=1, /a%20b?x=1, true",
        "wss://git.example.com:443/a/, /a, true",
        "http://git.example.com, /, true",
        "https://git.example.com/%61, /a, true",
        "https://git.example.com/a?, /a, true",
        "https://git.example.com/a?x=1, /a?x=2, false",
        "https://git.example.com/a, /a?x=1, false",
        "https://git.example.com/A, /a, false",
        "https://git.example.com/a//, /a, false",
        "https://git.example.com/a%2Fb, /a/b, false",
        "https://u@git.example.com/a, /a, false",
        "https://git.example.com/a#f, /a, false",
        "https://evil.org/a, /a, false"
    })
    void signedRequestNamesHostPathAndQuery(String url, String target, boolean same) {
        assertEquals(
                same, PLAIN.isRequest(parse(url), RequestTarget.parse(target).require()));
    }

    @Test
    void siblingsOnOneHostAreNotTheService() {
        assertEquals(true, BELOW.covers(parse("https://example.com/some/git/x")));
        assertEquals(true, BELOW.covers(parse("https://example.com/some/git")));
        assertEquals(false, BELOW.covers(parse("https://example.com/some/github")));
        assertEquals(false, BELOW.covers(parse("https://example.com/some")));
        assertEquals(true, PLAIN.covers(parse("https://git.example.com")));
    }

    @Test
    void ownUrlsAreEscapedAndFoundAgain() {
        var identifier = "my repo: é%/…";
        assertEquals(
                "https://git.example.com/" + NPUB + "/my%20repo%3A%20%C3%A9%25%2F%E2%80%A6.git",
                PLAIN.cloneUrl(Scheme.HTTPS, OWNER, identifier));
        assertEquals("/some/git/" + NPUB + "/x.git", BELOW.repositoryPath(OWNER, "x"));
        assertEquals("wss://example.com/some/git", BELOW.relayUrl(Scheme.WSS));
        assertEquals("http://localhost:8080/" + NPUB + "/x.git.git", WITH_PORT.cloneUrl(Scheme.HTTP, OWNER, "x.git"));
        for (var service : List.of(PLAIN, WITH_PORT, BELOW)) {
            var url = parse(service.cloneUrl(Scheme.HTTP, OWNER, identifier));
            assertEquals(true, service.isRepository(url, OWNER, identifier));
            assertEquals(true, service.isRelay(parse(service.relayUrl(Scheme.WS))));
        }
    }

    @Test
    void addressIsWrittenWithoutScheme() {
        assertEquals("git.example.com", PLAIN.toString());
        assertEquals("localhost:8080", WITH_PORT.toString());
        assertEquals("example.com/some/git", BELOW.toString());
    }

    @Test
    void oneSlashBehindTheDomainIsForgiven() {
        assertEquals(PLAIN, ServiceAddress.parse("GIT.example.com/", "/").require());
    }

    @ParameterizedTest
    @CsvSource({
        "'', /",
        "https://a.b, /",
        "a.b/c, /",
        "a b, /",
        "a.b//, /",
        "u@a.b, /",
        "a.b:x, /",
        "a.b, ''",
        "a.b, x",
        "a.b, /x/",
        "a.b, //",
        "a.b, /x//y",
        "a.b, /./y",
        "a.b, /x/..",
        "a.b, /x?y",
        "a.b, /x#y"
    })
    void configurationThatMeansNothingIsRefused(String domain, String basePath) {
        assertEquals(Optional.empty(), ServiceAddress.parse(domain, basePath).find());
    }

    private static WebUrl parse(String text) {
        return WebUrl.parse(text).require();
    }
}
