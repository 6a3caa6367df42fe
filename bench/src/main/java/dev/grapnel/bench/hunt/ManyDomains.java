package dev.grapnel.bench.hunt;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.Advertisement;
import dev.grapnel.purgatory.hunt.DormantRecord;
import dev.grapnel.purgatory.hunt.Fetched;
import dev.grapnel.purgatory.hunt.HuntUrl;
import dev.grapnel.purgatory.hunt.Need;
import dev.grapnel.purgatory.hunt.Pending;
import dev.grapnel.purgatory.hunt.Permits;
import dev.grapnel.purgatory.hunt.RelayVisit;
import dev.grapnel.purgatory.hunt.UrlRules;
import dev.grapnel.purgatory.hunt.Visit;
import dev.grapnel.purgatory.hunt.World;
import dev.grapnel.store.row.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Events that each wait for one object, and servers elsewhere: of those an event names, the last one has it.
final class ManyDomains implements World {
    private static final RefName MAIN = new RefName("refs/heads/main");

    private final VirtualClock clock;
    private final Duration visitTime;
    private final Map<Identifier, Waiting> waiting = new HashMap<>();
    private final Map<String, HuntUrl> urls = new HashMap<>();
    private final Map<Host, Integer> visits = new HashMap<>();
    private long lastReleased;

    private record Waiting(Oid oid, Pending pending) {}

    /// @param visitTime how long every conversation takes
    ManyDomains(VirtualClock clock, Duration visitTime) {
        this.clock = clock;
        this.visitTime = visitTime;
    }

    /// An event waits.
    ///
    /// @param domains numbers of those it names
    Identifier add(int number, int... domains) {
        var identifier = new Identifier("repository-" + number);
        var named = new ArrayList<String>();
        for (int domain : domains) {
            var url = "https://d" + domain + ".example/" + number + ".git";
            urls.put(url, new HuntUrl(url, new Host("d" + domain + ".example")));
            named.add(url);
        }
        var oid = new Oid(number * 0x9e3779b97f4a7c15L, number, number);
        var tip = new Need.Tip(oid, true, List.of(MAIN));
        var need = new Need(
                new EventId(1, 2, 3, number),
                new PublicKey(1, 2, 3, number),
                false,
                Source.SYNC,
                false,
                List.of(tip),
                named);
        waiting.put(identifier, new Waiting(oid, new Pending(true, false, List.of(need))));
        return identifier;
    }

    /// Events that wait.
    int left() {
        return waiting.size();
    }

    /// When the last one was served, in milliseconds.
    long lastReleased() {
        return lastReleased;
    }

    /// How often each domain was visited.
    Map<Host, Integer> visits() {
        return visits;
    }

    UrlRules.Judgement judge(String published) {
        var url = urls.get(published);
        return url == null
                ? new UrlRules.Judgement.Unfit("unknown", "nobody has it", false)
                : new UrlRules.Judgement.Fit(url);
    }

    @Override
    public Pending look(Identifier identifier) {
        var one = waiting.get(identifier);
        return one == null ? Pending.NOTHING : one.pending();
    }

    @Override
    public Visit visit(Identifier identifier, HuntUrl url, Permits permits) {
        return new ShortVisit(identifier, url);
    }

    @Override
    public boolean reconcile(Identifier identifier) {
        lastReleased = clock.now();
        return true;
    }

    @Override
    public void expire(Identifier identifier) {
        // nothing does
    }

    @Override
    public List<DormantRecord> dormant() {
        return List.of();
    }

    @Override
    public boolean makeRoom(Identifier identifier) {
        return false;
    }

    @Override
    public List<HuntUrl> relays(DormantRecord record) {
        return List.of();
    }

    @Override
    public RelayVisit visitRelay(HuntUrl relay, Permits permits) {
        throw new IllegalStateException("nothing expires, so no relay is asked");
    }

    @Override
    public boolean revive(Event event, HuntUrl relay) {
        return false;
    }

    @Override
    public Optional<Set<EventId>> reviveByLink(HuntUrl relay, Set<EventId> ids) {
        return Optional.empty();
    }

    private final class ShortVisit implements Visit {
        private final Identifier identifier;
        private final HuntUrl url;

        ShortVisit(Identifier identifier, HuntUrl url) {
            this.identifier = identifier;
            this.url = url;
        }

        private boolean hasIt() {
            var one = waiting.get(identifier);
            return one != null
                    && one.pending().needs().getFirst().cloneUrls().getLast().equals(url.text());
        }

        @Override
        public Advertisement advertise(Set<Oid> wanted, Set<RefName> names) {
            visits.merge(url.domain(), 1, Integer::sum);
            clock.sleep(visitTime);
            return new Advertisement(hasIt() ? wanted : Set.of(), Map.of(), url.text(), false);
        }

        @Override
        public Fetched fetch(List<Oid> wants, Set<Oid> hoped) {
            if (!hasIt()) {
                return new Fetched(Set.of(), Set.copyOf(wants));
            }
            waiting.remove(identifier);
            return new Fetched(Set.copyOf(wants), Set.of());
        }

        @Override
        public long bytesReceived() {
            return 0;
        }

        @Override
        public void cancel() {
            // it ends soon anyway
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
