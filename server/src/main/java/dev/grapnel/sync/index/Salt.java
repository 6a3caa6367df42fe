package dev.grapnel.sync.index;

import dev.grapnel.nostr.Word256;

/// Hashes that strangers cannot foresee: whoever chooses ids or names must not be able to make them collide.
record Salt(long secret) {
    long hash(Word256 word) {
        return hash(word.a(), word.b());
    }

    long hash(long first, long second) {
        return mix(mix(first ^ secret) + second);
    }

    long hash(String text) {
        long hash = secret;
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash ^ text.charAt(i));
        }
        return hash;
    }

    private static long mix(long word) {
        long hash = word;
        hash = (hash ^ (hash >>> 32)) * 0xd6e8_feb8_6659_fd93L;
        hash = (hash ^ (hash >>> 32)) * 0xd6e8_feb8_6659_fd93L;
        return hash ^ (hash >>> 32);
    }

    /// Not even in a log.
    @Override
    public String toString() {
        return "Salt";
    }
}
