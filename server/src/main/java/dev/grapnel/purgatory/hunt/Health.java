package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// What servers answered lately (purgatory 6.7): URLs where nothing was, URLs that are forbidden, domains that fail.
/// Least recently met ones are forgotten, so that strangers cannot fill memory; one lock.
final class Health {
    /// After so many answers in a row that nothing is there, a URL rests.
    static final int NOT_THERE_MAX = 3;

    /// How long.
    static final Duration URL_REST = Duration.ofMinutes(10);

    /// After so many failures in a row a domain rests.
    static final int FAILURES_MAX = 5;

    /// How long.
    static final Duration DOMAIN_REST = Duration.ofMinutes(5);

    private static final int URLS_MAX = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, Set<String>> restsOf = new HashMap<>();
    private final Map<String, Rest> rests = new Recent<>(URLS_MAX, (url, rest) -> unlist(rest.identifier(), url));
    private final Map<String, String> forbidden = new Recent<>(URLS_MAX, (_, _) -> {});
    private final Map<Host, Integer> failures = new Recent<>(URLS_MAX, (_, _) -> {});

    /// @param count answers in a row that nothing is there
    /// @param until when it may be asked again
    private record Rest(Identifier identifier, int count, long until) {}

    /// Whether a URL is left alone now.
    boolean isResting(String url, long now) {
        return locked(() -> {
            var rest = rests.get(url);
            return forbidden.containsKey(url) || (rest != null && rest.until() > now);
        });
    }

    /// Nothing is there, for one more round.
    void notThere(HuntUrl url, Identifier identifier, long now) {
        run(() -> {
            failures.remove(url.domain());
            var known = rests.get(url.text());
            int count = known == null ? 1 : known.count() + 1;
            boolean rests = count >= NOT_THERE_MAX;
            this.rests.put(
                    url.text(), new Rest(identifier, rests ? 0 : count, rests ? now + URL_REST.toMillis() : now));
            restsOf.computeIfAbsent(identifier, _ -> new HashSet<>()).add(url.text());
        });
    }

    /// Never ask it again.
    ///
    /// @param reason for people
    void forbid(String url, String reason) {
        run(() -> forbidden.put(url, reason));
    }

    /// Why a URL is left alone now, for people.
    Optional<String> findReasonToRest(String url, long now) {
        return locked(() -> {
            var rest = rests.get(url);
            return rest != null && rest.until() > now
                    ? Optional.of("it did not have the repository again and again")
                    : Optional.ofNullable(forbidden.get(url));
        });
    }

    /// A failure that may pass.
    ///
    /// @return whether the domain is to rest
    boolean failed(Host domain) {
        return locked(() -> {
            int count = failures.merge(domain, 1, Integer::sum);
            if (count >= FAILURES_MAX) {
                failures.remove(domain);
            }
            return count >= FAILURES_MAX;
        });
    }

    /// All went well (P-674).
    void succeeded(HuntUrl url) {
        run(() -> {
            failures.remove(url.domain());
            var rest = rests.remove(url.text());
            if (rest != null) {
                unlist(rest.identifier(), url.text());
            }
        });
    }

    /// A new event ends the rests of its identifier's URLs (P-672).
    void startAfresh(Identifier identifier) {
        run(() -> {
            var urls = restsOf.remove(identifier);
            if (urls != null) {
                urls.forEach(rests::remove);
            }
        });
    }

    /// The operator wants it asked, whatever it answered.
    void forgive(String url) {
        run(() -> {
            forbidden.remove(url);
            var rest = rests.remove(url);
            if (rest != null) {
                unlist(rest.identifier(), url);
            }
        });
    }

    private void unlist(Identifier identifier, String url) {
        restsOf.computeIfPresent(identifier, (_, urls) -> {
            urls.remove(url);
            return urls.isEmpty() ? null : urls;
        });
    }

    private void run(Runnable work) {
        boolean _ = locked(() -> {
            work.run();
            return true;
        });
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
