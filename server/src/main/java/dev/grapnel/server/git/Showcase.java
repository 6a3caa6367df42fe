package dev.grapnel.server.git;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.Hosting;
import dev.grapnel.git.Hosting.Hosted;
import dev.grapnel.git.fetch.Advertisement;
import dev.grapnel.git.fetch.Offer;
import dev.grapnel.git.push.PushAdvertisement;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.git.GitAsk.Service;
import dev.grapnel.server.git.Readings.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is shown of each repository, remembered until its refs change.
///
/// Also what was shown some minutes ago: a client that has read the refs asks for what they named then, and
/// a push in between must not break its clone (service 2.6).
final class Showcase {
    private static final Logger LOG = LoggerFactory.getLogger(Showcase.class);
    private static final int REPOSITORIES_MAX = 1000;
    private static final int RECENT_MAX = 1000;
    private static final int HAVE_MAX = 64;
    private static final int REFS_SMALL_MAX = 2000;
    private static final int TIPS_SORTED_MAX = 5000;
    private static final long BYTES_KEPT_MAX = 1 << 20;
    private static final Duration RECENT = Duration.ofMinutes(10);

    private final Readings readings;
    private final Hosting hosting;
    private final String agent;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RepositoryAddress, Exhibit> exhibits = new LinkedHashMap<>(64, 0.75f, true) {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RepositoryAddress, Exhibit> eldest) {
            return size() > REPOSITORIES_MAX;
        }
    };

    Showcase(Readings readings, Hosting hosting, String agent, LongSupplier nanoTime) {
        this.readings = readings;
        this.hosting = hosting;
        this.agent = agent;
        this.nanoTime = nanoTime;
    }

    private record Former(Oid id, long until) {}

    private static final class Exhibit {
        private @Nullable Refs all;
        private @Nullable Hosted hosted;
        private Refs shown = Refs.NONE;
        private byte @Nullable [] uploadRefs;
        private @Nullable List<Oid> newest;
        private final Deque<Former> former = new ArrayDeque<>();
        private long lastAsked;
    }

    /// What may be fetched now.
    Offer offer(RepositoryLease repository, Hosted announced) throws IOException {
        var hosted = repository.seenAs(announced);
        var current = repository.refs().current();
        lock.lock();
        try {
            var exhibit = update(repository.address(), current, hosted);
            var recent = exhibit.former.stream().map(Former::id).toList();
            return new Offer(repository.objects(), exhibit.shown, recent, hosted.headIsClaimed());
        } finally {
            lock.unlock();
        }
    }

    private Exhibit update(RepositoryAddress address, Refs current, Hosted hosted) {
        var exhibit = exhibits.computeIfAbsent(address, _ -> new Exhibit());
        long now = nanoTime.getAsLong();
        if (exhibit.all != current || !hosted.equals(exhibit.hosted)) {
            var shown = current.without(hosted.hidden());
            // whoever has read what was shown before did so when somebody asked for it, and not later
            remember(exhibit, shown, exhibit.lastAsked + RECENT.toNanos());
            exhibit.all = current;
            exhibit.hosted = hosted;
            exhibit.shown = shown;
            exhibit.uploadRefs = null;
            exhibit.newest = null;
        }
        exhibit.former.removeIf(former -> now - former.until() > 0);
        exhibit.lastAsked = now;
        return exhibit;
    }

    private static void remember(Exhibit exhibit, Refs shown, long until) {
        var now = targets(shown);
        for (var id : targets(exhibit.shown)) {
            if (!now.contains(id)) {
                exhibit.former.add(new Former(id, until));
            }
        }
        while (exhibit.former.size() > RECENT_MAX) {
            exhibit.former.removeFirst();
        }
    }

    private static Set<Oid> targets(Refs refs) {
        return refs.values().values().stream().map(RefValue::target).collect(Collectors.toCollection(HashSet::new));
    }

    /// The answer to `info/refs`, unless it is so long that it must be sent as it is made.
    Optional<byte[]> smallAdvertisement(RepositoryLease repository, Hosted hosted, Service service, int version)
            throws IOException {
        var offer = offer(repository, hosted);
        boolean listed = service == Service.RECEIVE || version != 2;
        if (listed && offer.refs().values().size() > REFS_SMALL_MAX) {
            return Optional.empty();
        }
        if (service == Service.UPLOAD && listed) {
            return Optional.of(uploadRefs(repository.address(), offer));
        }
        var out = new ByteArrayOutputStream();
        advertise(repository.address(), offer, service, version, out);
        return Optional.of(out.toByteArray());
    }

    /// Writes the answer to `info/refs`.
    void advertise(RepositoryLease repository, Hosted hosted, Service service, int version, OutputStream out)
            throws IOException {
        advertise(repository.address(), offer(repository, hosted), service, version, out);
    }

    private void advertise(RepositoryAddress address, Offer offer, Service service, int version, OutputStream out)
            throws IOException {
        Advertisement.service(service.word(), out);
        switch (service) {
            case RECEIVE -> PushAdvertisement.write(offer.refs(), have(address, offer.refs()), agent, out);
            case UPLOAD -> {
                if (version == 2) {
                    new Advertisement(agent).commands(out);
                } else {
                    new Advertisement(agent).refs(offer.refs(), out);
                }
            }
        }
    }

    private byte[] uploadRefs(RepositoryAddress address, Offer offer) throws IOException {
        lock.lock();
        try {
            var exhibit = exhibits.get(address);
            if (exhibit != null && exhibit.shown == offer.refs() && exhibit.uploadRefs != null) {
                return exhibit.uploadRefs;
            }
        } finally {
            lock.unlock();
        }
        var out = new ByteArrayOutputStream();
        advertise(address, offer, Service.UPLOAD, 0, out);
        var bytes = out.toByteArray();
        lock.lock();
        try {
            var exhibit = exhibits.get(address);
            if (exhibit != null && exhibit.shown == offer.refs() && bytes.length <= BYTES_KEPT_MAX) {
                exhibit.uploadRefs = bytes;
            }
        } finally {
            lock.unlock();
        }
        return bytes;
    }

    /// What a client need not send because another repository of that name has it.
    private Collection<Oid> have(RepositoryAddress address, Refs own) throws IOException {
        var known = targets(own);
        var have = new LinkedHashSet<Oid>();
        try (var others = others(address)) {
            for (var other : others.list()) {
                for (var id : newestOrNone(other)) {
                    if (have.size() < HAVE_MAX && !known.contains(id)) {
                        have.add(id);
                    }
                }
            }
        }
        return have;
    }

    /// What is wrong with somebody else's repository must not hinder anybody.
    private List<Oid> newestOrNone(Other other) {
        try {
            return newest(other);
        } catch (IOException e) {
            warn(other.repository().address(), e);
            return List.of();
        }
    }

    private static void warn(RepositoryAddress address, IOException problem) {
        LOG.warn("repository of the same name cannot be read repo={} error={}", address, problem.toString());
    }

    /// Tips of branches and tags, the newest commits first.
    private List<Oid> newest(Other other) throws IOException {
        var address = other.repository().address();
        lock.lock();
        try {
            var exhibit = exhibits.get(address);
            if (exhibit != null && exhibit.shown == other.offer().refs() && exhibit.newest != null) {
                return exhibit.newest;
            }
        } finally {
            lock.unlock();
        }
        var newest = sortByTime(other.offer());
        lock.lock();
        try {
            var exhibit = exhibits.get(address);
            if (exhibit != null && exhibit.shown == other.offer().refs()) {
                exhibit.newest = newest;
            }
        } finally {
            lock.unlock();
        }
        return newest;
    }

    private static List<Oid> sortByTime(Offer offer) throws IOException {
        record Dated(Oid id, int time) {}
        var dated = new ArrayList<Dated>();
        try (var reader = offer.objects().newReader();
                var walk = new RevWalk(reader)) {
            for (var entry : offer.refs().values().entrySet()) {
                boolean shared = entry.getKey().isBranch() || entry.getKey().isTag();
                if (shared && dated.size() < TIPS_SORTED_MAX) {
                    var value = entry.getValue();
                    var peeled = walk.parseAny(GitIds.of(value.peeled().orElse(value.target())));
                    dated.add(
                            new Dated(value.target(), peeled instanceof RevCommit commit ? commit.getCommitTime() : 0));
                }
            }
        }
        return dated.stream()
                .sorted(Comparator.comparingInt(Dated::time).reversed())
                .map(Dated::id)
                .distinct()
                .limit(HAVE_MAX)
                .toList();
    }

    /// Repositories of the same name, and what they show. Those that cannot be read count for nothing.
    Others others(RepositoryAddress address) throws IOException {
        var found = new ArrayList<Other>();
        try {
            for (var named : hosting.named(address.identifier())) {
                if (!named.equals(address) && found.size() < HAVE_MAX) {
                    findOther(named, found);
                }
            }
        } catch (IOException | RuntimeException e) {
            new Others(found).close();
            throw e;
        }
        return new Others(found);
    }

    private void findOther(RepositoryAddress address, List<Other> found) {
        try {
            var hosted = hosting.find(address);
            var reading = hosted.isPresent() ? readings.find(address) : Optional.<Reading>empty();
            if (hosted.isPresent() && reading.isPresent()) {
                found.add(new Other(reading.get(), offer(reading.get(), hosted.get())));
            }
        } catch (IOException e) {
            warn(address, e);
        }
    }

    private Offer offer(Reading reading, Hosted hosted) throws IOException {
        try {
            return offer(reading.repository(), hosted);
        } catch (IOException | RuntimeException e) {
            reading.close();
            throw e;
        }
    }

    /// Another repository.
    record Other(Reading reading, Offer offer) {
        RepositoryLease repository() {
            return reading.repository();
        }
    }

    /// Several of them, open.
    record Others(List<Other> list) implements AutoCloseable {
        Others {
            list = List.copyOf(list);
        }

        @Override
        public void close() {
            list.forEach(other -> other.reading().close());
        }
    }
}
