package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.Map;
import java.util.Set;

/// What a server says about its refs, as far as somebody asked.
///
/// @param advertised those of the wanted ids that are values of refs, peeled ones included
/// @param refs values of the refs whose names were given
/// @param fingerprint of the whole advertisement: equal ones mean that nothing has changed there
/// @param allowsUnadvertised whether ids may be asked for that no ref has
public record Advertisement(
        Set<Oid> advertised, Map<RefName, Oid> refs, String fingerprint, boolean allowsUnadvertised) {
    public Advertisement {
        advertised = Set.copyOf(advertised);
        refs = Map.copyOf(refs);
    }
}
