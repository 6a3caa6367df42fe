package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Tag;
import java.util.Optional;

/// Work put into an event's id (NIP-13).
public final class ProofOfWork {
    private ProofOfWork() {}

    /// Leading zero bits.
    public static int difficulty(EventId id) {
        if (id.a() != 0) {
            return Long.numberOfLeadingZeros(id.a());
        }
        if (id.b() != 0) {
            return 64 + Long.numberOfLeadingZeros(id.b());
        }
        return id.c() != 0 ? 128 + Long.numberOfLeadingZeros(id.c()) : 192 + Long.numberOfLeadingZeros(id.d());
    }

    /// Why the work does not suffice, if it does not. A target the author committed to counts as well: a
    /// lucky id does not make up for a low one. No commitment is no reason.
    public static Optional<Refusal> judge(Event event, int difficultyMin) {
        if (difficultyMin == 0) {
            return Optional.empty();
        }
        int difficulty = difficulty(event.id());
        if (difficulty < difficultyMin) {
            return refused("difficulty " + difficulty + " is less than " + difficultyMin);
        }
        boolean low = event.tags().named("nonce").anyMatch(tag -> commitsBelow(tag, difficultyMin));
        return low ? refused("the committed target is less than " + difficultyMin) : Optional.empty();
    }

    private static boolean commitsBelow(Tag nonce, int difficultyMin) {
        var target = nonce.size() < 3 ? "" : nonce.element(2);
        var digits = target.startsWith("-") ? target.substring(1) : target;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false; // not a number, so no commitment
        }
        var significant = digits.replaceFirst("^0+", "");
        if (significant.isEmpty() || target.startsWith("-")) {
            return true;
        }
        // More digits than any difficulty has are more than any minimum.
        return significant.length() <= 3 && Integer.parseInt(significant) < difficultyMin;
    }

    private static Optional<Refusal> refused(String text) {
        return Optional.of(new Refusal(Refusal.Prefix.POW, text));
    }
}
