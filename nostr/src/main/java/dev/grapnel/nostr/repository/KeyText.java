package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Locale;
import java.util.Optional;

/// Keys in tags: 64 hex digits of any case, compared in lower case (service 5.1.1).
final class KeyText {
    private KeyText() {}

    static Optional<PublicKey> find(String text) {
        return Hex.isHexOfAnyCase(text, Word256.DIGITS)
                ? PublicKey.parse(text.toLowerCase(Locale.ROOT)).find()
                : Optional.empty();
    }
}
