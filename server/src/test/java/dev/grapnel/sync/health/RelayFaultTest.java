package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which failures no further attempt can mend (R6.8, rows 120 to 122).
final class RelayFaultTest {
    @Test
    void missingNamesAreFaultsAndFailingResolversAreNot() {
        assertEquals(Optional.of(RelayFault.DNS), RelayFault.of(new Failure.NoSuchName()));
        assertEquals(Optional.empty(), RelayFault.of(new Failure.LookupFailed()));
        assertEquals(Optional.empty(), RelayFault.of(new Failure.Timeout(Failure.Limit.LOOKUP)));
    }

    @Test
    void certificatesAndAlertsAreFaultsAndSlowHandshakesAreNot() {
        assertEquals(Optional.of(RelayFault.TLS), RelayFault.of(new Failure.CertificateInvalid()));
        assertEquals(Optional.of(RelayFault.TLS), RelayFault.of(new Failure.HandshakeRefused()));
        assertEquals(Optional.empty(), RelayFault.of(new Failure.Timeout(Failure.Limit.TLS)));
        assertEquals(Optional.empty(), RelayFault.of(new Failure.TlsFailed()));
    }

    @Test
    void whatIsNoWebSocketIsAFaultOfItsUrl() {
        assertEquals(Optional.of(RelayFault.PROTOCOL), RelayFault.of(new Failure.Protocol("the frame is masked")));
    }

    /// No text counts, whatever words of TLS or names it has.
    @Test
    void nothingElseIsAFault() {
        for (var failure : List.of(
                new Failure.ConnectFailed(),
                new Failure.Broken(),
                new Failure.Flooded("pings"),
                new Failure.Policy(Rule.SHAPE, "dns ssl certificate has expired wss://ssl.example"),
                new Failure.TooLarge("certificate verify failed", 1),
                new Failure.Busy("could not resolve host"),
                new Failure.Cancelled())) {
            assertEquals(Optional.empty(), RelayFault.of(failure), failure.text());
        }
        for (var limit : Failure.Limit.values()) {
            assertEquals(Optional.empty(), RelayFault.of(new Failure.Timeout(limit)));
        }
    }

    @Test
    void metricsKnowThemByTheNamesOfTheTable() {
        assertEquals(
                List.of("dns_lookup_failed", "tls_certificate_invalid", "protocol_error"),
                Arrays.stream(RelayFault.values()).map(RelayFault::category).toList());
    }
}
