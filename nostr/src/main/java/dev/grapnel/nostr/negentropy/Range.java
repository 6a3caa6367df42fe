package dev.grapnel.nostr.negentropy;

/// What a message says about the items from the previous range's bound up to its own.
sealed interface Range {
    int MODE_SKIP = 0;
    int MODE_FINGERPRINT = 1;
    int MODE_ID_LIST = 2;

    /// Where it ends, exclusive.
    Bound bound();

    /// Nothing to do.
    record Skip(Bound bound) implements Range {}

    /// The sender's items have this fingerprint.
    record Fingerprinted(Bound bound, Fingerprint fingerprint) implements Range {}

    /// The sender's items are these: so many ids, beginning at an index of the message.
    record IdList(Bound bound, int at, int count) implements Range {}
}
