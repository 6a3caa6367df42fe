package dev.grapnel.sync.index;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.sync.world.Archive;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Whose states each repository has (R3.2a), as lists that only grow; an author who does not count any more
/// leaves a gap, and gets a new place if he returns.
final class StateAddresses {
    private static final int GAP = -1;
    private static final String PREFIX = "30618:";
    private static final int AUTHOR_END = PREFIX.length() + 64;

    private final IdTable keys;
    private final Repos repos;
    private final Archive archive;
    private final IntLists authors;

    StateAddresses(IndexTables tables, IdTable keys, Repos repos, Archive archive) {
        this.keys = keys;
        this.repos = repos;
        this.archive = archive;
        this.authors = new IntLists(tables, "state-authors");
    }

    int size(int repo) {
        return repo < authors.count() ? authors.size(repo) : 0;
    }

    Optional<String> get(int repo, int place) {
        int author = authors.get(repo, place);
        return author == GAP
                ? Optional.empty()
                : Optional.of(PREFIX + keys.make(author, PublicKey::new) + ":" + repos.identifier(repo));
    }

    /// The ordinal of the author of an entry; -1 if it is gone.
    int author(int repo, int place) {
        return authors.get(repo, place);
    }

    /// Compares a repository's list with the store.
    ///
    /// @return flags of [Repos]: whether it grew, shrank, or both
    int refresh(int repo) {
        var wanted = wanted(repo);
        int change = 0;
        for (int place = 0; place < size(repo); place++) {
            int author = authors.get(repo, place);
            if (author != GAP && !wanted.remove(author)) {
                authors.set(repo, place, GAP);
                change |= Repos.SHRANK;
            }
        }
        for (int author : wanted) {
            append(repo, author);
            change |= Repos.GREW;
        }
        return change;
    }

    /// Whether the list is what the store says.
    boolean isRight(int repo) {
        var wanted = wanted(repo);
        for (int place = 0; place < size(repo); place++) {
            int author = authors.get(repo, place);
            if (author != GAP && !wanted.remove(author)) {
                return false;
            }
        }
        return wanted.isEmpty();
    }

    private Set<Integer> wanted(int repo) {
        var wanted = new LinkedHashSet<Integer>();
        for (var state : archive.stateAuthors(repos.address(repo))) {
            wanted.add(keys.intern(author(state.address())));
        }
        return wanted;
    }

    private static PublicKey author(String address) {
        return PublicKey.parse(address.substring(PREFIX.length(), AUTHOR_END))
                .find()
                .orElseThrow(() -> new IllegalStateException("no state address: " + address));
    }

    private void append(int repo, int author) {
        while (authors.count() <= repo) {
            authors.add();
        }
        authors.append(repo, author);
    }

    long bytes() {
        return authors.bytes();
    }
}
