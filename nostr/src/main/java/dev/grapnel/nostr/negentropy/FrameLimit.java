package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;

/// How large a message may become (relay 5.7); 0 is no limit.
///
/// Ranges are added while they end at or before the limit less a reserve of 200 bytes. The reserve holds what may
/// still follow: one id, a Skip and a list's head of at most 44 and 49 bytes, and the final Fingerprint of 19.
record FrameLimit(int bytes) {
    static final int BYTES_MIN = 4096;
    private static final int RESERVE = 200;

    FrameLimit {
        requireValid(bytes);
    }

    static void requireValid(int bytes) {
        if (bytes != 0 && bytes < BYTES_MIN) {
            throw new IllegalArgumentException("frame limit must be 0 or at least " + BYTES_MIN);
        }
    }

    boolean isExceededBy(int size) {
        return bytes != 0 && size > bytes - RESERVE;
    }

    /// How many of `ids` may be listed when so much is written: the last is the first to pass the limit.
    int idsFitting(int size, int ids) {
        return bytes == 0 ? ids : Math.min(ids, (bytes - RESERVE - size) / EventId.BYTES + 1);
    }
}
