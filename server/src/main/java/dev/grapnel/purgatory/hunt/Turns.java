package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.hunt.Selection.Candidate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Whose turn it is among those who wait under one identifier, over attempts and both paths. Anybody may announce any
/// identifier and propose to any repository, so what strangers name must not keep what an owner names from being
/// asked: who came or was served first is served next, and newcomers stand behind.
///
/// Of an identifier only those are remembered who wait for it, so it takes no more room than what is held; one lock.
final class Turns {
    private static final int IDENTIFIERS_MAX = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, Known> known = new Recent<>(IDENTIFIERS_MAX, (_, _) -> {});
    private long nextNumber = 1;

    private static final class Known {
        private final Map<PublicKey, Long> authors = new HashMap<>();
        private final Map<String, Long> urls = new HashMap<>();
    }

    /// All candidates in the order of their turns.
    ///
    /// @param preferred comes first, if it is among them
    List<Candidate> order(Identifier identifier, List<Candidate> candidates, Optional<String> preferred) {
        lock.lock();
        try {
            var one = known.computeIfAbsent(identifier, _ -> new Known());
            var urls = new HashSet<String>();
            var authors = new HashSet<PublicKey>();
            for (var candidate : candidates) {
                urls.add(candidate.url().text());
                for (var author : candidate.authors()) {
                    authors.add(author);
                    one.authors.computeIfAbsent(author, _ -> nextNumber++);
                }
            }
            one.authors.keySet().retainAll(authors);
            one.urls.keySet().retainAll(urls);
            return Selection.inTurn(candidates, preferred, one.authors, one.urls);
        } finally {
            lock.unlock();
        }
    }

    /// Somebody is asked: those it is asked for stand behind all others now, and so does the URL among theirs.
    void asked(Identifier identifier, Candidate candidate) {
        change(identifier, one -> {
            served(one, candidate.authors());
            one.urls.put(candidate.url().text(), nextNumber++);
        });
    }

    /// Somebody is waited for: the queue of the domain gives the turn.
    void queued(Identifier identifier, Candidate candidate) {
        change(identifier, one -> served(one, candidate.authors()));
    }

    void forget(Identifier identifier) {
        lock.lock();
        try {
            known.remove(identifier);
        } finally {
            lock.unlock();
        }
    }

    private void served(Known one, Set<PublicKey> authors) {
        long number = nextNumber++;
        authors.forEach(author -> one.authors.put(author, number));
    }

    private void change(Identifier identifier, Consumer<Known> work) {
        lock.lock();
        try {
            work.accept(known.computeIfAbsent(identifier, _ -> new Known()));
        } finally {
            lock.unlock();
        }
    }
}
