package dev.grapnel.purgatory.hunt;

import java.time.Instant;
import java.util.Optional;

/// What goes on with a domain.
///
/// @param inFlight conversations
/// @param starts in the last sixty seconds
/// @param queued identifiers that wait for it
/// @param pausedUntil if it is left alone
public record DomainPicture(int inFlight, int starts, int queued, Optional<Instant> pausedUntil) {}
