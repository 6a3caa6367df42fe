package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;

/// What a message's first byte says about its protocol.
enum Version {
    /// The one this package speaks.
    V1,
    /// Another one of this protocol.
    OTHER,
    /// Not this protocol at all.
    NONE;

    static final int V1_BYTE = 0x61;

    static Version of(Bytes message) {
        int first = message.length() == 0 ? 0 : message.at(0);
        if (first == V1_BYTE) {
            return V1;
        }
        return first >> 4 == 6 ? OTHER : NONE;
    }
}
