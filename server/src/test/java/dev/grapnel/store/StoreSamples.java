package dev.grapnel.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Signed events to try the store on, the same in every run.
public final class StoreSamples {
    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);

    /// Making a key costs as much as signing with it.
    private static final Map<Integer, SecretKey> KEYS = new ConcurrentHashMap<>();

    private StoreSamples() {}

    /// An event signed by the author of this number.
    public static Event event(int author, int kind, long createdAt, List<List<String>> tags, String content) {
        return new EventDraft(createdAt, kind, tags, content).sign(secretKey(author), NO_AUXILIARY);
    }

    /// Who signs under this number, from 0.
    public static PublicKey author(int number) {
        return secretKey(number).publicKey();
    }

    /// The key of this number, from 0.
    public static SecretKey secretKey(int number) {
        return KEYS.computeIfAbsent(
                number, _ -> SecretKey.parse("%064x".formatted(number + 1)).require());
    }
}
