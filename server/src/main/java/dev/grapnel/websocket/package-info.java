/// The frames of WebSocket (RFC 6455, RFC 7692) as bytes, for both sides of a connection.
///
/// Start at [FrameReader], which is given bytes and says what they are ([Incoming]); [FrameHead] writes frames.
/// Nothing here knows a socket, a thread or what messages mean.
@NullMarked
package dev.grapnel.websocket;

import org.jspecify.annotations.NullMarked;
