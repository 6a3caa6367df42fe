package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import java.util.Set;

/// An identifier that waited for a domain and may ask it now (P-646). It ends with [Throttle#endTurn] or
/// [Throttle#drop].
///
/// @param tried what it has asked there already
record Turn(Identifier identifier, Lease lease, Set<String> tried) {}
