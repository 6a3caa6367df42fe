package dev.grapnel.git.client;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.Map;
import java.util.Optional;

/// What a server says that it has: every id, but only the names that somebody asked about.
public final class Advertisement {
    private final IdSet ids;
    private final Map<RefName, Oid> named;
    private final Bytes fingerprint;
    private final Rest rest;

    /// What a server does with ids that it does not advertise.
    public enum Rest {
        /// It may give them.
        GIVEN,
        /// It gives none.
        WITHHELD,
        /// It does not say.
        UNTOLD
    }

    /// @param ids finished
    Advertisement(IdSet ids, Map<RefName, Oid> named, Bytes fingerprint, Rest rest) {
        this.ids = ids;
        this.named = Map.copyOf(named);
        this.fingerprint = fingerprint;
        this.rest = rest;
    }

    /// Whether a ref names this object, or a tag that it names does.
    public boolean contains(Oid id) {
        return ids.contains(id);
    }

    /// What a ref names; empty also if nobody asked about it beforehand.
    public Optional<Oid> findTarget(RefName ref) {
        return Optional.ofNullable(named.get(ref));
    }

    /// Equal while the server says the same about its refs.
    public Bytes fingerprint() {
        return fingerprint;
    }

    /// Whether it is of any use to ask for something else.
    public Rest rest() {
        return rest;
    }

    /// How many ids it names, those of tags and of what they stand for both counted.
    public int size() {
        return ids.size();
    }
}
