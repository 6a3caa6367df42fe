package dev.grapnel.server;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.purgatory.hunt.Site;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Naughty;
import dev.grapnel.store.row.Naughty.Fault;
import dev.grapnel.store.row.RelayHealth;
import dev.grapnel.store.row.Remote;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The naughty list in the store, so that a restart does not ask those again who cannot answer (P-675). All of it is
/// in memory, too, because every choice of a URL looks at it; beyond its size the entry goes that ends first.
final class StoredNaughtyList implements NaughtyList {
    private static final Logger LOG = LoggerFactory.getLogger(StoredNaughtyList.class);
    private static final int ENTRIES_MAX = 10_000;

    private final EventStore store;
    private final Duration period;
    private final InstantSource clock;
    private final BooleanSupplier isCutOff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Remote, Naughty> entries;

    /// @param isCutOff whether this server itself seems to be without a network: then others are not to blame; any
    ///     thread asks
    StoredNaughtyList(EventStore store, Duration period, InstantSource clock, BooleanSupplier isCutOff) {
        this.store = store;
        this.period = period;
        this.clock = clock;
        this.isCutOff = isCutOff;
        this.entries = new HashMap<>(read(store));
        splitHosts();
    }

    private static Map<Remote, Naughty> read(EventStore store) {
        return store.read(view -> {
            var found = new HashMap<Remote, Naughty>();
            view.forEachRow(Table.RELAY_HEALTH, Bytes.EMPTY, row -> {
                if (row instanceof RelayHealth health
                        && health.remote().type() != Remote.Type.RELAY
                        && found.size() < ENTRIES_MAX) {
                    health.naughty().ifPresent(naughty -> found.put(health.remote(), naughty));
                }
            });
            return found;
        });
    }

    /// Earlier versions blamed a whole host for a certificate. Which port it was they did not write, so it is taken for
    /// the usual one: nobody is shut out who was not before.
    private void splitHosts() {
        var whole = entries.keySet().stream().filter(this::isWholeHost).toList();
        for (var remote : whole) {
            var entry = Objects.requireNonNull(entries.remove(remote));
            keep(remote, Optional.empty());
            var port = certificate(Site.secure(new Host(remote.text())));
            entries.put(port, entry);
            keep(port, Optional.of(entry));
        }
    }

    private boolean isWholeHost(Remote remote) {
        var entry = Objects.requireNonNull(entries.get(remote));
        boolean hasPort = remote.text().lastIndexOf(':') > remote.text().lastIndexOf(']');
        return remote.type() == Remote.Type.HOST && entry.fault() == Fault.TLS_CERTIFICATE_INVALID && !hasPort;
    }

    private static Remote name(Site site) {
        return new Remote(Remote.Type.HOST, site.host().text());
    }

    private static Remote certificate(Site site) {
        return new Remote(Remote.Type.HOST, site.hostAndPort());
    }

    private static Stream<Remote> remotesOf(Site site) {
        return site.isSecure() ? Stream.of(name(site), certificate(site)) : Stream.of(name(site));
    }

    @Override
    public Optional<Blame> find(Site site) {
        return remotesOf(site)
                .flatMap(remote -> find(remote).stream())
                .max(Comparator.comparing(Naughty::until))
                .map(entry -> new Blame(cause(entry.fault()), entry.origin().orElse(""), entry.until()));
    }

    @Override
    public Optional<Instant> findUrl(String url) {
        return find(new Remote(Remote.Type.GIT, url)).map(Naughty::until);
    }

