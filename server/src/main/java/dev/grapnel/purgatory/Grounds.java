package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Arrival.Ground;
import java.util.Map;
import java.util.function.Function;

/// Makes repositories ready before an event is taken that needs them, and takes away what nobody needs.
public interface Grounds {
    /// For a relay without repositories.
    Grounds NONE = new Grounds() {
        @Override
        public <T> T over(
                Map<RepositoryAddress, Ground> repositories,
                Function<Map<RepositoryAddress, Ground>, T> work,
                Function<Refusal, T> otherwise) {
            throw new IllegalStateException("there are no repositories here");
        }
    };

    /// Makes repositories ready and does a work while nobody else changes them. What shall be restored and
    /// is not there any more begins empty. If they cannot be made ready, says something else instead.
    /// Afterwards each stays only if something in the store needs it.
    <T> T over(
            Map<RepositoryAddress, Ground> repositories,
            Function<Map<RepositoryAddress, Ground>, T> work,
            Function<Refusal, T> otherwise);
}
