package dev.grapnel.store.row;

import java.time.Instant;
import java.util.Optional;

/// A fault of the other side's set-up that trying again cannot mend (sync 6.3, purgatory 6.7).
///
/// @param firstSeen when the present period began
/// @param lastSeen when it was met the last time
/// @param count how often in this period
/// @param until when it is tried again; meeting it again does not extend this
/// @param origin where it was met the last time, if others share it
public record Naughty(
        Fault fault, Instant firstSeen, Instant lastSeen, int count, Instant until, Optional<String> origin) {
    /// What is wrong there.
    public enum Fault implements Coded {
        DNS_LOOKUP_FAILED(1),
        TLS_CERTIFICATE_INVALID(2),
        PROTOCOL_ERROR(3),
        /// A pack that exceeds limits, is malformed or has a wrong hash.
        HOSTILE_PACK(4);

        private final int code;

        Fault(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /// @throws IllegalArgumentException if the count is negative
    public Naughty {
        Checks.notNegative("the number of faults", count);
        firstSeen = Millis.of(firstSeen);
        lastSeen = Millis.of(lastSeen);
        until = Millis.of(until);
    }
}
