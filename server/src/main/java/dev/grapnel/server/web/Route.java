package dev.grapnel.server.web;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import java.util.List;

/// Who answers a request.
sealed interface Route {
    /// Any `OPTIONS`, known path or not.
    record Preflight() implements Route {}

    /// NIP-05 of the operator.
    record NostrJson() implements Route {}

    record Health() implements Route {}

    /// Anything below `/prs/` (GRASP-06).
    record PullRequests(List<String> segments) implements Route {
        public PullRequests {
            segments = List.copyOf(segments);
        }
    }

    /// What git asks of a repository.
    ///
    /// @param subpath decoded segments behind the repository
    record Git(PublicKey owner, Identifier identifier, List<String> subpath) implements Route {
        public Git {
            subpath = List.copyOf(subpath);
        }
    }

    record RepositoryPage(PublicKey owner, Identifier identifier) implements Route {}

    record Relay() implements Route {}

    /// NIP-11.
    record Information() implements Route {}

    record Landing() implements Route {}

    record Figures() implements Route {}

    /// How sync is doing.
    ///
    /// @param json whether a program asks
    record SyncStatus(boolean json) implements Route {}

    record Icon() implements Route {}

    record Unknown() implements Route {}

    /// A known path, but not by this method.
    ///
    /// @param allowed methods, as `Allow` lists them
    record WrongMethod(String allowed) implements Route {}
}
