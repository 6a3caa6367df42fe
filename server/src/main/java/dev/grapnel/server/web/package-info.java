/// The HTTP surface: one port, who answers which request, pages for people and the relay's information document
/// (service 2, 3).
///
/// Start at [Dispatch], a pure function from what a request asks to a [Route]; [HttpSurface] answers each route
/// and [HttpPort] owns the socket. Pages are made once, when the service starts: no answer repeats anything
/// that a request said, and every value in a page goes through [Markup].
///
/// Not here: what happens on a WebSocket. That is behind [RelayDoor].
@NullMarked
package dev.grapnel.server.web;

import org.jspecify.annotations.NullMarked;
