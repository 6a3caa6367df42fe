package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.Domain.Rate;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import dev.grapnel.purgatory.pool.Timeline;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// How much of other servers is used (purgatory 6.5): conversations and starts of each domain, all conversations,
/// connections with each machine, and who waits for which domain.
///
/// One lock. Whatever frees something hands it, before the lock opens, to those who wait for exactly that; so nobody
/// who comes later overtakes them, and none sleeps while what it waits for is free:
///
/// | A domain with work is stopped by | and dispatched again when |
/// |---|---|
/// | its conversations | one of them ends |
/// | its rate, a pause | its window timer rings |
/// | all conversations | one ends: `capWaiters`, in turn |
/// | the machine behind it | a connection with it ends: `Machine.waiters`, in turn |
final class Throttle {
    private final Timeline time;
    private final Timer timer;
    private final Consumer<Turn> runner;
    private final Consumer<HuntNote> notes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Host, Domain> domains = new HashMap<>();
    private final Map<Identifier, Set<Host>> queuedAt = new HashMap<>();
    private final Map<InetAddress, Machine> machines = new HashMap<>();
    private final Set<Domain> capWaiters = new LinkedHashSet<>();
    private final PriorityQueue<Idle> idle = new PriorityQueue<>(Comparator.comparingLong(Idle::at));
    private Limits limits;
    private int inFlight;
    private boolean isResting;

    /// One address and who waits for it.
    private static final class Machine {
        private int connections;
        private final Set<Domain> waiters = new LinkedHashSet<>();
    }

    /// When a domain may have nothing left to remember.
    private record Idle(Domain domain, long at) {}

    /// @param runner starts turns; called without the lock, and must not wait
    Throttle(Limits limits, Timeline time, Timer timer, Consumer<Turn> runner, Consumer<HuntNote> notes) {
        this.limits = limits;
        this.time = time;
        this.timer = timer;
        this.runner = runner;
        this.notes = notes;
    }

    /// Takes the right to one conversation, if nobody waits for the domain (P-644).
    Optional<Lease> tryAcquire(Host host) {
        Optional<Obstacle> obstacle;
        lock.lock();
        try {
            long now = time.now();
            var known = domains.get(host);
            obstacle = findObstacle(host, now);
            if (obstacle.isEmpty()) {
                return Optional.of(take(known == null ? domain(host) : known, now));
            }
        } finally {
            lock.unlock();
        }
        notes.accept(new HuntNote.Throttled(host, obstacle.get()));
        return Optional.empty();
    }

    /// What would stop somebody who does not wait in a queue.
    Optional<Obstacle> obstacle(Host host) {
        return locked(() -> findObstacle(host, time.now()));
    }

    /// Enters an identifier in a domain's queue.
    ///
    /// @param tried what it has asked there already
    void enqueue(Host host, Identifier identifier, Set<String> tried) {
        var cause = obstacle(host);
        change(turns -> {
            var domain = domain(host);
            domain.queue.add(identifier, tried);
            queuedAt.computeIfAbsent(identifier, _ -> new HashSet<>()).add(host);
            dispatch(domain, turns);
        });
        cause.ifPresent(obstacle -> notes.accept(new HuntNote.Throttled(host, obstacle)));
        notes.accept(new HuntNote.Enqueued(host, identifier, cause));
    }

    /// Ends a turn whose conversation is over: the identifier may have another one, after the others (P-646).
    ///
    /// @param tried what it asked; nothing if it could not
    void endTurn(Turn turn, Set<String> tried) {
        change(turns -> {
            var domain = turn.lease().domain;
            domain.queue.endTurn(turn.identifier(), turn, tried);
            forgetPlace(turn.identifier(), domain);
            settle(domain, turns);
        });
    }

    /// Ends a turn for which there was nothing to ask: the identifier leaves and the start does not count. Without
    /// effect on a turn that has ended.
    void drop(Turn turn) {
        change(turns -> {
            var domain = turn.lease().domain;
            domain.queue.dropTurn(turn.identifier(), turn);
            forgetPlace(turn.identifier(), domain);
            giveBack(turn.lease(), true, turns);
            settle(domain, turns);
        });
    }

