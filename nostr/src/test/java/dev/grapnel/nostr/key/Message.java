package dev.grapnel.nostr.key;

import dev.grapnel.nostr.Word256;

/// Any 32 bytes to sign: keys know nothing of events.
record Message(long a, long b, long c, long d) implements Word256 {
    private static final Maker<Message> MAKER = Message::new;

    static Message of(String hex) {
        return MAKER.parse(hex).require();
    }
}
