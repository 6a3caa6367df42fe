package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;

/// Texts of service 4.2 that more than one rule says.
final class Refusals {
    static final Refusal OLDER = new Refusal(Prefix.DUPLICATE, "have a newer version");
    static final Refusal EXPIRED = Refusal.invalid("previously expired from purgatory without git data");
    static final Refusal UNRELATED =
            new Refusal(Prefix.RESTRICTED, "event must reference an accepted repository or accepted event");

    private Refusals() {}

    static Refusal blocked(String text) {
        return new Refusal(Prefix.BLOCKED, text);
    }
}
