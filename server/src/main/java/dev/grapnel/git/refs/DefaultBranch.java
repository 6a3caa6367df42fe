package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.RefName;
import java.util.SortedSet;

/// Which branch `HEAD` names where nobody says it (service 7.3.2).
public final class DefaultBranch {
    private static final RefName MASTER = new RefName(RefName.BRANCHES + "master");

    private DefaultBranch() {}

    /// What the common client assumes; what `HEAD` was before plays no part.
    public static RefName of(SortedSet<RefName> names) {
        if (names.contains(MASTER)) {
            return MASTER;
        }
        if (names.contains(Refs.DEFAULT_BRANCH)) {
            return Refs.DEFAULT_BRANCH;
        }
        return names.stream().filter(RefName::isBranch).findFirst().orElse(Refs.DEFAULT_BRANCH);
    }
}
