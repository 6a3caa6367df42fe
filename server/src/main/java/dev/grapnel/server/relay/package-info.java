/// What a Nostr client meets: its session, from the first message to the last.
///
/// Nothing here knows sockets; the transport is in `server.websocket`.
@NullMarked
package dev.grapnel.server.relay;

import org.jspecify.annotations.NullMarked;
