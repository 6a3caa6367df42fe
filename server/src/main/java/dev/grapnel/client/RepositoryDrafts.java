package dev.grapnel.client;

import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What announcement and state of a repository hold (NIP-34).
public final class RepositoryDrafts {
    private RepositoryDrafts() {}

    /// A repository as its owner describes it.
    ///
    /// @param firstCommit tells copies of one project from others of the same name
    public record Described(Identifier identifier, Optional<String> description, Optional<Oid> firstCommit) {}

    /// That the repository exists and where it is.
    ///
    /// @param cloneUrls where git finds it, the first server first
    /// @param relayUrls where its events are
    public static EventDraft announcement(
            Described repository, List<String> cloneUrls, List<String> relayUrls, long createdAt) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", repository.identifier().text()));
        tags.add(List.of("name", repository.identifier().text()));
        repository.description().ifPresent(text -> tags.add(List.of("description", text)));
        tags.add(tag("clone", cloneUrls));
        tags.add(tag("relays", relayUrls));
        repository.firstCommit().ifPresent(commit -> tags.add(List.of("r", commit.toString(), "euc")));
        return new EventDraft(createdAt, Kinds.ANNOUNCEMENT, tags, "");
    }

    private static List<String> tag(String name, List<String> values) {
        return Stream.concat(Stream.of(name), values.stream()).toList();
    }

    /// What its branches and tags shall be.
    public static EventDraft state(Identifier identifier, LocalRefs refs, long createdAt) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier.text()));
        refs.refs().forEach((name, id) -> tags.add(List.of(name.text(), id.toString())));
        refs.head().ifPresent(head -> tags.add(List.of("HEAD", "ref: " + head.text())));
        return new EventDraft(createdAt, Kinds.STATE, tags, "");
    }
}
