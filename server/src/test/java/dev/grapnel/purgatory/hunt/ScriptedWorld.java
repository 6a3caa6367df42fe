package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.store.row.Source;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/// Events that wait, servers that have objects, and a list of all that was asked (P-680).
final class ScriptedWorld implements World {
    private static final Map<String, HuntUrl> FIT = new ConcurrentHashMap<>(); // parsing would be most of the work

    private final VirtualTime time;
    final Map<String, ScriptedServer> servers = new LinkedHashMap<>();
    final Map<Identifier, List<Waiting>> waiting = new HashMap<>();
    final Map<Identifier, Set<Oid>> here = new HashMap<>();
    final List<Call> calls = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    final Map<Host, Integer> talking = new TreeMap<>(Comparator.comparing(Host::text));
    final Map<InetAddress, Integer> connected = new HashMap<>();
    List<DormantRecord> dormant = List.of();
    /// The relay everybody names who names no other.
    static final HuntUrl RELAY = new HuntUrl("wss://relay.example", new Host("relay.example"));

    final Map<EventId, List<HuntUrl>> relays = new HashMap<>();
    /// What relays still have.
    final Map<HuntUrl, List<Event>> onRelays = new HashMap<>();
    final Map<HuntUrl, Failure> brokenRelays = new HashMap<>();
    /// Which relays were asked for how many events.
    final List<String> asked = new ArrayList<>();
    final List<EventId> revived = new ArrayList<>();
    BiConsumer<Event, ScriptedWorld> revival = (_, _) -> {};
    /// Asked when entries are past their deadline.
    BiPredicate<Identifier, Long> isFetching = (_, _) -> false;
    /// Told when a conversation has begun or has asked for more.
    Runnable onTalk = () -> {};
    boolean savingFails;
    boolean makesRoom;
    boolean lookFails;
    int reconciles;
    private int events;
    private final Set<ScriptedVisit> visits = new HashSet<>();

    /// What was asked.
    ///
    /// @param what `visit`, `fetch`, `reconcile`
    record Call(long at, String what, Identifier identifier, String url, List<Oid> wants) {
        @Override
        public String toString() {
            return at + " " + what + " " + identifier + " " + url + " " + wants.size();
        }
    }

    /// An event that waits.
    static final class Waiting {
        final EventId id;
        final String name;
        final List<Need.Tip> tips;
        final List<String> urls;
        PublicKey author = new PublicKey(0, 0, 0, 1);
        boolean isServed;
        Source source = Source.SYNC;
        long deadline = Long.MAX_VALUE;

        Waiting(EventId id, String name, List<Need.Tip> tips, List<String> urls) {
            this.id = id;
            this.name = name;
            this.tips = tips;
            this.urls = urls;
        }

        Waiting until(long moment) {
            deadline = moment;
            return this;
        }

        Waiting by(int number) {
            author = new PublicKey(0, 0, 0, number);
            return this;
        }

        Waiting served() {
            isServed = true;
            return this;
        }
    }

    ScriptedWorld(VirtualTime time) {
        this.time = time;
    }

    static Oid oid(int number) {
        return new Oid(number * 0x9e3779b97f4a7c15L, number * 0x632be59bd9b4e019L, number);
    }

    static Identifier id(String name) {
        return new Identifier(name);
    }

    ScriptedServer server(String url) {
        return servers.computeIfAbsent(url, text -> new ScriptedServer(fit(text)));
    }

    static HuntUrl fit(String text) {
        return FIT.computeIfAbsent(
                text, url -> new HuntUrl(url, new Host(URI.create(url).getHost())));
    }

    /// Rules of a world in which only https is fit.
    static UrlRules.Judgement judge(String text) {
        return text.startsWith("https://")
                ? new UrlRules.Judgement.Fit(fit(text.endsWith("/") ? text.substring(0, text.length() - 1) : text))
                : new UrlRules.Judgement.Unfit("scheme", "only https is fit", text.startsWith("ours:"));
    }

    /// Something waits for objects.
    Waiting waits(Identifier identifier, List<Oid> oids, String... urls) {
        var tips = new ArrayList<Need.Tip>();
        for (var oid : oids) {
            tips.add(new Need.Tip(oid, tips.isEmpty(), List.of(new RefName("refs/heads/b" + tips.size()))));
        }
        return add(identifier, tips, List.of(urls));
    }

