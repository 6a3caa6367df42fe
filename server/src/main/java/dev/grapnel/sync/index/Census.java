package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Mutation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Which repositories and roots a reading of the store met, and so which of those that the index has are not
/// stored. What the index met after the census began does not count.
final class Census implements Work {
    private final WantedIndex index;
    private final int repoCount;
    private final int rootCount;
    private final BitSet repos = new BitSet();
    private final BitSet roots = new BitSet();
    private final List<Mutation> absent = new ArrayList<>();
    private int repo;
    private int root;

    Census(WantedIndex index) {
        this.index = index;
        this.repoCount = index.repoCount();
        this.rootCount = index.roots().count();
    }

    void meet(List<Mutation> found) {
        for (var mutation : found) {
            switch (mutation) {
                case Mutation.Announced announced -> mark(repos, index.findRepo(announced.repository()));
                case Mutation.RootServed served -> mark(roots, index.findRoot(served.id()));
                case Mutation.StatesChanged _, Mutation.MemberServed _, Mutation.Unannounced _, Mutation.Left _ -> {}
            }
        }
    }

    private static void mark(BitSet met, int ordinal) {
        if (ordinal >= 0) {
            met.set(ordinal);
        }
    }

    /// Goes through what was not met.
    @Override
    public boolean advance() {
        if (repo < repoCount) {
            if (!repos.get(repo) && index.repos().is(repo, Repos.STORED)) {
                absent.add(new Mutation.Unannounced(index.repos().address(repo)));
            }
            repo++;
            return true;
        }
        if (root < rootCount) {
            if (!roots.get(root) && !index.roots().isGone(root)) {
                absent.add(new Mutation.Left(index.rootId(root)));
            }
            root++;
            return true;
        }
        return false;
    }

    /// The mutations that nobody told.
    List<Mutation> absent() {
        return absent;
    }
}
