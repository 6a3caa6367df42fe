package dev.grapnel.server.hunt;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.client.RemoteVisit;
import dev.grapnel.git.client.VisitLimits;
import dev.grapnel.git.pool.Clearing;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.hunt.DormantRecord;
import dev.grapnel.purgatory.hunt.HuntUrl;
import dev.grapnel.purgatory.hunt.Need;
import dev.grapnel.purgatory.hunt.Pending;
import dev.grapnel.purgatory.hunt.Permits;
import dev.grapnel.purgatory.hunt.RelayVisit;
import dev.grapnel.purgatory.hunt.Site;
import dev.grapnel.purgatory.hunt.Visit;
import dev.grapnel.purgatory.hunt.World;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Lack;
import dev.grapnel.purgatory.reconcile.Lacks;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.RowPages;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Events, repositories and servers elsewhere, as hunting knows them (P-680).
public final class HuntedWorld implements World {
    /// Relays that are worth asking for one event (sync R1.16).
    private static final int RELAYS_MAX = 20;

    private static final int INFLATERS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(HuntedWorld.class);

    private final EventStore store;
    private final Pools pools;
    private final Lacks lacks;
    private final Attention attention;
    private final Repositories repositories;
    private final Shown shown;
    private final Runnable sweep;
    private final Gate gate;
    private final Links links;
    private final Ways ways;
    private final Inflation inflation = new Inflation(INFLATERS);

    /// What everybody may see of a repository.
    @FunctionalInterface
    public interface Shown {
        Collection<Oid> tips(RepositoryLease lease) throws IOException;
    }

    /// The relays that sync has links to.
    @FunctionalInterface
    public interface Links {
        /// What was taken of some events that a relay was asked for; empty if nobody follows relays.
        Optional<Set<EventId>> revive(RemoteUrl relay, Set<EventId> ids);
    }

    /// The one gate of every event.
    @FunctionalInterface
    public interface Gate {
        CompletableFuture<Admitted> admit(Event event, Origin origin);
    }

    /// How strangers' servers are reached.
    ///
    /// @param dialers one for each conversation, asking it for places
    /// @param shape of URLs
    /// @param limits what a visit may cost
    /// @param space below whose floor nothing is fetched
    /// @param own where no relay is asked
    /// @param desks where what comes is taken in; whoever made them closes them
    public record Ways(
            Function<VisitSlots, Dialer> dialers,
            UrlShape shape,
            String userAgent,
            int redirectsMax,
            HuntLines lines,
            VisitLimits limits,
            FreeSpace space,
            OwnAddresses own,
            RandomGenerator chance,
            Desks desks,
            InstantSource clock) {}

    /// @param sweep lets go of what has waited long enough
    public HuntedWorld(
            EventStore store,
            Pools pools,
            Lacks lacks,
            Attention attention,
            Repositories repositories,
            Shown shown,
            Runnable sweep,
            Gate gate,
            Links links,
            Ways ways) {
        this.store = store;
        this.pools = pools;
        this.lacks = lacks;
        this.attention = attention;
        this.repositories = repositories;
        this.shown = shown;
        this.sweep = sweep;
        this.gate = gate;
        this.links = links;
        this.ways = ways;
    }

