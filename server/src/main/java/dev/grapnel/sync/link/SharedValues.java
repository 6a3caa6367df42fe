package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.function.IntUnaryOperator;

/// Values that several repositories or roots of one relay have: a state address that counts for two owners, a comment
/// below two roots. Each is asked for and streamed once (R2.1, R3.12): by whoever came first, and the others pass over
/// it.
final class SharedValues {
    /// With more namesakes than this nobody looks at all of them; the worst that comes of it is a value asked twice.
    private static final int NAMESAKES_MAX = 100;

    /// The same for members of other threads.
    private static final int MEMBERS_MAX = 1_000;

    private final int relay;
    private final Targets targets;

    SharedValues(int relay, Targets targets) {
        this.relay = relay;
        this.targets = targets;
    }

    /// Whether another repository of the relay has brought a state address of this one to a stage already.
    ///
    /// @param stage of [dev.grapnel.sync.index.PairMarks]
    boolean isAddressElsewhere(int repo, int place, int stage) {
        var wanted = targets.address(repo, place);
        if (wanted.isEmpty()) {
            return false;
        }
        var looks = new int[1];
        var found = new boolean[1];
        targets.forEachNamesake(repo, other -> {
            if (!found[0] && other != repo && looks[0]++ < NAMESAKES_MAX) {
                found[0] = hasAddress(other, wanted.get(), stage);
            }
        });
        return found[0];
    }

    private boolean hasAddress(int repo, String address, int stage) {
        int pair = targets.level(repo) == Level.FULL ? targets.findPair(relay, repo) : -1;
        int count = pair < 0 ? 0 : targets.marks().addresses(pair, stage);
        for (int place = 0; place < Math.min(count, targets.addressCount(repo)); place++) {
            if (targets.address(repo, place).filter(address::equals).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /// Whether the thread of another root that is wanted of the relay has brought a member of this one so far already.
    ///
    /// @param reached how many members of a root's list have come so far
    boolean isMemberElsewhere(int root, int place, IntUnaryOperator reached) {
        int member = targets.member(root, place);
        var found = new boolean[1];
        if (member >= 0) {
            targets.forEachThreadOf(member, other -> {
                found[0] |= other != root && isWanted(other, -1) && isWithin(other, member, reached.applyAsInt(other));
            });
        }
        return found[0];
    }

    private boolean isWithin(int root, int member, int count) {
        for (int place = 0; place < Math.min(Math.min(count, MEMBERS_MAX), targets.memberCount(root)); place++) {
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
        var found = new boolean[1];
        targets.forEachRepoOf(root, repo -> {
            found[0] |= repo != except && targets.level(repo) == Level.FULL && targets.findPair(relay, repo) >= 0;
        });
        return found[0];
    }

    /// Whether others at the relay have something of a repository, which they passed over for its sake.
    boolean hasHeirs(int repo) {
        var found = new boolean[1];
        targets.forEachNamesake(repo, other -> {
            found[0] |= other != repo && targets.level(other) == Level.FULL && targets.findPair(relay, other) >= 0;
        });
        for (int place = 0; place < targets.rootCount(repo) && !found[0]; place++) {
            int root = targets.threadAt(repo, place);
            found[0] = root >= 0 && (isWanted(root, repo) || sharesMembers(root));
        }
        return found[0];
    }

    private boolean sharesMembers(int root) {
        var found = new boolean[1];
        for (int place = 0; place < targets.memberCount(root) && !found[0]; place++) {
            int member = targets.member(root, place);
            if (member >= 0) {
                targets.forEachThreadOf(member, other -> found[0] |= other != root);
            }
        }
        return found[0];
    }
}
