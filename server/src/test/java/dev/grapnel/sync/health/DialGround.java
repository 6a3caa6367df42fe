package dev.grapnel.sync.health;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.TimedNaughtyList;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Relays that do as they are told, and a [DialOrder] that dials them.
final class DialGround implements RelayDialer {
    static final Standing ONE = new Standing(false, false, 1, false);
    static final Standing BOOTSTRAP = new Standing(true, true, 0, false);
    static final Standing DOUBTFUL = new Standing(false, false, 0, true);

    private static final Duration LATENCY = Duration.ofMillis(100);

    final VirtualScheduler loop = new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofDays(3));
    final List<HealthNote> notes = new ArrayList<>();
    final List<Attempt> attempts = new ArrayList<>();
    final TreeMap<Integer, Long> up = new TreeMap<>();
    final TreeSet<Integer> dialling = new TreeSet<>();
    final TreeSet<Integer> followed = new TreeSet<>();
    final List<Integer> left = new ArrayList<>();
    final TimedNaughtyList naughty;
    final HealthBook book;
    final DialOrder order;
    private final Map<Integer, Behaviour> behaviours = new HashMap<>();
    private final Map<Integer, Runnable> cancels = new HashMap<>();
    private Behaviour usual = Behaviour.accepts();
    private Function<Integer, RemoteUrl> urls = relay -> HealthBookTest.url("wss://r" + relay + ".example");
    private Function<Integer, String> machines = relay -> "10.0.0." + relay;
    private long start;
    private boolean isCrowding;
    int diallingMax;
    int followedMax;
    int inUseMax;

    record Attempt(int relay, Duration at) {}

    /// What a relay does with an attempt.
    ///
    /// @param failure why there is no link, if so
    /// @param status its answer, if there is no link
    /// @param takes until then
    /// @param lives how long a link lives, if that has an end
    /// @param syncs how long it takes until everything has come
    record Behaviour(
            Optional<Failure> failure,
            OptionalInt status,
            Optional<Duration> retryAfter,
            Duration takes,
            Optional<Duration> lives,
            Optional<Duration> syncs) {
        static Behaviour accepts() {
            return new Behaviour(
                    Optional.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    LATENCY,
                    Optional.empty(),
                    Optional.empty());
        }

        static Behaviour fails(Failure failure) {
            return new Behaviour(
                    Optional.of(failure),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.empty());
        }

        static Behaviour answers(int status) {
            return answers(status, Optional.empty());
        }

        static Behaviour answers(int status, Optional<Duration> retryAfter) {
            return new Behaviour(
                    Optional.empty(),
                    OptionalInt.of(status),
                    retryAfter,
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.empty());
        }

        Behaviour after(Duration time) {
            return new Behaviour(failure, status, retryAfter, time, lives, syncs);
        }

        Behaviour thenDrops(Duration life) {
            return new Behaviour(failure, status, retryAfter, takes, Optional.of(life), syncs);
        }

        Behaviour thenSyncs(Duration time) {
            return new Behaviour(failure, status, retryAfter, takes, lives, Optional.of(time));
        }
    }

    DialGround() {
        this(HealthConfig.DEFAULTS);
    }

    DialGround(HealthConfig config) {
        this.book = new HealthBook(config);
        this.naughty = new TimedNaughtyList(config.naughtyPeriod(), loop::wall, this::isCutOff);
        this.order = new DialOrder(config, book, naughty, loop, this, notes::add);
        this.start = loop.nanos();
    }

    static HealthConfig config(int relaysMax, int linksMax) {
        var usual = HealthConfig.DEFAULTS;
        return new HealthConfig(usual.backoff(), usual.naughtyPeriod(), relaysMax, linksMax);
    }

    private boolean isCutOff() {
        return order.isCutOff();
    }

    // ---- what relays do

    void usually(Behaviour behaviour) {
        usual = behaviour;
    }

    void does(int relay, Behaviour behaviour) {
        behaviours.put(relay, behaviour);
    }

    void address(Function<Integer, RemoteUrl> by) {
        urls = by;
    }

    /// Where relays lie; a ninth link to one of these is not made.
    void machine(Function<Integer, String> by) {
        machines = by;
        isCrowding = true;
    }

    private boolean isFull(int relay) {
        var machine = machines.apply(relay);
        return isCrowding
                && up.keySet().stream()
                                .filter(other -> machines.apply(other).equals(machine))
                                .count()
                        >= MachinePlaces.LINKS_MAX;
    }

    void drop(int relay, Failure failure, boolean isPlanned) {
        up.remove(relay);
        order.lost(relay, failure, isPlanned);
    }

    void park(int relay, Duration length) {
        if (dialling.remove(relay)) {
            Optional.ofNullable(cancels.remove(relay)).orElseThrow().run();
        }
        order.parked(relay, length);
    }

    // ---- what is wanted

    RemoteUrl url(int relay) {
        return urls.apply(relay);
    }

    void want(int relay, Standing standing) {
        order.want(relay, url(relay), standing, List.of());
    }

    void want(int relay) {
        want(relay, ONE);
    }

    void wantAll(int from, int to, Standing standing) {
        for (int relay = from; relay < to; relay++) {
            want(relay, standing);
        }
    }

    // ---- what happened

    void pass(Duration time) {
        loop.runFor(time);
    }

    void forgetAttempts() {
        attempts.clear();
        start = loop.nanos();
    }

    /// Seconds at which a relay was dialled.
    List<Long> secondsOf(int relay) {
        return attempts.stream()
                .filter(attempt -> attempt.relay() == relay)
                .map(attempt -> attempt.at().toSeconds())
                .toList();
    }

    List<Integer> dialled() {
        return attempts.stream().map(Attempt::relay).toList();
    }

    RelayStatus status(int relay) {
        return order.status(relay);
    }

    <T extends HealthNote> List<T> notes(Class<T> sort) {
        return notes.stream().filter(sort::isInstance).map(sort::cast).toList();
    }

    // ---- Dialer

    @Override
    public void followed(int relay) {
        if (!followed.add(relay)) {
            throw new AssertionError("relay " + relay + " is followed twice");
        }
        followedMax = Math.max(followedMax, followed.size());
    }

    @Override
    public void dropped(int relay) {
        if (!followed.remove(relay) || up.containsKey(relay) || dialling.contains(relay)) {
            throw new AssertionError("relay " + relay + " cannot be dropped");
        }
    }

    @Override
    public void dial(int relay) {
        if (!followed.contains(relay)) {
            throw new AssertionError("relay " + relay + " is not followed");
        }
        if (up.containsKey(relay) || !dialling.add(relay)) {
            throw new AssertionError("relay " + relay + " is dialled twice");
        }
        attempts.add(new Attempt(relay, Duration.ofNanos(loop.nanos() - start)));
        diallingMax = Math.max(diallingMax, dialling.size());
        inUseMax = Math.max(inUseMax, dialling.size() + up.size());
        var behaviour = behaviours.getOrDefault(relay, usual);
        cancels.put(relay, loop.after(behaviour.takes(), () -> end(relay, behaviour)));
    }

    private void end(int relay, Behaviour behaviour) {
        dialling.remove(relay);
        if (isFull(relay)) {
            order.failed(relay, new Failure.Busy("no place", List.of(machines.apply(relay))));
        } else if (behaviour.failure().isPresent()) {
            order.failed(relay, behaviour.failure().get());
        } else if (behaviour.status().isPresent()) {
            order.refused(relay, behaviour.status().getAsInt(), behaviour.retryAfter());
        } else {
            open(relay, behaviour);
        }
    }

    private void open(int relay, Behaviour behaviour) {
        long since = loop.nanos();
        up.put(relay, since);
        order.opened(relay, machines.apply(relay));
        behaviour
                .lives()
                .ifPresent(life -> loop.after(life, () -> {
                    if (up.remove(relay, since)) {
                        order.lost(relay, new Failure.Broken(), false);
                    }
                }));
        behaviour
                .syncs()
                .ifPresent(time -> loop.after(time, () -> {
                    if (Optional.ofNullable(up.get(relay)).equals(Optional.of(since))) {
                        order.synced(relay);
                    }
                }));
    }

    @Override
    public void leave(int relay) {
        left.add(relay);
        if (dialling.remove(relay)) {
            Optional.ofNullable(cancels.remove(relay)).orElseThrow().run();
        } else {
            loop.after(LATENCY, () -> {
                if (up.remove(relay) != null) {
                    order.lost(relay, new Failure.Cancelled(), true);
                }
            });
        }
    }
}
