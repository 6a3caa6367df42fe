package dev.grapnel.git;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiPredicate;

/// Which repositories there are and what of them may be seen. Asked by git, answered from events: that a
/// directory exists says nothing (service 2.4.7).
public interface Hosting {
    /// A repository, if there is one for those who ask.
    Optional<Hosted> find(RepositoryAddress address) throws IOException;

    /// Every repository of that name, whoever owns it.
    Collection<RepositoryAddress> named(Identifier identifier) throws IOException;

    /// How many there are.
    int count();

    /// Whether events say that a repository has refs. Asked of one that has none: an empty clone would pass for the
    /// whole of it.
    default boolean declaresRefs(RepositoryAddress address) throws IOException {
        return false;
    }

    /// Whether the time has come to bring a repository back, and nobody has tried since.
    default boolean isToBeRestored(RepositoryAddress address) throws IOException {
        return false;
    }

    /// Has a repository brought back whose directory has vanished, as far as that is done soon.
    default void restore(RepositoryAddress address) throws IOException {}

    /// What there is to know of a repository beside its refs; equal as long as nothing of it has changed.
    ///
    /// @param hidden refs that no event explains where they are: neither shown nor fetched nor built upon
    /// @param headIsClaimed whether a state says what the default branch is; otherwise clients choose while
    ///     it is unborn
    /// @param trustsFound whether refs that another server left in a repository are shown as they were found
    record Hosted(BiPredicate<RefName, Oid> hidden, boolean headIsClaimed, boolean trustsFound) {
        /// With nothing to hide.
        public static final Hosted OPEN = new Hosted((_, _) -> false, false, true);

        /// With nothing to show.
        public static final Hosted NOTHING = new Hosted((_, _) -> true, false, false);

        /// Without trust in what other servers left.
        public Hosted(BiPredicate<RefName, Oid> hidden, boolean headIsClaimed) {
            this(hidden, headIsClaimed, false);
        }
    }
}
