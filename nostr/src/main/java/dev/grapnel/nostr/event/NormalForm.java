package dev.grapnel.nostr.event;

import dev.grapnel.nostr.key.PublicKey;

/// Reads single fields of an event out of its normalised JSON (relay 1.6), whose layout is fixed, without
/// parsing the rest. Only for bytes that were an [Event] before: nothing is checked.
public final class NormalForm {
    private NormalForm() {}

    /// The id of the event that begins at `from`.
    public static EventId id(byte[] json, int from) {
        return EventId.ofHex(json, from + Layout.ID_AT);
    }

    /// The author.
    public static PublicKey author(byte[] json, int from) {
        return PublicKey.ofHex(json, from + Layout.PUBKEY_AT);
    }

    /// The date in Unix seconds.
    public static long createdAt(byte[] json, int from) {
        long seconds = 0;
        for (int i = from + Layout.CREATED_AT_AT; json[i] != ','; i++) {
            seconds = seconds * 10 + (json[i] - '0');
        }
        return seconds;
    }

    /// The kind.
    public static int kind(byte[] json, int from) {
        int i = from + Layout.CREATED_AT_AT;
        while (json[i] != ',') {
            i++;
        }
        int kind = 0;
        for (i += Layout.KIND.length; json[i] != ','; i++) {
            kind = kind * 10 + (json[i] - '0');
        }
        return kind;
    }
}
