/// Proofs of who is speaking: [RelayAuth] for a connection (NIP-42), [HttpAuth] for one request (NIP-98),
/// each built and checked here.
///
/// Checks are pure functions of the event, what it must prove, and the time. Not here: challenges that are
/// open, ids that were used already, how often somebody may try; those live with the session.
@NullMarked
package dev.grapnel.nostr.auth;

import org.jspecify.annotations.NullMarked;
