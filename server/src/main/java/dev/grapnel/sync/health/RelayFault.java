package dev.grapnel.sync.health;

import dev.grapnel.outbound.Failure;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import java.util.Optional;

/// A fault of a relay's set-up that trying again cannot mend (R6.8). Told by what happened, never by anybody's words:
/// no text is looked at, so R6.9's rules for texts have nothing to do here.
public enum RelayFault {
    /// Its name does not exist. Of all its host's relays and repositories.
    DNS("dns_lookup_failed"),
    /// Its certificate is not valid, or it refuses TLS with us. Of all relays and repositories behind TLS at that port
    /// of its host.
    TLS("tls_certificate_invalid"),
    /// It does not speak WebSocket. Of this URL alone.
    PROTOCOL("protocol_error");

    private final String category;

    RelayFault(String category) {
        this.category = category;
    }

    /// As metrics call it.
    public String category() {
        return category;
    }

    /// The fault that a failure shows. A name counts as missing only where the resolver is known to work, which
    /// [dev.grapnel.outbound.SystemNames] looks after. Broken TLS is no fault: a bad line does that, too.
    static Optional<RelayFault> of(Failure failure) {
        return switch (failure) {
            case Failure.NoSuchName _ -> Optional.of(DNS);
            case Failure.CertificateInvalid _, Failure.HandshakeRefused _ -> Optional.of(TLS);
            case Failure.Protocol _, Failure.Redirected _ -> Optional.of(PROTOCOL);
            case Failure.Policy _,
                    Failure.LookupFailed _,
                    Failure.ConnectFailed _,
                    Failure.TlsFailed _,
                    Failure.Timeout _,
                    Failure.Broken _,
                    Failure.Flooded _,
                    Failure.TooLarge _,
                    Failure.Busy _,
                    Failure.Cancelled _ -> Optional.empty();
        };
    }

    /// The fault of somebody who is on the shared list.
    static Optional<RelayFault> of(NaughtyCause cause) {
        return switch (cause) {
            case DNS -> Optional.of(DNS);
            case TLS -> Optional.of(TLS);
            case HOSTILE -> Optional.empty();
        };
    }
}