    private Optional<Naughty> find(Remote remote) {
        var now = clock.instant();
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(remote)).filter(entry -> now.isBefore(entry.until()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Entry add(Site site, NaughtyCause cause) {
        return add(cause == NaughtyCause.TLS ? certificate(site) : name(site), cause, Optional.of(site.origin()));
    }

    @Override
    public Entry addUrl(String url, NaughtyCause cause) {
        return add(new Remote(Remote.Type.GIT, url), cause, Optional.empty());
    }

    @Override
    public void remove(Site site) {
        remotesOf(site).forEach(this::remove);
    }

    @Override
    public void removeUrl(String url) {
        remove(new Remote(Remote.Type.GIT, url));
    }

    private void remove(Remote remote) {
        boolean wasThere;
        lock.lock();
        try {
            wasThere = entries.remove(remote) != null;
        } finally {
            lock.unlock();
        }
        if (wasThere) {
            keep(remote, Optional.empty());
        }
    }

    private Entry add(Remote remote, NaughtyCause cause, Optional<String> origin) {
        if (isCutOff.getAsBoolean()) {
            return new Entry(Optional.empty(), false);
        }
        var now = clock.instant();
        Naughty next;
        boolean isFirst;
        lock.lock();
        try {
            var last = entries.get(remote);
            isFirst = last == null;
            next = next(Optional.ofNullable(last), fault(cause), origin, now);
            entries.put(remote, next);
            forgetOne(remote);
        } finally {
            lock.unlock();
        }
        keep(remote, Optional.of(next));
        return new Entry(Optional.of(next.until()), isFirst);
    }

    /// Meeting it again within its time changes only what is told; afterwards its time begins anew (P-671).
    private Naughty next(Optional<Naughty> last, Fault fault, Optional<String> origin, Instant now) {
        return last.filter(entry -> now.isBefore(entry.until()))
                .map(entry -> new Naughty(fault, entry.firstSeen(), now, entry.count() + 1, entry.until(), origin))
                .orElseGet(() -> new Naughty(fault, now, now, 1, now.plus(period), origin));
    }

    private void forgetOne(Remote added) {
        if (entries.size() > ENTRIES_MAX) {
            var first = entries.entrySet().stream()
                    .filter(entry -> !entry.getKey().equals(added))
                    .min((a, b) -> a.getValue().until().compareTo(b.getValue().until()))
                    .orElseThrow()
                    .getKey();
            entries.remove(first);
            keep(first, Optional.empty());
        }
    }

    /// Losing it costs a visit in vain, so nobody waits for it.
    private void keep(Remote remote, Optional<Naughty> naughty) {
        CompletableFuture<Boolean> written = store.write(Urgency.WAITING, 0, transaction -> {
            var row = transaction
                    .findRow(Table.RELAY_HEALTH, RowKeys.remote(remote))
                    .map(RelayHealth.class::cast);
            var next = with(remote, row, naughty);
            if (next.isPresent()) {
                transaction.put(next.get());
            } else {
                transaction.remove(Table.RELAY_HEALTH, RowKeys.remote(remote));
            }
            return true;
        });
        var _ = written.exceptionally(e -> {
            LOG.warn("naughty list not written reason={}", e.toString());
            return false;
        });
    }

    private static Optional<RelayHealth> with(Remote remote, Optional<RelayHealth> row, Optional<Naughty> naughty) {
        if (row.isEmpty()) {
            return naughty.map(entry -> new RelayHealth(
                    remote,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(entry),
                    List.of()));
        }
        var known = row.get();
        boolean isOnlyThis =
                naughty.isEmpty() && known.failures() == 0 && known.learned().isEmpty();
        return isOnlyThis
                ? Optional.empty()
                : Optional.of(new RelayHealth(
                        remote,
                        known.failures(),
                        known.failingSince(),
                        known.lastSuccess(),
                        known.retryAt(),
                        known.cooldownUntil(),
                        known.parkedUntil(),
                        naughty,
                        known.learned()));
    }

    @Override
    public Map<NaughtyCause, Long> counts() {
        var now = clock.instant();
        lock.lock();
        try {
            return entries.values().stream()
                    .filter(entry -> now.isBefore(entry.until()))
                    .collect(Collectors.groupingBy(
                            entry -> cause(entry.fault()),
                            () -> new EnumMap<>(NaughtyCause.class),
                            Collectors.counting()));
        } finally {
            lock.unlock();
        }
    }

    private static Fault fault(NaughtyCause cause) {
        return switch (cause) {
            case DNS -> Fault.DNS_LOOKUP_FAILED;
            case TLS -> Fault.TLS_CERTIFICATE_INVALID;
            case HOSTILE -> Fault.HOSTILE_PACK;
        };
    }

    private static NaughtyCause cause(Fault fault) {
        return Arrays.stream(NaughtyCause.values())
                .filter(cause -> fault(cause) == fault)
                .findFirst()
                .orElse(NaughtyCause.HOSTILE);
    }
}
