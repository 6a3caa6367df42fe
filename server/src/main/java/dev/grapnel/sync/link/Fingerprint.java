package dev.grapnel.sync.link;

import dev.grapnel.nostr.Bytes;

/// A short name for a filter, so that one that was refused is known again (R4.3). Equal sets give equal filters.
final class Fingerprint {
    private static final long BEGIN = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Fingerprint() {}

    /// FNV-1a; 0 is kept for nothing.
    static long of(Bytes text) {
        long hash = BEGIN;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.at(i)) * PRIME;
        }
        return hash == 0 ? 1 : hash;
    }
}
