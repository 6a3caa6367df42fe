package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.Table;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Looks for git data of what waits at the hosts that announcements name (purgatory 6), without its many rules.
final class NodeHunt {
    private static final Duration AFTER_SYNC = Duration.ofMillis(500);
    private static final Duration AFTER_DIRECT = Duration.ofMinutes(3);
    private static final List<Duration> WAITS =
            List.of(Duration.ofSeconds(20), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(30));

    private final String self;
    private final EventStore store;
    private final Pools pools;
    private final GitWorld git;
    private final Scheduler loop;
    private final RandomGenerator random;
    private final Consumer<Identifier> found;
    private final Map<Identifier, Runnable> planned = new TreeMap<>();
    private final Map<Identifier, Integer> attempts = new TreeMap<>();

    NodeHunt(
            String self,
            EventStore store,
            Pools pools,
            GitWorld git,
            Scheduler loop,
            RandomGenerator random,
            Consumer<Identifier> found) {
        this.self = self;
        this.store = store;
        this.pools = pools;
        this.git = git;
        this.loop = loop;
        this.random = random;
        this.found = found;
    }

    /// Something is held from now on: it is looked for soon, once for all that comes meanwhile.
    void begin(Identifier identifier, Source source) {
        attempts.remove(identifier);
        plan(identifier, source == Source.SYNC ? AFTER_SYNC : AFTER_DIRECT);
    }

    private void plan(Identifier identifier, Duration wait) {
        if (!planned.containsKey(identifier)) {
            planned.put(identifier, loop.after(wait, () -> attempt(identifier)));
        }
    }

    private void attempt(Identifier identifier) {
        planned.remove(identifier);
        SortedSet<Oid> missing = store.read(view -> named(identifier, view));
        missing.removeIf(object -> git.has(self, object));
        if (missing.isEmpty()) {
            attempts.remove(identifier);
            return;
        }
        var hosts = store.read(view -> hosts(identifier, view));
        var there =
                missing.stream().filter(object -> git.isAtOneOf(hosts, object)).toList();
        if (!there.isEmpty()) {
            loop.after(Duration.ofMillis(200 + random.nextInt(1_800)), () -> {
                git.put(self, there);
                found.accept(identifier);
            });
        }
        if (there.size() < missing.size()) {
            int attempt = attempts.merge(identifier, 1, Integer::sum);
            plan(identifier, WAITS.get(Math.min(attempt, WAITS.size()) - 1));
        }
    }

    /// What waiting events name.
    private static SortedSet<Oid> named(Identifier identifier, StoreView view) {
        var objects = new TreeSet<Oid>();
        view.forEachRow(
                Table.HELD_STATES,
                RowKeys.statesOf(identifier),
                row -> RepositoryState.parse(((HeldState) row).event())
                        .find()
                        .ifPresent(state -> objects.addAll(state.refs().values())));
        view.forEachRow(Table.HELD_PROPOSALS, Bytes.EMPTY, row -> {
            var held = (HeldProposal) row;
            if (held.identifiers().isEmpty() || held.identifiers().contains(identifier)) {
                held.proposal().tip().ifPresent(objects::add);
            }
        });
        return objects;
    }

    /// Where announcements and proposals say that data is.
    private Set<String> hosts(Identifier identifier, StoreView view) {
        var hosts = new TreeSet<String>();
        for (var entry : pools.of(identifier).announced()) {
            var address = new RepositoryAddress(entry.author(), identifier);
            Stream.concat(
                            view.findCurrent(address.announcement()).map(StoredEvent::read).stream(),
                            view
                                    .findRow(Table.HELD_ANNOUNCEMENTS, RowKeys.repository(address))
                                    .map(row -> ((HeldAnnouncement) row).event())
                                    .stream())
                    .flatMap(event -> Announcement.parse(event).find().stream())
                    .flatMap(announcement -> announcement.cloneUrls().stream())
                    .forEach(url -> RemoteUrl.findDomain(url).ifPresent(hosts::add));
        }
        view.forEachRow(
                Table.HELD_PROPOSALS,
                Bytes.EMPTY,
                row -> ((HeldProposal) row)
                        .proposal()
                        .cloneUrls()
                        .forEach(url -> RemoteUrl.findDomain(url).ifPresent(hosts::add)));
        hosts.remove(self);
        return hosts;
    }
}