    Waiting add(Identifier identifier, List<Need.Tip> tips, List<String> urls) {
        var one = new Waiting(new EventId(1, 2, 3, events++), identifier + "#" + events, tips, urls);
        waiting.computeIfAbsent(identifier, _ -> new ArrayList<>()).add(one);
        return one;
    }

    /// Objects come in another way, by a push.
    void push(Identifier identifier, List<Oid> oids) {
        here.computeIfAbsent(identifier, _ -> new HashSet<>()).addAll(oids);
        boolean _ = reconcile(identifier);
    }

    @Override
    public Pending look(Identifier identifier) {
        if (lookFails) {
            throw new IllegalStateException("the world cannot be looked at");
        }
        var all = waiting.getOrDefault(identifier, List.of());
        var needs = new ArrayList<Need>();
        boolean holds = false;
        boolean isReady = false;
        for (var one : all) {
            var missing =
                    one.tips.stream().filter(tip -> !has(identifier, tip.oid())).toList();
            holds |= !one.isServed;
            isReady |= !one.isServed && missing.isEmpty();
            if (!missing.isEmpty()) {
                needs.add(new Need(
                        one.id, one.author, one.isServed, one.source, one.deadline <= time.now(), missing, one.urls));
            }
        }
        return new Pending(holds, isReady, needs);
    }

    private boolean has(Identifier identifier, Oid oid) {
        return here.getOrDefault(identifier, Set.of()).contains(oid);
    }

    @Override
    public boolean reconcile(Identifier identifier) {
        reconciles++;
        if (savingFails) {
            return false;
        }
        waiting.computeIfPresent(identifier, (_, all) -> {
            all.removeIf(one -> {
                boolean isReady = one.tips.stream().allMatch(tip -> has(identifier, tip.oid()));
                if (isReady && !one.isServed) {
                    released.add(time.now() + " " + one.name);
                }
                return isReady;
            });
            return all.isEmpty() ? null : all;
        });
        return true;
    }

    @Override
    public boolean makeRoom(Identifier identifier) {
        calls.add(new Call(time.now(), "room", identifier, "", List.of()));
        return makesRoom;
    }

    @Override
    public void expire(Identifier identifier) {
        waiting.computeIfPresent(identifier, (_, all) -> {
            all.removeIf(
                    one -> !one.isServed && one.deadline <= time.now() && !isFetching.test(identifier, one.deadline));
            return all.isEmpty() ? null : all;
        });
    }

    @Override
    public List<DormantRecord> dormant() {
        return dormant;
    }

    @Override
    public List<HuntUrl> relays(DormantRecord record) {
        return relays.getOrDefault(record.event(), List.of(RELAY));
    }

    @Override
    public RelayVisit visitRelay(HuntUrl relay, Permits permits) {
        return new RelayVisit() {
            @Override
            public List<Event> find(Set<EventId> ids) throws VisitFailed {
                asked.add(relay.text() + " " + ids.size());
                var failure = brokenRelays.get(relay);
                if (failure != null) {
                    throw new VisitFailed(failure, relay.domain());
                }
                return onRelays.getOrDefault(relay, List.of()); // whatever was asked for
            }

            @Override
            public void cancel() {
                // it answers at once
            }

            @Override
            public void close() {
                // it keeps nothing
            }
        };
    }

    /// Whether relays are asked by links.
    boolean isLinked;

    @Override
    public Optional<Set<EventId>> reviveByLink(HuntUrl relay, Set<EventId> ids) {
        if (!isLinked) {
            return Optional.empty();
        }
        asked.add("link " + relay.text() + " " + ids.size());
        var taken = new HashSet<EventId>();
        for (var event : onRelays.getOrDefault(relay, List.of())) {
            if (ids.contains(event.id()) && revive(event, relay)) {
                taken.add(event.id());
            }
        }
        return Optional.of(taken);
    }

    @Override
    public boolean revive(Event event, HuntUrl relay) {
        revived.add(event.id());
        revival.accept(event, this);
        return true;
    }

    @Override
    public Visit visit(Identifier identifier, HuntUrl url, Permits permits) {
        return new ScriptedVisit(identifier, server(url.text()), permits);
    }

    List<Call> calls(String what) {
        return calls.stream().filter(call -> call.what().equals(what)).toList();
    }

