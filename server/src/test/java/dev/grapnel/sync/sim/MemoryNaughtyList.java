package dev.grapnel.sync.sim;

import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.purgatory.hunt.Site;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Whom a node leaves alone; outlives its crashes.
final class MemoryNaughtyList implements NaughtyList {
    private static final Duration TIME = Duration.ofHours(12);

    private final InstantSource clock;
    private final Map<String, Naughty> all = new TreeMap<>();

    private record Naughty(NaughtyCause cause, Instant until) {}

    MemoryNaughtyList(InstantSource clock) {
        this.clock = clock;
    }

    private Optional<Naughty> find(String name) {
        return Optional.ofNullable(all.get(name))
                .filter(found -> clock.instant().isBefore(found.until()));
    }

    @Override
    public Optional<Blame> find(Site site) {
        var name = find(site.host().text());
        return (site.isSecure() ? name.or(() -> find(site.hostAndPort())) : name)
                .map(found -> new Blame(found.cause(), site.origin(), found.until()));
    }

    @Override
    public Optional<Instant> findUrl(String url) {
        return find(url).map(Naughty::until);
    }

    @Override
    public Entry add(Site site, NaughtyCause cause) {
        return add(cause == NaughtyCause.TLS ? site.hostAndPort() : site.host().text(), cause);
    }

    @Override
    public Entry addUrl(String url, NaughtyCause cause) {
        return add(url, cause);
    }

    private Entry add(String name, NaughtyCause cause) {
        var until = clock.instant().plus(TIME);
        var before = all.put(name, new Naughty(cause, until));
        return new Entry(Optional.of(until), before == null);
    }

    @Override
    public void remove(Site site) {
        all.remove(site.host().text());
        all.remove(site.hostAndPort());
    }

    @Override
    public void removeUrl(String url) {
        all.remove(url);
    }

    @Override
    public Map<NaughtyCause, Long> counts() {
        var counts = new EnumMap<NaughtyCause, Long>(NaughtyCause.class);
        all.values().forEach(naughty -> counts.merge(naughty.cause(), 1L, Long::sum));
        return counts;
    }
}
