package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.StoreSamples;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refusals are remembered as long as the rules are the same (sync R7.19).
final class PurgatoryOpeningTest {
    private static String fingerprint(String... settings) {
        return new PurgatoryOpening(
                        RelayUnderTest.configuration(null, settings),
                        ServiceAddress.parse("git.example.com", "/").require(),
                        StoreSamples.author(1),
                        1 << 30)
                .fingerprint();
    }

    @ParameterizedTest
    @CsvSource({
        "CREATED_AT_UPPER_LIMIT, 60",
        "CREATED_AT_LOWER_LIMIT, 86400",
        "MIN_POW_DIFFICULTY, 8",
        "RESTRICTED_READ_KINDS, 1059",
    })
    void otherRulesForEventsAreOtherRules(String setting, String value) {
        assertNotEquals(fingerprint(), fingerprint(setting, value));
        assertEquals(fingerprint(setting, value), fingerprint(setting, value));
    }
}
