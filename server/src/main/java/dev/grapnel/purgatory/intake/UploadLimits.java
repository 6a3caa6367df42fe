package dev.grapnel.purgatory.intake;

import java.time.Duration;

/// How much may wait that nobody has signed (service 9, purgatory P-140, P-246).
///
/// @param bytesPerAddress of what came from one address; 0 forbids what belongs to no event
/// @param bytes of everything; 0 forbids what belongs to no event
/// @param pushBytes of one push with nothing else in it
/// @param placeholders events that are waited for
/// @param perRepository the same, of what went to one repository
/// @param perAddress the same, of what came from one address
/// @param expiry how long it waits
public record UploadLimits(
        long bytesPerAddress,
        long bytes,
        long pushBytes,
        long placeholders,
        long perRepository,
        long perAddress,
        Duration expiry) {
    /// The specification's.
    public static final UploadLimits DEFAULTS =
            new UploadLimits(1L << 30, 10L << 30, 100L << 20, 10_000, 200, 20, Duration.ofMinutes(30));
}