    /// Takes an identifier out of all queues (P-651).
    void leave(Identifier identifier) {
        change(turns -> {
            for (var host : List.copyOf(queuedAt.getOrDefault(identifier, Set.of()))) {
                var domain = domain(host);
                domain.queue.leave(identifier);
                forgetPlace(identifier, domain);
                settle(domain, turns);
            }
        });
    }

    /// Takes everybody out of the queue of a domain that is left alone.
    void abandon(Host host) {
        change(turns -> {
            var domain = domains.get(host);
            if (domain != null) {
                domain.queue.leaveAll().forEach(identifier -> forgetPlace(identifier, domain));
                settle(domain, turns);
            }
        });
    }

    /// Lets an identifier ask every URL again (P-601).
    void startAfresh(Identifier identifier) {
        change(turns -> {
            for (var host : queuedAt.getOrDefault(identifier, Set.of())) {
                var domain = domain(host);
                domain.queue.clearTried(identifier);
                dispatch(domain, turns);
            }
        });
    }

    /// Leaves a domain alone for a while; a longer pause that is on stays.
    void pause(Host host, Duration wait) {
        change(turns -> {
            var domain = domain(host);
            domain.pausedUntil = Math.max(domain.pausedUntil, time.after(wait));
            settle(domain, turns);
        });
    }

    /// Other limits from now on (P-900).
    ///
    /// @param rests whether nothing is started at all
    void change(Limits limits, boolean rests) {
        change(turns -> {
            this.limits = limits;
            isResting = rests;
            List.copyOf(domains.values()).forEach(domain -> dispatch(domain, turns));
            wakeForCap(turns);
            List.copyOf(machines.values()).forEach(machine -> wakeForMachine(machine, turns));
        });
    }

    /// Forgets domains with which nothing goes on (P-652).
    void sweep() {
        change(_ -> {
            long now = time.now();
            for (var first = idle.peek(); first != null && first.at() <= now; first = idle.peek()) {
                var domain = idle.remove().domain();
                if (domain.isIdle(now) && domains.remove(domain.host, domain)) {
                    domain.alarmOff.run();
                }
            }
        });
    }

    /// What is going on, for metrics and people.
    Map<Host, DomainPicture> picture() {
        return locked(() -> {
            long now = time.now();
            var all = HashMap.<Host, DomainPicture>newHashMap(domains.size());
            domains.forEach((host, domain) -> all.put(
                    host,
                    new DomainPicture(
                            domain.inFlight,
                            domain.starts(now),
                            domain.queue.size(),
                            domain.pausedUntil > now
                                    ? Optional.of(time.wallAt(domain.pausedUntil))
                                    : Optional.empty())));
            return Map.copyOf(all);
        });
    }

    /// Where an identifier waits.
    Set<Host> waitingAt(Identifier identifier) {
        return locked(() -> Set.copyOf(queuedAt.getOrDefault(identifier, Set.of())));
    }

    /// Whether somebody waits only because there are as many conversations as there may be.
    boolean isCrowded() {
        return locked(() -> !isResting
                && inFlight >= limits.fetches()
                && capWaiters.stream().anyMatch(domain -> domain.queue.next().isPresent()));
    }

    /// How many conversations there are.
    int inFlight() {
        return locked(() -> inFlight);
    }

    boolean connect(Lease lease, InetAddress address) {
        return locked(() -> {
            var domain = lease.domain;
            if (lease.isOpen && !lease.reserved.contains(address)) {
                var machine = machines.computeIfAbsent(address, _ -> new Machine());
                if (machine.connections >= limits.perAddress()) {
                    domain.busyAddress = address;
                    lease.wasRefused = true;
                    return false;
                }
                machine.connections++;
                lease.reserved.add(address);
                domain.busyAddress = null; // it has several, and this one has room
            }
            if (lease.isOpen && lease.connected.isEmpty()) { // the server sees it now, not when the permit was given
                long now = time.now();
                domain.refund(lease.startedAt);
                domain.start(now);
                lease.startedAt = now;
            }
            return lease.isOpen && (lease.connected.add(address) || lease.reserved.contains(address));
        });
    }

