package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.event.Event;
import java.util.Optional;

/// The `c` tag, without which nothing is proposed.
final class CommitTag {
    private static final int SHA256_DIGITS = 64;

    private CommitTag() {}

    static Optional<String> findDefect(Event event) {
        var tag = event.tags().findFirst("c");
        if (tag.isEmpty()) {
            return Optional.of("no c tag");
        }
        return tag.get().value().filter(CommitTag::isCommitId).isPresent()
                ? Optional.empty()
                : Optional.of("c tag is not a commit id");
    }

    private static boolean isCommitId(String text) {
        return Hex.isHexOfAnyCase(text, Oid.DIGITS) || Hex.isHexOfAnyCase(text, SHA256_DIGITS);
    }
}
