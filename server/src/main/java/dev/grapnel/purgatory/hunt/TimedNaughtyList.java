package dev.grapnel.purgatory.hunt;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A naughty list in memory, of bounded size: whoever was met least recently is forgotten first. One lock.
public final class TimedNaughtyList implements NaughtyList {
    private static final int ENTRIES_MAX = 10_000;

    private final Duration period;
    private final InstantSource clock;
    private final BooleanSupplier isCutOff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kept> sites = new Recent<>(ENTRIES_MAX, (_, _) -> {});
    private final Map<String, Kept> urls = new Recent<>(ENTRIES_MAX, (_, _) -> {});

    /// One entry, as it may be stored.
    ///
    /// @param isUrl whether it is a URL, and not a host or a port of one
    public record Stored(String key, boolean isUrl, NaughtyCause cause, String origin, Instant until) {}

    /// @param until also in the past: whoever was here before is no news
    private record Kept(NaughtyCause cause, String origin, Instant until) {}

    /// @param period how long somebody stays on it
    /// @param isCutOff whether this server itself seems to be without a network: then others are not to blame
    public TimedNaughtyList(Duration period, InstantSource clock, BooleanSupplier isCutOff) {
        this.period = period;
        this.clock = clock;
        this.isCutOff = isCutOff;
    }

    /// Takes back what was stored.
    public void restore(List<Stored> entries) {
        lock.lock();
        try {
            for (var entry : entries) {
                (entry.isUrl() ? urls : sites).put(entry.key(), new Kept(entry.cause(), entry.origin(), entry.until()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// All that is worth storing.
    public List<Stored> entries() {
        lock.lock();
        try {
            var all = new ArrayList<Stored>();
            sites.forEach((key, kept) -> all.add(new Stored(key, false, kept.cause(), kept.origin(), kept.until())));
            urls.forEach((key, kept) -> all.add(new Stored(key, true, kept.cause(), kept.origin(), kept.until())));
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Blame> find(Site site) {
        return keysOf(site)
                .flatMap(key -> findKept(sites, key).stream())
                .map(kept -> new Blame(kept.cause(), kept.origin(), kept.until()))
                .max(Comparator.comparing(Blame::until));
    }

    private static Stream<String> keysOf(Site site) {
        return site.isSecure()
                ? Stream.of(site.host().text(), site.hostAndPort())
                : Stream.of(site.host().text());
    }

    @Override
    public Optional<Instant> findUrl(String url) {
        return find(urls, url);
    }

    @Override
    public Entry add(Site site, NaughtyCause cause) {
        var key = cause == NaughtyCause.TLS ? site.hostAndPort() : site.host().text();
        return add(sites, key, cause, site.origin());
    }

    @Override
    public Entry addUrl(String url, NaughtyCause cause) {
        return add(urls, url, cause, "");
    }

    @Override
    public void remove(Site site) {
        keysOf(site).forEach(key -> remove(sites, key));
    }

    @Override
    public void removeUrl(String url) {
        remove(urls, url);
    }

    private void remove(Map<String, Kept> entries, String key) {
        lock.lock();
        try {
            entries.remove(key);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Map<NaughtyCause, Long> counts() {
        var counts = new EnumMap<NaughtyCause, Long>(NaughtyCause.class);
        var now = clock.instant();
        for (var entry : entries()) {
            if (entry.until().isAfter(now)) {
                counts.merge(entry.cause(), 1L, Long::sum);
            }
        }
        return counts;
    }

    private Optional<Instant> find(Map<String, Kept> entries, String key) {
        return findKept(entries, key).map(Kept::until);
    }

    private Optional<Kept> findKept(Map<String, Kept> entries, String key) {
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(key))
                    .filter(kept -> kept.until().isAfter(clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    private Entry add(Map<String, Kept> entries, String key, NaughtyCause cause, String origin) {
        if (isCutOff.getAsBoolean()) {
            return new Entry(Optional.empty(), false);
        }
        var until = clock.instant().plus(period);
        lock.lock();
        try {
            boolean isFirst = entries.put(key, new Kept(cause, origin, until)) == null;
            return new Entry(Optional.of(until), isFirst);
        } finally {
            lock.unlock();
        }
    }
}
