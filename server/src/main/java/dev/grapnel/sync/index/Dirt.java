package dev.grapnel.sync.index;

/// What has changed and was not told yet (R8.3), and what has to be looked up because of it. Each repository
/// and each root is in each queue once.
final class Dirt {
    private final Repos repos;
    private final Roots roots;
    private final IntQueue changed = new IntQueue();
    private final IntQueue soiled = new IntQueue();
    private final IntQueue stale = new IntQueue();
    private final IntQueue loads = new IntQueue();
    private final Searches rootSearches = new Searches();

    Dirt(Repos repos, Roots roots) {
        this.repos = repos;
        this.roots = roots;
    }

    /// @param flags [Repos#GREW] or [Repos#SHRANK] or both
    void change(int repo, int flags) {
        if (flags != 0) {
            if (!repos.is(repo, Repos.GREW | Repos.SHRANK)) {
                changed.add(repo);
            }
            repos.mark(repo, flags);
        }
    }

    /// Repositories of which more or less is wanted.
    IntQueue changed() {
        return changed;
    }

    void soilThread(int root) {
        if (roots.soil(root)) {
            soiled.add(root);
        }
    }

    /// Less is wanted below a root, so less of all repositories that have it (R2.6).
    void thinThread(int root) {
        roots.forEachHome(root, repo -> change(repo, Repos.SHRANK));
    }

    /// Roots with other members than before.
    IntQueue soiled() {
        return soiled;
    }

    void age(int repo) {
        if (!repos.is(repo, Repos.STALE)) {
            repos.mark(repo, Repos.STALE);
            stale.add(repo);
        }
    }

    /// Repositories whose state addresses may have changed.
    IntQueue stale() {
        return stale;
    }

    /// Repositories whose stored roots have to be looked for.
    IntQueue loads() {
        return loads;
    }

    /// Roots whose answers have to be looked for.
    Searches rootSearches() {
        return rootSearches;
    }
}