    @Override
    public Pending look(Identifier identifier) {
        try {
            var picture = lacks.look(identifier);
            return new Pending(
                    picture.holdsEvents(),
                    picture.isReady(),
                    picture.lacks().stream().map(HuntedWorld::need).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Need need(Lack lack) {
        return new Need(
                lack.event(),
                lack.author(),
                lack.isServed(),
                lack.source(),
                lack.isOverdue(),
                lack.missing().stream()
                        .map(missing -> new Need.Tip(missing.id(), missing.isHead(), missing.refs()))
                        .toList(),
                lack.cloneUrls());
    }

    private Set<Oid> missing(Identifier identifier) throws IOException {
        return lacks.look(identifier).lacks().stream()
                .flatMap(lack -> lack.missing().stream())
                .map(Lack.Missing::id)
                .collect(Collectors.toSet());
    }

    @Override
    public Visit visit(Identifier identifier, HuntUrl url, Permits permits) {
        var remote = RemoteUrl.parse(url.text(), ways.shape()).require();
        var slots = new VisitSlots(permits);
        var client = new Client(ways.dialers().apply(slots), ways.shape(), ways.userAgent(), ways.redirectsMax());
        var desk = ways.desks().newDesk();
        var transport =
                new OutboundTransport(client, remote, ways.lines(), target -> permits.redirect(Site.of(target)), desk);
        var restsOn = new ArrayList<RepositoryLease>();
        try {
            var target = target(identifier, restsOn);
            var visit = new RemoteVisit(transport, target, ways.limits(), ways.space(), ways.clock());
            return new GitVisit(visit, transport, desk, restsOn, () -> missing(identifier), slots::refused);
        } catch (IOException e) {
            restsOn.forEach(RepositoryLease::close);
            throw new UncheckedIOException(e);
        }
    }

    /// What is here need not come again, unless something of it may be damaged: then nothing is taken for granted.
    private RemoteVisit.Target target(Identifier identifier, List<RepositoryLease> restsOn) throws IOException {
        var tips = new LinkedHashSet<Oid>();
        var missing = lacks.look(identifier).lacks();
        if (missing.stream().noneMatch(Lack::isServed)) {
            for (var entry : pools.of(identifier).announced()) {
                if (entry.hasRepository()) {
                    restOn(new RepositoryAddress(entry.author(), identifier), restsOn, tips);
                }
            }
        }
        return new RemoteVisit.Target(repositories.hunting(), identifier, restsOn, tips, commits(missing));
    }

    /// Branches and proposals name commits; tags may name anything, also what somebody else takes for a commit.
    private static Set<Oid> commits(List<Lack> lacks) {
        var commits = new HashSet<Oid>();
        var others = new HashSet<Oid>();
        for (var lack : lacks) {
            for (var missing : lack.missing()) {
                boolean isCommit =
                        missing.refs().isEmpty() || missing.refs().stream().anyMatch(RefName::isBranch);
                (isCommit ? commits : others).add(missing.id());
            }
        }
        commits.removeAll(others);
        return commits;
    }

    /// One that cannot be read has nothing that others may rest on.
    private void restOn(RepositoryAddress address, List<RepositoryLease> restsOn, Set<Oid> tips) {
        try {
            var lease = repositories.find(address);
            if (lease.isPresent()) {
                restsOn.add(lease.get());
                tips.addAll(shown.tips(lease.get()));
            }
        } catch (IOException e) {
            LOG.warn("repository cannot be read repo={} error={}", address, e.toString());
        }
    }

    @Override
    public boolean reconcile(Identifier identifier) {
        return attention.attend(identifier, ReleasePath.HUNT).join();
    }

    @Override
    public boolean makeRoom(Identifier identifier) {
        var restsOn = new ArrayList<RepositoryLease>();
        try {
            var target = target(identifier, restsOn);
            long freed = Clearing.run(
                    repositories, identifier, lacks.look(identifier).present(), target.restsOn());
            LOG.warn("hunting area was full identifier={} freed_bytes={}", identifier, freed);
            return freed > 0;
        } catch (IOException e) {
            LOG.warn("hunting area is full and stays so identifier={} reason={}", identifier, e.toString());
            return false;
        } finally {
            restsOn.forEach(RepositoryLease::close);
        }
    }

    @Override
    public void expire(Identifier identifier) {
        if (hasOverdue(pools.of(identifier))) {
            sweep.run();
        }
    }

    private boolean hasOverdue(Pool pool) {
        long now = pools.time().now();
        return pool.states().stream().anyMatch(state -> state.deadline() <= now)
                || pool.proposals().stream().anyMatch(proposal -> proposal.deadline() <= now)
                || pool.announced().stream()
                        .flatMap(entry -> entry.held().stream())
                        .anyMatch(held -> held.deadline() <= now);
    }

    @Override
    public List<DormantRecord> dormant() {
        var found = new ArrayList<DormantRecord>();
        RowPages.<RuntimeException>forEach(store, Table.EXPIRED_EVENTS, row -> {
            if (row instanceof ExpiredEvent expired && !expired.lifted() && isWanted(expired)) {
                expired.dormant().ifPresent(dormant -> found.add(new DormantRecord(expired.id(), dormant)));
            }
        });
        return found;
    }

    private boolean isWanted(ExpiredEvent expired) {
        return expired.dormant()
                .filter(record -> record.identifiers().stream()
                        .map(pools::of)
                        .anyMatch(pool -> expired.kind() == Kinds.STATE
                                ? pool.authorises(record.author())
                                : pool.announced().stream().anyMatch(Announced::isServedHosted)))
                .isPresent();
    }

    @Override
    public List<HuntUrl> relays(DormantRecord record) {
        var source = record.row().relay().stream().flatMap(text -> RelayPlaces.parseConfigured(text).find().stream());
        var named = store.read(view -> record.row().identifiers().stream()
                .map(pools::of)
                .flatMap(pool -> RelayPlaces.ofOwners(ownersFor(record, pool), pool, view, RELAYS_MAX).stream())
                .toList());
        return Stream.concat(source, named.stream())
                .filter(relay -> !ways.own().covers(relay))
                .distinct()
                .limit(RELAYS_MAX)
                .map(relay -> new HuntUrl(relay.text(), relay.host()))
                .toList();
    }

    /// Those who would have the event: for whom its author may sign, else everybody who is served.
    private static List<PublicKey> ownersFor(DormantRecord record, Pool pool) {
        var signing = pool.authorising(record.row().author());
        var owners = signing.isEmpty()
                ? pool.announced().stream().filter(Announced::isServedHosted).toList()
                : signing;
        return owners.stream().map(Announced::author).toList();
    }

    @Override
    public Optional<Set<EventId>> reviveByLink(HuntUrl relay, Set<EventId> ids) {
        var taken = RelayPlaces.parseConfigured(relay.text()).find().flatMap(url -> links.revive(url, ids));
        boolean mayBeVisited = RelayPlaces.parse(relay.text()).find().isPresent();
        return taken.isEmpty() && !mayBeVisited
                ? Optional.of(Set.of()) // the operator named it for links; a record is no reason to dial it (P-816)
                : taken;
    }

    @Override
    public RelayVisit visitRelay(HuntUrl relay, Permits permits) {
        var slots = new VisitSlots(permits);
        var client = new WebSocketClient(ways.dialers().apply(slots), ways.userAgent(), inflation, ways.chance());
        return new RelaySearch(
                client, RelayPlaces.parse(relay.text()).require(), ways.lines().relay(), ways.clock(), slots::refused);
    }

    @Override
    public boolean revive(Event event, HuntUrl relay) {
        return gate.admit(event, new Origin.Revived(relay.text())).join().isAccepted();
    }
}
