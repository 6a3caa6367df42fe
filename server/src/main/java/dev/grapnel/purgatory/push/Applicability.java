package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;

/// Whether states can become true, as far as objects decide (purgatory P-320). Refs play no part.
public interface Applicability {
    /// Whether it can never be: a value is no object id, or a branch names something that is no commit.
    boolean isNever(RepositoryState state);

    /// Whether it can be at once. One that is empty always can.
    boolean needsNothing(RepositoryState state);

    /// Decides by the objects of a repository's local pool.
    static Applicability by(Objects objects) {
        return new Applicability() {
            @Override
            public boolean isNever(RepositoryState state) {
                return !state.isSatisfiable()
                        || state.refs().entrySet().stream()
                                .anyMatch(ref -> isBadBranch(
                                        ref.getKey(),
                                        objects.seenBy(state.author()).isOtherThanCommit(ref.getValue())));
            }

            @Override
            public boolean needsNothing(RepositoryState state) {
                return state.refs().values().stream().allMatch(objects.seenBy(state.author())::isHere)
                        && !isNever(state);
            }
        };
    }

    private static boolean isBadBranch(RefName ref, boolean isOtherThanCommit) {
        return ref.isBranch() && isOtherThanCommit;
    }
}
