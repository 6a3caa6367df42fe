package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Comparator;

/// What names all versions of a replaceable or addressable event: `<kind>:<pubkey>:<d>`. For replaceable
/// kinds the last part is empty.
public record Address(int kind, PublicKey author, String identifier) implements Comparable<Address> {
    private static final Comparator<Address> ORDER = Comparator.comparingInt(Address::kind)
            .thenComparing(Address::author)
            .thenComparing(Address::identifier);

    /// Reads the text form, which has two colons at least: the identifier may hold further ones.
    public static Parsed<Address> parse(String text) {
        int first = text.indexOf(':');
        int second = first < 0 ? -1 : text.indexOf(':', first + 1);
        if (second < 0) {
            return Parsed.invalid("an address is <kind>:<pubkey>:<identifier>");
        }
        int kind = kindOf(text.substring(0, first));
        if (kind < 0) {
            return Parsed.invalid("the kind of an address is a number up to " + Kinds.MAX);
        }
        return PublicKey.parse(text.substring(first + 1, second))
                .map(author -> new Address(kind, author, text.substring(second + 1)));
    }

    private static int kindOf(String digits) {
        boolean plain = !digits.isEmpty()
                && digits.length() <= 5
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        int kind = plain ? Integer.parseInt(digits) : -1;
        return kind <= Kinds.MAX ? kind : -1;
    }

    /// By kind, author, identifier. Strangers choose identifiers, so maps of addresses must not rest on hashes alone.
    @Override
    public int compareTo(Address other) {
        return ORDER.compare(this, other);
    }

    /// The text form.
    @Override
    public String toString() {
        return kind + ":" + author + ":" + identifier;
    }
}