    List<Long> times(String what) {
        return calls(what).stream().map(Call::at).toList();
    }

    List<String> urls(String what) {
        return calls(what).stream().map(Call::url).toList();
    }

    int talking() {
        return talking.values().stream().mapToInt(Integer::intValue).sum();
    }

    boolean isTalking(Identifier identifier, Host host) {
        return visits.stream()
                .anyMatch(visit -> visit.identifier.equals(identifier)
                        && visit.server.url.domain().equals(host));
    }

    private final class ScriptedVisit implements Visit {
        private final Identifier identifier;
        private final ScriptedServer server;
        private final Permits permits;
        private final VirtualTime.Pause pause = time.new Pause();
        private final long begun = time.now();
        private boolean isTalking;
        private boolean hasFetched;
        private long received;

        ScriptedVisit(Identifier identifier, ScriptedServer server, Permits permits) {
            this.identifier = identifier;
            this.server = server;
            this.permits = permits;
        }

        @Override
        public Advertisement advertise(Set<Oid> wanted, Set<RefName> names) throws VisitFailed {
            var address = server.address;
            if (address != null && !permits.connect(address)) {
                throw failed(new Failure.BusyAddress(address));
            }
            if (address != null) {
                connected.merge(address, 1, Integer::sum);
            }
            calls.add(new Call(time.now(), "visit", identifier, server.url.text(), List.of()));
            charge(server.url.domain());
            talking.merge(server.url.domain(), 1, Integer::sum);
            isTalking = true;
            visits.add(this);
            onTalk.run();
            if (server.breaks) {
                throw new IllegalStateException("a fault of the visit");
            }
            wait(server.hangs ? Duration.ofDays(1000) : server.advertiseTime);
            if (server.redirect.isPresent()) {
                if (!permits.redirect(Site.secure(server.redirect.get()))) {
                    throw failed(new Failure.Passing());
                }
                if (!server.redirect.get().equals(server.url.domain())) {
                    charge(server.redirect.get());
                }
            }
            fail(server.failure);
            return server.advertisement(wanted, names);
        }

        @Override
        public Fetched fetch(List<Oid> wants, Set<Oid> hoped) throws VisitFailed {
            calls.add(new Call(time.now(), "fetch", identifier, server.url.text(), wants));
            if (hasFetched || !server.refs.values().containsAll(wants)) {
                charge(server.url.domain()); // the first request for what is advertised belongs to the visit (P-643)
            }
            hasFetched = true;
            onTalk.run();
            wait(server.fetchTime);
            received += 100;
            fail(server.fetchFailure);
            var unknown = wants.stream().filter(oid -> !server.offers(oid)).findFirst();
            if (unknown.isPresent()) { // then none of the others comes
                if (server.isVague) {
                    throw failed(new Failure.Complained());
                }
                return new Fetched(Set.of(), Set.of(unknown.get()));
            }
            var got = new HashSet<>(wants);
            for (var oid : wants) {
                got.addAll(server.behind.getOrDefault(oid, Set.of()));
            }
            here.computeIfAbsent(identifier, _ -> new HashSet<>()).addAll(got);
            got.removeIf(oid -> !wants.contains(oid) && !hoped.contains(oid));
            return new Fetched(got, Set.of());
        }

        @Override
        public long bytesReceived() {
            return received + ((time.now() - begun) * server.bytesPerSecond / 1000);
        }

        private void charge(Host host) {
            calls.add(new Call(time.now(), "charge", identifier, "https://" + host + "/", List.of()));
        }

        private void wait(Duration length) throws VisitFailed {
            if (length.isPositive() && !pause.await(length)) {
                throw failed(new Failure.Cancelled());
            }
        }

        private void fail(Optional<Failure> how) throws VisitFailed {
            if (how.isPresent()) {
                throw failed(how.get());
            }
        }

        private VisitFailed failed(Failure how) {
            return new VisitFailed(how, server.url.domain());
        }

        @Override
        public void cancel() {
            if (!server.hangs) {
                pause.end();
            }
        }

        @Override
        public void close() {
            if (isTalking) {
                talking.merge(server.url.domain(), -1, Integer::sum);
                isTalking = false;
                visits.remove(this);
                var address = server.address;
                if (address != null) {
                    connected.merge(address, -1, Integer::sum);
                }
            }
        }
    }
}
