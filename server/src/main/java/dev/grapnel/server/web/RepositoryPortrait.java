package dev.grapnel.server.web;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What everybody may know of a repository, for its page.
///
/// Nothing in it is said by a held event alone (README I-1): that something waits, whose it is and until when stands
/// here, because its maintainers need that, but neither what it says nor whom it names.
///
/// @param description what its owner says of it
/// @param phase what it is to this server
/// @param content its refs
/// @param people who decides about it, and who could; at most so many as a page shows
/// @param hasMorePeople whether there are more than that
/// @param authorityProblem why nobody may decide, if nobody may
/// @param governing what its refs follow
/// @param awaited what is not here yet
public record RepositoryPortrait(
        Optional<String> description,
        Phase phase,
        Content content,
        List<Person> people,
        boolean hasMorePeople,
        Optional<String> authorityProblem,
        Optional<SignedState> governing,
        List<Awaited> awaited) {
    /// Of which only the address is known.
    public static final RepositoryPortrait BLANK = new RepositoryPortrait(
            Optional.empty(),
            Phase.OPEN,
            Content.NONE,
            List.of(),
            false,
            Optional.empty(),
            Optional.empty(),
            List.of());

    public RepositoryPortrait {
        people = List.copyOf(people);
        awaited = List.copyOf(awaited);
    }

    /// What a repository is to this server.
    public enum Phase {
        /// No event decides about it.
        OPEN,
        /// It has no content yet.
        WAITING,
        SERVED,
        /// Kept though its owner does not name this service.
        ARCHIVED,
        /// Its owner does not name this service any more; it can be read for a while.
        WITHDRAWN
    }

    /// Branches and tags, the first of them.
    ///
    /// @param head the default branch, existing or not
    /// @param branchCount how many there are, shown or not
    public record Content(Optional<RefName> head, List<Ref> branches, int branchCount, List<Ref> tags, int tagCount) {
        public static final Content NONE = new Content(Optional.empty(), List.of(), 0, List.of(), 0);

        public Content {
            branches = List.copyOf(branches);
            tags = List.copyOf(tags);
        }
    }

    /// One of them.
    public record Ref(RefName name, Oid target) {}

    /// Somebody who is named as maintainer, or owns the repository.
    public record Person(PublicKey key, Role role) {}

    /// What somebody may do.
    public sealed interface Role {
        /// Signs states.
        ///
        /// @param isLead whether this person's view of who maintains it counts
        record Member(boolean isLead) implements Role {}

        /// Could, after accepting.
        ///
        /// @param hasAnnounced whether only listing a maintainer back is missing
        record Invited(PublicKey by, boolean hasAnnounced) implements Role {}

        /// Has ended its own role.
        record Left() implements Role {}
    }

    /// A state, as far as people care.
    public record SignedState(PublicKey author, Instant signedAt, String id, int branches, int tags) {
        /// Whether it wants no branch and no tag.
        public boolean isEmpty() {
            return branches + tags == 0;
        }
    }

    /// What an address answered.
    public record Asked(String url, String answer) {}

    /// Something that is not here yet.
    public sealed interface Awaited {
        /// The repository's first content.
        record FirstContent(Instant until) implements Awaited {}

        /// Objects of a newer state.
        record Objects(PublicKey author, Instant until) implements Awaited {}

        /// Commits of pull requests.
        record Commits(int proposals) implements Awaited {}

        /// The server looks for what is missing elsewhere.
        ///
        /// @param next when it does so again; empty while it is at it
        /// @param asked what addresses that this repository names in public answered
        record Elsewhere(Optional<Instant> next, List<Asked> asked) implements Awaited {
            public Elsewhere {
                asked = List.copyOf(asked);
            }
        }

        /// The refs of this repository: the server is at it.
        record Alignment(Instant since) implements Awaited {}
    }
}
