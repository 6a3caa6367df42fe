package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;

/// A repository: an owner and what the owner calls it. As text it is the coordinate of its announcement.
///
/// Comparable, because strangers choose both parts: a map keyed by addresses must not rest on hashes alone.
public record RepositoryAddress(PublicKey owner, Identifier identifier) implements Comparable<RepositoryAddress> {
    private static final String PREFIX = Kinds.ANNOUNCEMENT + ":";
    private static final Parsed<RepositoryAddress> NO_COORDINATE =
            Parsed.invalid("a repository is " + PREFIX + "<pubkey>:<identifier>");

    /// Reads a coordinate; the key may be in any case, and the identifier may hold colons.
    public static Parsed<RepositoryAddress> parse(String coordinate) {
        int colon = coordinate.indexOf(':', PREFIX.length());
        if (!coordinate.startsWith(PREFIX) || colon < 0) {
            return NO_COORDINATE;
        }
        return KeyText.find(coordinate.substring(PREFIX.length(), colon))
                .map(owner -> Identifier.parse(coordinate.substring(colon + 1))
                        .map(identifier -> new RepositoryAddress(owner, identifier)))
                .orElse(NO_COORDINATE);
    }

    /// Repositories that the `a` tags of an event name, each once, in order.
    public static List<RepositoryAddress> namedBy(Event event) {
        return event.tags()
                .named("a")
                .flatMap(tag -> tag.value().stream())
                .flatMap(value -> parse(value).find().stream())
                .distinct()
                .toList();
    }

    @Override
    public int compareTo(RepositoryAddress other) {
        int order = owner.compareTo(other.owner);
        return order != 0 ? order : identifier.compareTo(other.identifier);
    }

    /// The address of its announcement.
    public Address announcement() {
        return new Address(Kinds.ANNOUNCEMENT, owner, identifier.text());
    }

    /// The coordinate.
    @Override
    public String toString() {
        return PREFIX + owner + ":" + identifier;
    }
}
