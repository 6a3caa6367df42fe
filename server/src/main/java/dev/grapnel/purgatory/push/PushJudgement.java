package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.List;
import java.util.Optional;

/// Whether a push may happen, and by what.
public sealed interface PushJudgement {
    /// States that contradict nothing in the push, but whose objects are not all here or not what they must
    /// be, newest first. As far as they were looked at: those newer than a match.
    List<RepositoryState> incomplete();

    /// It may.
    ///
    /// @param branchesAndTags what allows their part
    /// @param proposals in the order they came
    record Allowed(BranchesAndTags branchesAndTags, List<ProposalPush> proposals, List<RepositoryState> incomplete)
            implements PushJudgement {
        public Allowed {
            proposals = List.copyOf(proposals);
            incomplete = List.copyOf(incomplete);
        }

        /// The state that the push realises, if it needs one.
        public Optional<RepositoryState> chosen() {
            return branchesAndTags instanceof BranchesAndTags.Realising(var state, var _)
                    ? Optional.of(state)
                    : Optional.empty();
        }

        /// Whether objects must come with the pack that nobody promised.
        public boolean isProvisional() {
            return branchesAndTags instanceof BranchesAndTags.Realising(var _, var provisional) && provisional;
        }

        /// Proposals nobody has signed yet: they need a place of their own.
        public List<ProposalPush> unsigned() {
            return proposals.stream()
                    .filter(proposal -> proposal.backing() == Backing.UNSIGNED)
                    .toList();
        }
    }

    /// It may not.
    record Refused(PushVerdict.Refused verdict, List<RepositoryState> incomplete) implements PushJudgement {
        public Refused {
            incomplete = List.copyOf(incomplete);
        }
    }

    /// What allows branches and tags to be pushed.
    sealed interface BranchesAndTags {
        /// There are none.
        record None() implements BranchesAndTags {}

        /// All are as they shall be already.
        record NoChange() implements BranchesAndTags {}

        /// A maintainer has signed them.
        ///
        /// @param isProvisional whether objects of the state must come with the pack besides those pushed
        record Realising(RepositoryState state, boolean isProvisional) implements BranchesAndTags {}
    }

    /// A commit pushed to the ref of a proposal.
    record ProposalPush(EventId id, Oid commit, Backing backing) {}

    /// What stands behind a proposal's commit, weakest first.
    enum Backing {
        /// Nothing yet.
        UNSIGNED,
        /// The same commit was pushed before.
        PLACEHOLDER,
        /// The signed event.
        EVENT
    }
}
