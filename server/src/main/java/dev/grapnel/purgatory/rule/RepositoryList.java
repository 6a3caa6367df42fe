package dev.grapnel.purgatory.rule;

import dev.grapnel.config.ListEntry;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A list of repositories that the operator wrote (service 4.12). Comparison is exact.
///
/// @param owners everything of these
/// @param repositories these
/// @param identifiers everything called so
public record RepositoryList(Set<PublicKey> owners, Set<RepositoryAddress> repositories, Set<Identifier> identifiers) {
    /// Which part of a list names a repository.
    public enum Hit {
        OWNER,
        REPOSITORY,
        IDENTIFIER
    }

    public RepositoryList {
        owners = Set.copyOf(owners);
        repositories = Set.copyOf(repositories);
        identifiers = Set.copyOf(identifiers);
    }

    /// Sorts entries.
    public static RepositoryList of(Collection<ListEntry> entries) {
        return new RepositoryList(
                entries.stream()
                        .filter(entry -> entry.identifier().isEmpty())
                        .map(entry -> entry.owner().orElseThrow())
                        .collect(Collectors.toSet()),
                entries.stream()
                        .filter(entry ->
                                entry.owner().isPresent() && entry.identifier().isPresent())
                        .map(entry -> new RepositoryAddress(
                                entry.owner().get(), entry.identifier().get()))
                        .collect(Collectors.toSet()),
                entries.stream()
                        .filter(entry -> entry.owner().isEmpty())
                        .map(entry -> entry.identifier().orElseThrow())
                        .collect(Collectors.toSet()));
    }

    /// Whether there is nothing on it.
    public boolean isEmpty() {
        return owners.isEmpty() && repositories.isEmpty() && identifiers.isEmpty();
    }

    /// Whether it names a repository, and how.
    public Optional<Hit> find(RepositoryAddress repository) {
        if (owners.contains(repository.owner())) {
            return Optional.of(Hit.OWNER);
        }
        if (repositories.contains(repository)) {
            return Optional.of(Hit.REPOSITORY);
        }
        return identifiers.contains(repository.identifier()) ? Optional.of(Hit.IDENTIFIER) : Optional.empty();
    }
}
