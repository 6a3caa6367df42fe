package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;

/// Finds out what stands behind tags, but asks only for what an earlier picture does not know.
record TagMemory(Refs known, Peeler peeler) {
    RefValue value(RefName name, Oid target) throws IOException {
        var before = known.values().get(name);
        return before != null && before.target().equals(target)
                ? before
                : new RefValue(target, peeler.peel(target).orElse(null));
    }
}
