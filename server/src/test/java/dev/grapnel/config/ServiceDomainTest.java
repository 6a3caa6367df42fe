package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ConfigReader.Outcome;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ServiceDomainTest {
    private static ServiceDomain domain(int port, String... settings) {
        var variables = new java.util.HashMap<String, String>();
        for (int i = 0; i < settings.length; i += 2) {
            variables.put("GRAPNEL_" + settings[i], settings[i + 1]);
        }
        var outcome = ConfigReader.read(new ConfigSources(Map.of(), variables, Map.of(), ".env"));
        return ServiceDomain.of(assertInstanceOf(Outcome.Good.class, outcome).configuration(), port);
    }

    @Test
    void withoutADomainItIsWhereTheServerListens() {
        var domain = domain(7334);
        assertEquals("127.0.0.1:7334", domain.domain());
        assertEquals("ws://127.0.0.1:7334", domain.relayUrl());
        assertEquals("http://127.0.0.1:7334", domain.pageUrl());
        assertEquals(
                Optional.of("No domain is set: other machines cannot use this service until --domain names the host"
                        + " under which they reach it."),
                domain.hint());
    }

    @Test
    void portThatTheSystemChoseIsThePortOfTheDomain() {
        assertEquals(
                "127.0.0.1:40123", domain(40_123, "BIND_ADDRESS", "127.0.0.1:0").domain());
        assertEquals("[::1]:40123", domain(40_123, "BIND_ADDRESS", "[::1]:0").domain());
        assertEquals(
                "http://127.0.0.1", domain(80, "BIND_ADDRESS", "127.0.0.1:80").pageUrl());
    }

    @Test
    void domainThatIsSetStandsAsItIs() {
        var domain = domain(40_123, "DOMAIN", "Git.Example.com", "BASE_PATH", "/git", "BIND_ADDRESS", "0.0.0.0:0");
        assertEquals("git.example.com", domain.domain());
        assertEquals("wss://git.example.com/git", domain.relayUrl());
        assertEquals("https://git.example.com/git", domain.pageUrl());
        assertEquals(Optional.empty(), domain.hint());
        assertEquals(
                "wss://git.example.com:8443",
                domain(1, "DOMAIN", "git.example.com:8443").relayUrl());
    }

    @Test
    void loopbackIsKnownByNameAndByAddress() {
        for (var name : new String[] {"localhost", "git.localhost:80", "127.9.9.9", "[::1]:7334", "localhost."}) {
            assertTrue(domain(1, "DOMAIN", name).isLoopback(), name);
        }
        for (var name : new String[] {"example.com", "128.0.0.1", "[::2]", "localhost.example.com"}) {
            assertFalse(domain(1, "DOMAIN", name).isLoopback(), name);
        }
    }
}
