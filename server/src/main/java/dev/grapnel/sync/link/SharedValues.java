package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.function.IntUnaryOperator;

/// Values that several roots of one relay have: comments below two of them. Each is asked for and streamed once (R2.1,
/// R3.12): by whoever came first, and the others pass over it. State addresses are in [SharedAddresses].
final class SharedValues {
    /// So many entries of the lists of other threads are looked at, all together; the worst that comes of it is a value
    /// asked twice.
    private static final int MEMBERS_MAX = 1_000;

    /// Whoever has no heir among so much is taken to have one: everything is packed anew then, within a minute.
    private static final int HEIRS_MAX = 20_000;

    private final int relay;
    private final Targets targets;
    private int looks;

    SharedValues(int relay, Targets targets) {
        this.relay = relay;
        this.targets = targets;
    }

    /// How much was looked at since this was last asked.
    int takeLooks() {
        int taken = looks;
        looks = 0;
        return taken;
    }

    /// Whether the thread of another root that is wanted of the relay has brought a member of this one so far already.
    ///
    /// @param reached how many members of a root's list have come so far
    boolean isMemberElsewhere(int root, int place, IntUnaryOperator reached) {
        int member = targets.member(root, place);
        if (member < 0) {
            return false;
        }
        var left = new int[] {MEMBERS_MAX};
        var found = new boolean[1];
        targets.hasAnyThread(member, other -> {
            looks++;
            int count = other == root ? 0 : Math.min(reached.applyAsInt(other), targets.memberCount(other));
            if (count > 0 && isWanted(other, -1)) {
                found[0] = isAmongLast(other, member, count, left[0]);
                left[0] -= count;
            }
            return found[0] || left[0] <= 0;
        });
        return found[0];
    }

    /// From the end, for what is asked about is new more often than not.
    private boolean isAmongLast(int root, int member, int count, int looksMax) {
        for (int place = count - 1; place >= Math.max(0, count - looksMax); place--) {
            looks++;
            if (targets.member(root, place) == member) {
                return true;
            }
        }
        return false;
    }

    /// Whether the relay has a repository with this root, wanted in full.
    ///
    /// @param except a repository that does not count
    boolean isWanted(int root, int except) {
        return targets.hasAnyRepo(root, repo -> {
            looks++;
            return repo != except && isFull(repo);
        });
    }

    private boolean isFull(int repo) {
        return targets.level(repo) == Level.FULL && targets.findPair(relay, repo) >= 0;
    }

    /// Whether others at the relay have something of a repository, which they passed over for its sake.
    boolean hasHeirs(int repo) {
        looks = 0;
        if (targets.hasAnyNamesake(repo, other -> areTooMany() || (other != repo && isFull(other)))) {
            return true;
        }
        for (int place = 0; place < targets.rootCount(repo); place++) {
            int root = targets.threadAt(repo, place);
            if (areTooMany() || (root >= 0 && (isWanted(root, repo) || sharesMembers(root)))) {
                return true;
            }
        }
        return false;
    }

    private boolean areTooMany() {
        looks++;
        return looks > HEIRS_MAX;
    }

    private boolean sharesMembers(int root) {
        for (int place = 0; place < targets.memberCount(root); place++) {
            int member = targets.member(root, place);
            if (areTooMany() || (member >= 0 && targets.hasAnyThread(member, other -> other != root))) {
                return true;
            }
        }
        return false;
    }
}
