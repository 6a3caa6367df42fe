/// Connections to servers that strangers named (purgatory 8).
///
/// Anyone can publish an event that makes this server connect somewhere, so nothing here trusts a URL. Start at
/// [RemoteUrl], the text that passed; [Gateway] turns it into a [Route] of checked addresses, by [AddressRules],
/// and [Dialer] opens a [Line] to one of them. Nothing looks a name up a second time. [Failure] lists what can go
/// wrong, by cause and never by text.
///
/// Not here: git, relays, how often a domain is asked. Every wait has a limit ([LineLimits]) that an alarm of
/// [Alarms] keeps by closing the socket, and so does [Cancellation]. Each class has one lock of its own, under
/// which it calls nobody but [Alarms].
@NullMarked
package dev.grapnel.outbound;

import org.jspecify.annotations.NullMarked;
