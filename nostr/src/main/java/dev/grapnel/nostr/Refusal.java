package dev.grapnel.nostr;

import java.util.Arrays;
import java.util.Optional;

/// Why something a peer asked for is not done: a machine-readable prefix and a sentence for a person.
///
/// Other programs search the sentence for words (relay 2.2), so texts here say `field`, never `member`, and
/// do not speak of `too many`, `duplicate`, `blocked` or `restricted` unless exactly that is meant.
public record Refusal(Prefix prefix, String text) {
    /// The standard prefixes of NIP-01, NIP-42, NIP-77 and GRASP-01.
    public enum Prefix {
        DUPLICATE("duplicate"),
        POW("pow"),
        BLOCKED("blocked"),
        RATE_LIMITED("rate-limited"),
        INVALID("invalid"),
        RESTRICTED("restricted"),
        MUTE("mute"),
        ERROR("error"),
        AUTH_REQUIRED("auth-required"),
        UNSUPPORTED("unsupported"),
        CLOSED("closed"),
        PURGATORY("purgatory");

        private final String word;

        Prefix(String word) {
            this.word = word;
        }

        /// The prefix a message of a peer begins with: the word, a colon, and anything.
        public static Optional<Prefix> find(String message) {
            return Arrays.stream(values())
                    .filter(prefix -> message.startsWith(prefix.word + ":"))
                    .findFirst();
        }

        /// As written on the wire, without the colon.
        public String word() {
            return word;
        }
    }

    /// The peer sent something malformed or out of limits.
    public static Refusal invalid(String text) {
        return new Refusal(Prefix.INVALID, text);
    }

    /// The peer asked for something this side does not do.
    public static Refusal unsupported(String text) {
        return new Refusal(Prefix.UNSUPPORTED, text);
    }

    /// As it stands in OK, CLOSED, NOTICE and NEG-ERR.
    @Override
    public String toString() {
        return prefix.word() + ": " + text;
    }
}
