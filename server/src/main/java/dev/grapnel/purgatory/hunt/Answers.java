package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// What people want to know about a hunt: what was missing when it was looked at last, and what each URL answered. Of
/// bounded size; one lock.
final class Answers {
    /// Most missing objects that are shown of one identifier.
    static final int SHOWN_MAX = 20;

    private static final int IDENTIFIERS_MAX = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, Told> told = new Recent<>(IDENTIFIERS_MAX, (_, _) -> {});

    private static final class Told {
        private int missing;
        private List<Oid> first = List.of();
        private final Map<String, Answer> byUrl = new Recent<>(Selection.PER_ATTEMPT, (_, _) -> {});
    }

    /// What is missing, how much, and what was answered.
    record Report(int missing, List<Oid> first, List<Answer> answers) {}

    void look(Identifier identifier, Pending pending) {
        Set<Oid> missing = pending.needs().stream()
                .flatMap(need -> need.tips().stream())
                .map(Need.Tip::oid)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        lock.lock();
        try {
            var one = told.computeIfAbsent(identifier, _ -> new Told());
            one.missing = missing.size();
            one.first = missing.stream().limit(SHOWN_MAX).toList();
        } finally {
            lock.unlock();
        }
    }

    void answer(Identifier identifier, Answer answer) {
        lock.lock();
        try {
            told.computeIfAbsent(identifier, _ -> new Told()).byUrl.put(answer.url(), answer);
        } finally {
            lock.unlock();
        }
    }

    /// A URL was not asked. What it answered when it was stays known.
    void spare(Identifier identifier, String url, Instant at, String why) {
        lock.lock();
        try {
            var byUrl = told.computeIfAbsent(identifier, _ -> new Told()).byUrl;
            var known = byUrl.get(url);
            if (known == null || known.result().equals(Answer.SPARED)) {
                byUrl.put(url, new Answer(url, at, Answer.SPARED, why, 0));
            } else if (!known.result().equals(Answer.REFUSED)) { // which says already that it is never asked
                byUrl.put(url, known.notNow(why));
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(Identifier identifier) {
        lock.lock();
        try {
            told.remove(identifier);
        } finally {
            lock.unlock();
        }
    }

    Report of(Identifier identifier) {
        lock.lock();
        try {
            var one = told.get(identifier);
            return one == null
                    ? new Report(0, List.of(), List.of())
                    : new Report(one.missing, one.first, List.copyOf(one.byUrl.values()));
        } finally {
            lock.unlock();
        }
    }

    /// Objects that are missing, over all identifiers.
    long missing() {
        lock.lock();
        try {
            return told.values().stream().mapToLong(one -> one.missing).sum();
        } finally {
            lock.unlock();
        }
    }
}
