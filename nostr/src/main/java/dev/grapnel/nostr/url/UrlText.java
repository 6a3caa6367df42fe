package dev.grapnel.nostr.url;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What holds for every text that is to be a URL or a part of one.
final class UrlText {
    /// Longest URL that is looked at.
    static final int BYTES_MAX = 2048;

    private UrlText() {}

    /// Why this can be no part of a URL. Spaces and the like end a URL wherever people paste one, and
    /// browsers read a backslash as a slash, so both would let two readers see two different addresses.
    static Optional<String> findDefect(String text) {
        if (text.length() > BYTES_MAX || !isUtf8UpToMax(text)) {
            return Optional.of("a URL has at most " + BYTES_MAX + " bytes of UTF-8");
        }
        return text.chars().anyMatch(c -> c == ' ' || c == '\\' || Character.isISOControl(c))
                ? Optional.of("a URL has no space, control character or backslash")
                : Optional.empty();
    }

    private static boolean isUtf8UpToMax(String text) {
        try {
            return StandardCharsets.UTF_8
                            .newEncoder()
                            .encode(CharBuffer.wrap(text))
                            .remaining()
                    <= BYTES_MAX;
        } catch (CharacterCodingException _) {
            return false; // half of a surrogate pair
        }
    }
}