    /// The visit has its place among all conversations already, so only the target's own limits count.
    boolean redirect(Lease lease, Host host) {
        return locked(() -> {
            boolean isKnown = host.equals(lease.domain.host)
                    || lease.targets.stream().anyMatch(target -> target.host.equals(host));
            if (!lease.isOpen || isKnown) {
                return lease.isOpen;
            }
            long now = time.now();
            var target = domain(host);
            boolean isFree = target.queue.isEmpty()
                    && target.findObstacle(now, rate(host)).isEmpty();
            if (isFree) {
                target.inFlight++;
                target.start(now);
                lease.targets.add(target);
            }
            rest(target, now);
            return isFree;
        });
    }

    boolean isAddressBusy(Lease lease) {
        return locked(() -> lease.wasRefused);
    }

    boolean further(Lease lease) {
        return locked(() -> start(lease, rate(lease.domain.host).perMinute()));
    }

    boolean spare(Lease lease) {
        return locked(() -> start(lease, half(lease)));
    }

    boolean guess(Lease lease, int perMinute) {
        return locked(() -> {
            long now = time.now();
            boolean isGranted = lease.domain.guesses(now) < perMinute && start(lease, half(lease));
            if (isGranted) {
                lease.domain.guess(now);
            }
            return isGranted;
        });
    }

    void release(Lease lease, boolean isRefund) {
        change(turns -> giveBack(lease, isRefund, turns));
    }

    /// Half of an odd number is rounded up: fewer than 7.5 of 15 are at most seven.
    private int half(Lease lease) {
        return (rate(lease.domain.host).perMinute() + 1) / 2;
    }

    private boolean start(Lease lease, int most) {
        long now = time.now();
        var domain = lease.domain;
        boolean isGranted = lease.isOpen && domain.pausedUntil <= now && domain.starts(now) < most;
        if (isGranted) {
            domain.start(now);
        }
        return isGranted;
    }

    private Optional<Obstacle> findObstacle(Host host, long now) {
        var domain = domains.get(host);
        if (domain == null) {
            return findCommonObstacle();
        }
        if (domain.pausedUntil > now) {
            return Optional.of(Obstacle.PAUSED);
        }
        return domain.queue.isEmpty() ? findObstacle(domain, now) : Optional.of(Obstacle.QUEUE);
    }

    private Optional<Obstacle> findObstacle(Domain domain, long now) {
        return domain.findObstacle(now, rate(domain.host)).or(() -> {
            var machine = domain.busyAddress == null ? null : machines.get(domain.busyAddress);
            return machine != null && machine.connections >= limits.perAddress()
                    ? Optional.of(Obstacle.ADDRESS)
                    : findCommonObstacle();
        });
    }

    private Optional<Obstacle> findCommonObstacle() {
        return isResting || inFlight >= limits.fetches() ? Optional.of(Obstacle.CAP) : Optional.empty();
    }

    /// Takes all at once; the caller has made sure that nothing stands in the way.
    private Lease take(Domain domain, long now) {
        var lease = new Lease(this, domain, now);
        inFlight++;
        domain.inFlight++;
        domain.start(now);
        if (domain.busyAddress != null) { // its connection is taken now, so that whoever is woken for it does have it
            machines.computeIfAbsent(domain.busyAddress, _ -> new Machine()).connections++;
            lease.reserved.add(domain.busyAddress);
        }
        return lease;
    }

    private void giveBack(Lease lease, boolean isRefund, List<Turn> turns) {
        if (!lease.isOpen) {
            return;
        }
        lease.isOpen = false;
        var domain = lease.domain;
        inFlight--;
        domain.inFlight--;
        if (isRefund) {
            domain.refund(lease.startedAt);
        }
        if (domain.busyAddress != null
                && lease.reserved.contains(domain.busyAddress)
                && !lease.connected.contains(domain.busyAddress)) {
            domain.busyAddress = null; // it does not live there any more
        }
        for (var target : lease.targets) {
            target.inFlight--;
            settle(target, turns);
        }
        lease.reserved.forEach(address -> disconnect(address, turns));
        wakeForCap(turns);
        settle(domain, turns); // last: a domain with much work must not keep what others have waited for
    }

