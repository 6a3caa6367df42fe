package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.FsckOverride.Severity;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.Scheme;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Values that have a form of their own.
final class ValueTypesTest {
    private static void assertRefused(ValueType<?> type, String... texts) {
        for (var text : texts) {
            assertTrue(type.parse(text).find().isEmpty(), text);
        }
    }

    private static <T> void assertWritten(String written, ValueType<T> type, String text) {
        assertEquals(written, type.write(type.parse(text).require()));
        assertEquals(type.parse(text), type.parse(written));
    }

    @Test
    void servicesOfOthersHaveNoScheme() {
        var type = ServiceSettings.ARCHIVE_GRASP_SERVICES.type();
        assertWritten("a.example,b.example:8443/git,[::1]:80", type, "A.example/, b.example:8443/git,[0::1]:80");
        assertRefused(type, "https://a.example", "wss://a.example", "a.example/git/", "a b", "a.example:0", "/git");
        assertEquals(
                "has an entry, https://a.example, that cannot be: there is a scheme; write the host only",
                reason(type, "b.example,https://a.example"));
    }

    private static String reason(ValueType<?> type, String text) {
        return ((dev.grapnel.nostr.Parsed.Invalid<?>) type.parse(text)).reason();
    }

    /// Clocks count nanoseconds, and must not overflow.
    @Test
    void timesBeyondACenturyAreACentury() {
        var century = Duration.ofDays(36_500);
        for (var type : List.of(
                SyncSettings.SYNC_BASE_BACKOFF_SECS.type(),
                SyncSettings.SYNC_BATCH_WINDOW_MS.type(),
                SyncSettings.SYNC_DAILY_MAX_HOURS.type())) {
            assertEquals(century, type.parse("999999999999999999").require());
        }
        assertEquals(
                century,
                SyncSettings.SYNC_DAILY_MAX_HOURS.type().parse("876000").require());
    }

    @Test
    void originIsSchemeHostAndPort() {
        var type = ServiceSettings.PRIVATE_PUBLIC_ORIGIN.type();
        assertWritten("https://git.example.com", type, "HTTPS://git.example.com:443/");
        assertWritten("http://localhost:8080", type, "http://localhost:8080");
        assertRefused(
                type,
                "git.example.com",
                "wss://git.example.com",
                "https://git.example.com/git",
                "https://git.example.com//",
                "https://git.example.com?a",
                "https://git.example.com#a",
                "https://me@git.example.com");
    }

    @Test
    void huntingKnowsTwoSchemes() {
        var type = PurgatorySettings.HUNT_SCHEMES.type();
        assertEquals(
                List.of(Scheme.HTTPS, Scheme.HTTP), type.parse("https, HTTP").require());
        assertRefused(type, "ssh", "wss", "https,https", "https://");
    }

    @Test
    void domainsHaveLimitsOfTheirOwn() {
        var type = PurgatorySettings.SYNC_DOMAIN_OVERRIDES.type();
        assertEquals(
                List.of(
                        new DomainLimits(new Host("a.example"), false, 1, 2),
                        new DomainLimits(new Host("[::1]"), false, 3, 4),
                        new DomainLimits(new Host("b.example"), true, 5, 6)),
                type.parse("A.example:1,2; [::1]:3,4; *.b.Example:5,6").require());
        assertRefused(
                type,
                "a.example",
                "a.example:1",
                "a.example:0,2",
                "a.example:1,2,3",
                "a.example:1,-2",
                ":1,2",
                "*:1,2",
                "a.*:1,2");
    }

    @Test
    void defectsHaveOneOfThreeSeverities() {
        var type = PurgatorySettings.FSCK_OVERRIDES.type();
        assertEquals(
                List.of(new FsckOverride("zeropaddedfilemode", Severity.WARN)),
                type.parse("zeroPaddedFilemode=Warn").require());
        assertRefused(type, "zeroPaddedFilemode", "=warn", "a b=warn", "zeroPaddedFilemode=fatal");
    }

    @Test
    void proxyHasAPort() {
        var type = PurgatorySettings.ONION_PROXY.type();
        assertWritten("127.0.0.1:9050", type, "127.0.0.1:9050");
        assertRefused(type, "127.0.0.1", "socks5://127.0.0.1:9050", "127.0.0.1:9050/x");
    }

    @Test
    void contactIsAnAddressThatProgramsCanOpen() {
        var type = ServiceSettings.CONTACT.type();
        assertWritten("mailto:me@example.com", type, "mailto:me@example.com");
        assertWritten("https://example.com/me", type, "https://example.com/me");
        assertRefused(type, "me@example.com", "call me", "");
    }

    @Test
    void ownDomainsAreDomains() {
        assertRefused(PurgatorySettings.OWN_DOMAINS.type(), "https://a.example", "a.example/x", "a b");
    }
}
