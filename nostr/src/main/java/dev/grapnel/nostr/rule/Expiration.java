package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import java.time.Instant;

/// When an event stops being shown (NIP-40), in Unix seconds.
public record Expiration(long second) {
    /// For events without the tag.
    public static final Expiration NEVER = new Expiration(Long.MAX_VALUE);

    /// Reads the first tag named `expiration`: digits that fit 63 bits.
    public static Parsed<Expiration> of(Event event) {
        return event.tags()
                .findFirst("expiration")
                .map(tag -> parse(tag.value().orElse("")))
                .orElseGet(() -> Parsed.valid(NEVER));
    }

    private static Parsed<Expiration> parse(String digits) {
        boolean plain = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        try {
            return plain
                    ? Parsed.valid(new Expiration(Long.parseLong(digits)))
                    : Parsed.invalid("expiration is not a run of digits");
        } catch (NumberFormatException _) {
            return Parsed.invalid("expiration does not fit 63 bits");
        }
    }

    /// Whether it is over: the second itself counts.
    public boolean isOver(Instant now) {
        return second <= now.getEpochSecond();
    }
}
