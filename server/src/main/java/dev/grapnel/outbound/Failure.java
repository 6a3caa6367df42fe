package dev.grapnel.outbound;

import java.util.List;

/// Why a conversation with another server came to nothing. By cause, because what follows is decided by it
/// (P-670); nothing here is text of the other side. An HTTP status is an answer and no failure.
public sealed interface Failure {
    /// A rule forbids the connection; nobody was asked.
    record Policy(Rule rule, String reason) implements Failure {}

    /// The host that was asked leads elsewhere, and a rule forbids to go there.
    record Redirected(Rule rule, String reason) implements Failure {}

    /// The host's name does not exist.
    record NoSuchName() implements Failure {}

    /// Whether the name exists could not be found out.
    record LookupFailed() implements Failure {}

    /// No address of the host took the connection: refused, or no way there.
    record ConnectFailed() implements Failure {}

    /// The certificate is expired, for another host, or by somebody who is not trusted.
    record CertificateInvalid() implements Failure {}

    /// The other side ended the TLS handshake with an alert, or both have no version or cipher in common.
    record HandshakeRefused() implements Failure {}

    /// Something else is wrong with TLS; often no TLS is spoken there.
    record TlsFailed() implements Failure {}

    /// The peer kept us waiting.
    record Timeout(Limit limit) implements Failure {}

    /// The connection broke, or ended before the answer was complete.
    record Broken() implements Failure {}

    /// What came is not the protocol.
    record Protocol(String reason) implements Failure {}

    /// The protocol is spoken, but far too much of what serves nothing came.
    record Flooded(String what) implements Failure {}

    /// What came is more than was asked for.
    record TooLarge(String what, long max) implements Failure {}

    /// No place is free: later it may be.
    ///
    /// @param machines where none is, if it is a matter of where; addresses as [Line#machine] names them
    record Busy(String what, List<String> machines) implements Failure {
        /// Wherever it would be.
        public Busy(String what) {
            this(what, List.of());
        }
    }

    /// Nobody wants the answer any more.
    record Cancelled() implements Failure {}

    /// The limits of time (P-665).
    enum Limit {
        LOOKUP,
        CONNECT,
        TLS,
        FIRST_BYTE,
        SILENCE,
        /// Too few bytes a second for too long.
        RATE,
        WHOLE
    }

    /// What happened, for the operator.
    default String text() {
        return switch (this) {
            case Policy(var rule, var reason) -> "not allowed (" + rule.word() + "): " + reason;
            case Redirected(var rule, var reason) ->
                rule == Rule.REDIRECT
                        ? "it redirects, which is not followed: " + reason
                        : "it redirects to where nothing is fetched from: " + reason;
            case NoSuchName _ -> "the name does not exist";
            case LookupFailed _ -> "the name could not be looked up";
            case ConnectFailed _ -> "no connection could be made";
            case CertificateInvalid _ -> "the certificate is not valid";
            case HandshakeRefused _ -> "the TLS handshake was refused";
            case TlsFailed _ -> "TLS failed";
            case Timeout(var limit) ->
                switch (limit) {
                    case LOOKUP -> "looking the name up took too long";
                    case CONNECT -> "connecting took too long";
                    case TLS -> "the TLS handshake took too long";
                    case FIRST_BYTE -> "no answer began in time";
                    case SILENCE -> "it fell silent";
                    case RATE -> "it was too slow";
                    case WHOLE -> "it took too long";
                };
            case Broken _ -> "the connection broke";
            case Protocol(var reason) -> "not the protocol: " + reason;
            case Flooded(var what) -> "it sent a flood of " + what;
            case TooLarge(var what, var max) -> what + " exceeds " + max + " bytes";
            case Busy(var what, var _) -> what;
            case Cancelled _ -> "cancelled";
        };
    }
}
