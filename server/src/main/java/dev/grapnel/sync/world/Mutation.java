package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import java.util.List;
import java.util.Optional;

/// A change of what is served, as far as it changes what is wanted (R1.10).
public sealed interface Mutation {
    /// An announcement is served; it takes the place of the former one.
    ///
    /// @param relays all that it names (R1.14), in the order of its tags, ourselves left out (R1.15)
    record Announced(RepositoryAddress repository, EventId id, List<RemoteUrl> relays) implements Mutation {
        public Announced {
            relays = List.copyOf(relays);
        }
    }

    /// An announcement is served no more, and no other version took its place.
    record Unannounced(RepositoryAddress repository) implements Mutation {}

    /// A root event is served.
    ///
    /// @param repositories the first that its `a` tags name, malformed ones left out
    record RootServed(EventId id, long createdAt, List<RepositoryAddress> repositories) implements Mutation {
        public RootServed {
            repositories = List.copyOf(repositories);
        }
    }

    /// A state is served, or is served no more: who has states for an identifier may have changed.
    record StatesChanged(PublicKey author, String identifier) implements Mutation {}

    /// An event that may be part of a thread is served (R3.21): it is no root and of no kind that nobody answers.
    ///
    /// @param address its own, if it has one that is not too long
    /// @param events ids of its first `e`, `E` and `q` tags
    /// @param addresses of its first `a`, `A` and `q` tags; repositories, states and what is too long left out
    record MemberServed(
            EventId id, long createdAt, Optional<String> address, List<EventId> events, List<String> addresses)
            implements Mutation {
        /// Longer addresses are nobody's.
        public static final int ADDRESS_BYTES_MAX = 512;

        public MemberServed {
            events = List.copyOf(events);
            addresses = List.copyOf(addresses);
        }
    }

    /// A root or a member is served no more.
    record Left(EventId id) implements Mutation {}
}
