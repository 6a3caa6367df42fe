/// Speaks WebSocket (RFC 6455, RFC 7692) on Jetty's connections, as relay 6 wants it.
///
/// Start at [WebSocketConnection]: it reads frames ([dev.grapnel.websocket]) and hands messages to a [Conversation],
/// and
/// writes what the conversation gives to its [Peer] ([Outbox]). [Handshake] decides about upgrades,
/// [ConnectionWatch] about silence. Not here: what messages mean.
///
/// Locks: each outbox has one, held for copying only; nothing is called while it is held.
@NullMarked
package dev.grapnel.server.websocket;

import org.jspecify.annotations.NullMarked;
