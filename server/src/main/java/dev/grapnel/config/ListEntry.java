package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import java.util.Optional;

/// An entry of a list of repositories (service 4.12): all of an owner, one of an owner, or all of a name. At
/// least one part is there.
public record ListEntry(Optional<PublicKey> owner, Optional<Identifier> identifier) {
    /// Reads `npub1...`, `npub1.../identifier` or `identifier`.
    public static Parsed<ListEntry> parse(String text) {
        int slash = text.indexOf('/');
        if (slash >= 0) {
            var name = text.substring(slash + 1);
            return name.contains("/")
                    ? Parsed.invalid("there is more than one slash")
                    : Npub.parse(text.substring(0, slash))
                            .then(npub -> Identifier.parse(name)
                                    .map(identifier ->
                                            new ListEntry(Optional.of(npub.key()), Optional.of(identifier))));
        }
        return text.startsWith("npub1")
                ? Npub.parse(text).map(npub -> new ListEntry(Optional.of(npub.key()), Optional.empty()))
                : Identifier.parse(text).map(identifier -> new ListEntry(Optional.empty(), Optional.of(identifier)));
    }

    @Override
    public String toString() {
        var key = owner.map(found -> new Npub(found).text()).orElse("");
        var name = identifier.map(Identifier::text).orElse("");
        return key + (owner.isPresent() && identifier.isPresent() ? "/" : "") + name;
    }
}
