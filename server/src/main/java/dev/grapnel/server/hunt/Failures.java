package dev.grapnel.server.hunt;

import dev.grapnel.purgatory.hunt.Failure;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/// What the failure of a conversation means for hunting: by what happened, never by a stranger's words (P-670).
final class Failures {
    private Failures() {}

    /// An answer of HTTP that is none to our question.
    static Failure ofStatus(int status, Optional<Duration> retryAfter) {
        return switch (status) {
            case 429, 503 -> new Failure.SlowDown(retryAfter);
            case 408 -> new Failure.Passing();
            default -> status >= 500 ? new Failure.Passing() : new Failure.NotThere();
        };
    }

    /// No answer.
    ///
    /// @param busy an address that had no place for us
    static Failure ofLine(dev.grapnel.outbound.Failure failure, Optional<InetAddress> busy) {
        return switch (failure) {
            case dev.grapnel.outbound.Failure.Policy(var rule, var _) -> new Failure.Forbidden(rule.word());
            case dev.grapnel.outbound.Failure.Redirected(var rule, var _) -> new Failure.LedAway(rule.word());
            case dev.grapnel.outbound.Failure.NoSuchName _ -> new Failure.Broken(NaughtyCause.DNS);
            case dev.grapnel.outbound.Failure.CertificateInvalid _, dev.grapnel.outbound.Failure.HandshakeRefused _ ->
                new Failure.Broken(NaughtyCause.TLS);
            case dev.grapnel.outbound.Failure.TooLarge _ -> new Failure.Hostile();
            case dev.grapnel.outbound.Failure.Busy _ ->
                busy.<Failure>map(Failure.BusyAddress::new).orElseGet(Failure.Passing::new);
            case dev.grapnel.outbound.Failure.Cancelled _ -> new Failure.Cancelled();
            case dev.grapnel.outbound.Failure.LookupFailed _,
                    dev.grapnel.outbound.Failure.ConnectFailed _,
                    dev.grapnel.outbound.Failure.TlsFailed _,
                    dev.grapnel.outbound.Failure.Timeout _,
                    dev.grapnel.outbound.Failure.Broken _,
                    dev.grapnel.outbound.Failure.Flooded _,
                    dev.grapnel.outbound.Failure.Protocol _ -> new Failure.Passing();
        };
    }
}
