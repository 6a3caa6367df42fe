/// WebSockets to servers that strangers named (RFC 6455, RFC 7692; P-815).
///
/// Start at [WebSocketClient]: it opens a [WebSocket] on a [dev.grapnel.outbound.Line], so everything that holds for
/// lines holds here: addresses are checked, names verified, waits limited, and a cancellation ends it. Frames are
/// those of [dev.grapnel.websocket]. Not here: redirects, cookies, what messages mean, when to connect again.
///
/// One thread receives; any may send. The lock of a socket guards what is to be sent and is not held while that is
/// written.
@NullMarked
package dev.grapnel.outbound.websocket;

import org.jspecify.annotations.NullMarked;
