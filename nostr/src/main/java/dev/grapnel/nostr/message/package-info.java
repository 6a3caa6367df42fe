/// What relays and clients say to each other (relay 2), in both directions, because Grapnel is both.
///
/// Start at [ClientMessage] and [RelayMessage]. [ClientMessageReader] reads what a client sent and, where it
/// is malformed, already knows the answer; [RelayMessageReader] reads what another relay sent, where nobody
/// is answered. Not here: sessions, limits over time, and whether something asked for is switched on.
@NullMarked
package dev.grapnel.nostr.message;

import org.jspecify.annotations.NullMarked;
