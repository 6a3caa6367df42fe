package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Refusal;

/// What is wrong with an event, as relay 1.5 lists it, with a phrase for its author.
public record EventDefect(Kind kind, String text) {
    /// The classes of defects. All are answered `invalid:`.
    public enum Kind {
        FIELD_MISSING,
        FIELD_TWICE,
        WRONG_TYPE,
        OUT_OF_RANGE,
        NOT_HEX,
        LONE_SURROGATE,
        EMPTY_TAG,
        TAGS_EXCEEDED,
        TAG_VALUE_TOO_LONG,
        CONTENT_TOO_LONG,
        EVENT_TOO_LARGE,
        WRONG_ID,
        WRONG_SIGNATURE
    }

    /// The id is right, but the signature is not its author's.
    public static final EventDefect WRONG_SIGNATURE =
            new EventDefect(Kind.WRONG_SIGNATURE, "signature does not verify, or pubkey is not on the curve");

    /// As it is answered.
    public Refusal refusal() {
        return Refusal.invalid(text);
    }
}
