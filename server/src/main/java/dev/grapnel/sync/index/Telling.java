package dev.grapnel.sync.index;

/// Tells what has changed, a repository or a root at a time.
final class Telling implements Work {
    private final Dirt dirt;
    private final Repos repos;
    private final Roots roots;
    private final Pairs pairs;
    private final IndexChange change;

    Telling(Dirt dirt, Repos repos, Roots roots, Pairs pairs, IndexChange change) {
        this.dirt = dirt;
        this.repos = repos;
        this.roots = roots;
        this.pairs = pairs;
        this.change = change;
    }

    @Override
    public boolean advance() {
        if (!dirt.changed().isEmpty()) {
            tellRepo(dirt.changed().poll());
            return true;
        }
        if (!dirt.soiled().isEmpty()) {
            int root = dirt.soiled().poll();
            roots.clean(root);
            change.threadChanged(root);
            return true;
        }
        return false;
    }

    private void tellRepo(int repo) {
        boolean isGrown = repos.is(repo, Repos.GREW);
        boolean isShrunk = repos.is(repo, Repos.SHRANK);
        repos.unmark(repo, Repos.GREW | Repos.SHRANK);
        for (int place = 0; place < pairs.sizeOf(repo); place++) {
            int pair = pairs.ofRepo(repo, place);
            if (isShrunk) {
                change.shrunk(pair);
            }
            if (isGrown) {
                change.grown(pair);
            }
        }
    }
}
