/// A world for the sync core (sync 10): several servers with real gate, policy and store, relays of many kinds, a
/// network
/// with faults, people who publish. All of it in one thread and in virtual time: a run is a function of its seed.
///
/// Start at [SimWorld]; a core is joined by a [CoreFactory]. [SimRelay] with a [RelayModel] is a relay, [Lies] are what
/// it may do wrong, [SimNode] is a server, [SimNetwork] is between them. What must always be true is in [Invariants].
/// No threads here but the writers of stores, for which every step waits; nothing iterates over what has no order.
@NullMarked
package dev.grapnel.sync.sim;

import org.jspecify.annotations.NullMarked;
