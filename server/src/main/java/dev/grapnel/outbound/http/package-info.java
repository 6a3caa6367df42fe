/// HTTP/1.1 to servers that strangers named: one request a connection, everything streamed and limited.
///
/// Start at [Client]. A [Request] goes to a checked address and comes back as an [Answer], whatever its status;
/// what can go wrong otherwise is an [dev.grapnel.outbound.OutboundException]. Redirects are followed where the
/// caller says so, each checked like the first URL (purgatory P-805).
///
/// Deliberately absent: cookies, credentials, proxies, caches, connections that are kept (P-806). Nothing is
/// shared between requests, so there are no locks.
@NullMarked
package dev.grapnel.outbound.http;

import org.jspecify.annotations.NullMarked;
