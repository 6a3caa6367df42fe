package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Texts;
import java.nio.charset.StandardCharsets;

/// The name a client gives to a subscription, a count or a session. Any text; only 1 to 64 characters may be
/// opened (relay 2.4), but what is refused must still be named, so longer ones up to [#ECHO_MAX] bytes exist.
public record SubscriptionId(String text) {
    /// Bytes of UTF-8 that are still echoed.
    public static final int ECHO_MAX = 1024;

    /// Characters an id may have by default.
    public static final int LENGTH_MAX = 64;

    /// @throws IllegalArgumentException if it is too long even to be echoed
    public SubscriptionId {
        if (!Texts.isUtf8(text)) {
            throw new IllegalArgumentException("a subscription id with half of a surrogate pair");
        }
        if (!isEchoable(text)) {
            throw new IllegalArgumentException("a subscription id of more than " + ECHO_MAX + " bytes");
        }
    }

    static boolean isEchoable(String text) {
        return text.length() <= ECHO_MAX && text.getBytes(StandardCharsets.UTF_8).length <= ECHO_MAX;
    }

    /// Whether something may be opened under it.
    public boolean isUsable(int lengthMax) {
        return !text.isEmpty() && text.codePointCount(0, text.length()) <= lengthMax;
    }
}
