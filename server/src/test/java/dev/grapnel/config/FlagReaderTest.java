package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlagReaderTest {
    private static Map<String, String> values(String... arguments) {
        var flags = FlagReader.read(List.of(arguments));
        assertEquals(List.of(), flags.problems());
        return flags.values();
    }

    @Test
    void booleansStandAloneOrHaveAValue() {
        assertEquals(Map.of("TEST", "true"), values("--test"));
        assertEquals(Map.of("TEST", "no"), values("--test", "no"));
        assertEquals(Map.of("TEST", "0"), values("--test=0"));
        assertEquals(Map.of("TEST", "true", "DOMAIN", "x"), values("--test", "--domain", "x"));
    }

    @Test
    void listsAreGivenAtOnceOrOneByOne() {
        assertEquals(Map.of("OWN_DOMAINS", "a,b"), values("--own-domains", "a,b"));
        assertEquals(Map.of("OWN_DOMAINS", "a,b"), values("--own-domain", "a", "--own-domain=b"));
        assertEquals(Map.of("EVENT_BLACKLIST", "x"), values("--event-blacklist", "x"));
    }

    @Test
    void lastOneCounts() {
        assertEquals(Map.of("DOMAIN", "b"), values("--domain", "a", "--domain", "b"));
    }

    @Test
    void aliasesKeepTheirNames() {
        assertEquals(Map.of("RELAY_MAX_SUBSCRIPTIONS", "3"), values("--relay-max-subscriptions", "3"));
    }

    @Test
    void whatIsNotUnderstoodIsNamed() {
        assertEquals(
                List.of(
                        "x is not understood: flags begin with --",
                        "--bind is unknown",
                        "--domains is unknown; did you mean --domain?"),
                FlagReader.read(List.of("x", "--bind", "1.2.3.4:5", "--domains=a"))
                        .problems());
    }
}