    private void disconnect(InetAddress address, List<Turn> turns) {
        var machine = machines.get(address);
        if (machine != null) {
            machine.connections--;
            wakeForMachine(machine, turns);
            if (machine.connections == 0 && machine.waiters.isEmpty()) {
                machines.remove(address);
            }
        }
    }

    private void wakeForMachine(Machine machine, List<Turn> turns) {
        while (machine.connections < limits.perAddress() && !machine.waiters.isEmpty()) {
            dispatch(pollFirst(machine.waiters), turns);
        }
    }

    private void wakeForCap(List<Turn> turns) {
        while (!isResting && inFlight < limits.fetches() && !capWaiters.isEmpty()) {
            dispatch(pollFirst(capWaiters), turns);
        }
    }

    private static Domain pollFirst(Set<Domain> waiters) {
        var first = waiters.iterator().next();
        waiters.remove(first);
        return first;
    }

    /// Starts as many turns as there is room for, and sees to it that somebody comes back when there is more (P-645,
    /// P-648).
    private void dispatch(Domain domain, List<Turn> turns) {
        long now = time.now();
        while (domain.queue.next().isPresent()) {
            var obstacle = findObstacle(domain, now);
            if (obstacle.isPresent()) {
                wait(domain, obstacle.get(), now);
                return;
            }
            var lease = take(domain, now);
            var identifier = domain.queue.next().orElseThrow();
            var turn = new Turn(identifier, lease, domain.queue.tried(identifier));
            var _ = domain.queue.take(turn);
            turns.add(turn);
        }
    }

    private void wait(Domain domain, Obstacle obstacle, long now) {
        switch (obstacle) {
            case PAUSED -> arm(domain, domain.pausedUntil, now);
            case RATE -> domain.roomAt(now, rate(domain.host).perMinute()).ifPresent(at -> arm(domain, at, now));
            case CAP -> capWaiters.add(domain);
            case ADDRESS -> {
                if (domain.busyAddress != null) {
                    machines.computeIfAbsent(domain.busyAddress, _ -> new Machine())
                            .waiters
                            .add(domain);
                }
            }
            case CONCURRENT, QUEUE -> {} // the end of one of its conversations dispatches
        }
    }

    /// One timer a domain; one that rings too early looks again.
    private void arm(Domain domain, long at, long now) {
        if (domain.alarmAt.isEmpty() || domain.alarmAt.getAsLong() > at) {
            domain.alarmOff.run();
            domain.alarmAt = OptionalLong.of(at);
            domain.alarmOff = timer.after(Duration.ofMillis(Math.max(1, at - now)), () -> ring(domain, at));
        }
    }

    private void ring(Domain domain, long at) {
        change(turns -> {
            if (domain.alarmAt.equals(OptionalLong.of(at))) {
                domain.alarmAt = OptionalLong.empty();
                dispatch(domain, turns);
            }
        });
    }

    private void settle(Domain domain, List<Turn> turns) {
        dispatch(domain, turns);
        rest(domain, time.now());
    }

    /// Has a domain looked at when it may have nothing left to remember.
    private void rest(Domain domain, long now) {
        if (domain.inFlight == 0 && domain.queue.isEmpty()) {
            idle.add(new Idle(domain, Math.max(now + Domain.WINDOW_MILLIS, domain.pausedUntil)));
        }
    }

    private void forgetPlace(Identifier identifier, Domain domain) {
        if (!domain.queue.contains(identifier)) {
            queuedAt.computeIfPresent(identifier, (_, hosts) -> {
                hosts.remove(domain.host);
                return hosts.isEmpty() ? null : hosts;
            });
        }
    }

    private Domain domain(Host host) {
        return domains.computeIfAbsent(host, Domain::new);
    }

    private Rate rate(Host host) {
        return Rate.of(host, limits);
    }

    private <T> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    /// Changes something and starts, without the lock, what may start now.
    private void change(Consumer<List<Turn>> work) {
        var turns = new ArrayList<Turn>();
        lock.lock();
        try {
            work.accept(turns);
        } finally {
            lock.unlock();
        }
        for (var turn : turns) {
            notes.accept(new HuntNote.Woken(turn.lease().domain.host, turn.identifier()));
            runner.accept(turn);
        }
    }
}
