package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A signed event and the tags it was made of, read as text by the model.
///
/// @param label how a failure calls it
record Made(String label, Event event, List<List<String>> tags) {
    String id() {
        return event.id().toHex();
    }

    String author() {
        return event.author().toHex();
    }

    int kind() {
        return event.kind();
    }

    long createdAt() {
        return event.createdAt();
    }

    /// The first value of the first tag of this name.
    Optional<String> first(String name) {
        return tags.stream()
                .filter(tag -> tag.getFirst().equals(name) && tag.size() > 1)
                .map(tag -> tag.get(1))
                .findFirst();
    }

    /// The first values of all tags that have one of these names.
    List<String> values(String... names) {
        return tags.stream()
                .filter(tag -> Set.of(names).contains(tag.getFirst()) && tag.size() > 1)
                .map(tag -> tag.get(1))
                .toList();
    }

    /// All values of the tags of this name.
    List<String> all(String name) {
        return tags.stream()
                .filter(tag -> tag.getFirst().equals(name))
                .flatMap(tag -> tag.stream().skip(1))
                .toList();
    }

    String identifier() {
        return first("d").orElse("");
    }

    /// Whether its kind has versions, and under which address (service 1.2).
    Optional<String> address() {
        if (kind() >= 30_000 && kind() < 40_000) {
            return Optional.of(kind() + ":" + author() + ":" + identifier());
        }
        return kind() == Kinds.GRASP_LIST ? Optional.of(kind() + ":" + author() + ":") : Optional.empty();
    }

    boolean isExpiredAt(long second) {
        return first("expiration")
                .filter(text -> Long.parseLong(text) <= second)
                .isPresent();
    }

    /// Service 1.2.
    boolean isNewerThan(Made other) {
        return createdAt() != other.createdAt() ? createdAt() > other.createdAt() : id().compareTo(other.id()) < 0;
    }

    boolean isProposal() {
        return kind() == Kinds.PULL_REQUEST || kind() == Kinds.PULL_REQUEST_UPDATE;
    }

    /// Of a state: whether it declares no branch and no tag (service 4.5).
    boolean isEmptyState() {
        return tags.stream()
                .noneMatch(tag -> tag.getFirst().startsWith("refs/")
                        && !tag.getFirst().endsWith("^{}")
                        && !tag.get(1).startsWith("ref: "));
    }

    @Override
    public String toString() {
        return label + " kind " + kind() + " at " + createdAt() + " id " + id().substring(0, 8) + " "
                + tags.stream().map(Made::shown).collect(Collectors.joining(" "));
    }

    private static String shown(List<String> tag) {
        return tag.stream()
                .map(text -> text.length() == 64 ? text.substring(0, 8) : text)
                .collect(Collectors.joining(" ", "[", "]"));
    }
}
