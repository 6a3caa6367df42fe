/// NIP-77 set reconciliation, protocol V1 (relay 5.7): two sides find out which event ids the other lacks by
/// sending fingerprints of ranges and splitting those that differ.
///
/// Start at [NegentropyItems], the frozen set a session works on; then [NegentropyResponder] and
/// [NegentropyInitiator], the two roles, which share [Answer]. [RangeReader] and [MessageWriter] are the wire
/// format. Not here: NEG-OPEN and the other relay messages, hex, timeouts, numbers of sessions, fetching what is
/// needed. [NegentropyItems] may be shared; a session belongs to one thread at a time.
@NullMarked
package dev.grapnel.nostr.negentropy;

import org.jspecify.annotations.NullMarked;
