package dev.grapnel.nostr.nip19;

/// The meanings NIP-19 gives to types.
enum TlvType {
    SPECIAL(0, "main value"),
    RELAY(1, "relay"),
    AUTHOR(2, "author"),
    KIND(3, "kind");

    private final int code;
    private final String word;

    TlvType(int code, String word) {
        this.code = code;
        this.word = word;
    }

    int code() {
        return code;
    }

    /// For reasons.
    String word() {
        return word;
    }
}
