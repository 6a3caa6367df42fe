/// Decides about every event that comes, from clients and from other relays alike.
///
/// Start at [Admission], the one gate: order of checks, then [AcceptancePolicy], then the store's own
/// decision in one transaction. Not here: sockets, sessions, and what the store does with an event it
/// takes.
@NullMarked
package dev.grapnel.purgatory;

import org.jspecify.annotations.NullMarked;
