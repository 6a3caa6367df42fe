package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whom and what the operator wants and does not want (service 4.12, 8.1).
///
/// @param authors whose events are refused, whatever they are
/// @param blacklist repositories that are never hosted
/// @param whitelist if there is anything on it, the only ones that are
/// @param archive what is hosted though it does not list this service
/// @param isReadOnly whether nothing else is hosted
public record Lists(
        Set<PublicKey> authors,
        RepositoryList blacklist,
        RepositoryList whitelist,
        Archive archive,
        boolean isReadOnly) {
    /// What is kept of other services (service 8.1).
    public record Archive(boolean everything, RepositoryList whitelist, List<ServiceAddress> services) {
        /// Nothing is.
        public static final Archive NONE = new Archive(false, RepositoryList.of(List.of()), List.of());

        public Archive {
            services = List.copyOf(services);
        }

        boolean matches(Announcement announcement) {
            return everything
                    || whitelist.find(announcement.address()).isPresent()
                    || (!services.isEmpty() && isAtService(announcement));
        }

        private boolean isAtService(Announcement announcement) {
            return announcement.cloneUrls().stream()
                    .flatMap(text -> WebUrl.parse(text).find().stream())
                    .anyMatch(url -> services.stream().anyMatch(service -> service.covers(url)));
        }
    }

    /// An open service.
    public static final Lists NONE =
            new Lists(Set.of(), RepositoryList.of(List.of()), RepositoryList.of(List.of()), Archive.NONE, false);

    public Lists {
        authors = Set.copyOf(authors);
    }

    /// Why nothing of this author is taken.
    public Optional<String> findRefusal(PublicKey author) {
        return authors.contains(author)
                ? Optional.of("Event author " + new Npub(author) + " is blacklisted")
                : Optional.empty();
    }

    /// Why a repository is never hosted.
    public Optional<String> findRefusal(RepositoryAddress repository) {
        return blacklist.find(repository).map(hit -> switch (hit) {
            case OWNER -> "Repository owner " + new Npub(repository.owner()) + " is blacklisted";
            case REPOSITORY ->
                "Repository " + new Npub(repository.owner()) + "/" + repository.identifier() + " is blacklisted";
            case IDENTIFIER -> "Repository identifier " + repository.identifier() + " is blacklisted";
        });
    }

    /// Whether it is hosted even though it does not list this service.
    public boolean archives(Announcement announcement) {
        return archive.matches(announcement);
    }

    /// Whether the whitelist lets a repository be hosted.
    public boolean isAllowed(RepositoryAddress repository) {
        return whitelist.isEmpty() || whitelist.find(repository).isPresent();
    }
}
