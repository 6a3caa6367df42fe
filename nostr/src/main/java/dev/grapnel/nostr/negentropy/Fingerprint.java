package dev.grapnel.nostr.negentropy;

/// Sixteen bytes that stand for the ids of a range, as two big-endian words.
record Fingerprint(long high, long low) {
    static final int BYTES = 16;
}
