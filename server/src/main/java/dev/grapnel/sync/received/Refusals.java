package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// What was refused (R7.15): [RefusedIndex] knows the ids and what they wait for, [HotTier] has some events whole. A
/// whole event is always in the index, too; if nothing is to be known for longer, it leaves both together.
final class Refusals {
    /// An event that was refused this often is not kept whole any more (R7.23).
    static final int ATTEMPTS_MAX = 5;

    private final IntakeConfig config;
    private final Scheduler loop;
    private final KeyHash hashes;
    private final IntakeCounts counts;
    private final HotTier hot;
    private final RefusedIndex index;
    private final HeldBack heldBack;
    private final AheadQueue ahead = new AheadQueue();

    Refusals(IntakeConfig config, Scheduler loop, KeyHash hashes, IntakeCounts counts) {
        this.config = config;
        this.loop = loop;
        this.hashes = hashes;
        this.counts = counts;
        this.hot = new HotTier(config.hotEventsMax(), config.hotBytesMax(), gone -> letGo(gone.id()));
        this.index = new RefusedIndex(config.coldMax(), config.waitsMax(), hashes, this::forgetWhole);
        this.heldBack = new HeldBack(hashes);
    }

    // ---- taking in

    /// Keeps that an event was refused for want of something, and for a while the event itself.
    void keepWaiting(Delivery delivery, Reason reason, List<Dependency> dependencies) {
        boolean isHot = config.hotTime().isPositive() && delivery.attempts() + 1 < ATTEMPTS_MAX;
        if ((!isHot && !config.coldTime().isPositive()) || !noteHeldBack(dependencies)) {
            return;
        }
        forget(delivery.id());
        var now = loop.wall();
        var time = config.coldTime().isPositive() ? config.coldTime() : config.hotTime();
        var keys = dependencies.stream().mapToLong(hashes::of).toArray();
        index.add(entry(delivery, reason, now, now.plus(time), groupOf(dependencies)), keys);
        if (isHot) {
            hot.add(new HotTier.Hot(delivery.event(), delivery.relay(), delivery.url(), loop.nanos()));
        }
    }

    private boolean noteHeldBack(List<Dependency> dependencies) {
        return dependencies.stream()
                .allMatch(dependency ->
                        !(dependency instanceof Dependency.Unheld(var repository)) || heldBack.add(repository));
    }

    /// Keeps that an event was refused for good.
    void keepFinal(Delivery delivery, Reason reason) {
        keepUntil(delivery, reason, loop.wall().plus(config.coldTime()));
    }

    /// Keeps that an event is dated ahead, until it is not.
    void keepAhead(Delivery delivery, Instant until) {
        var latest = loop.wall().plus(config.coldTime());
        boolean isSoon = until.isBefore(latest);
        keepUntil(delivery, Reason.OTHER, isSoon ? until : latest);
        if (isSoon && config.coldTime().isPositive()) {
            ahead.add(until, delivery.id());
        }
    }

    private void keepUntil(Delivery delivery, Reason reason, Instant until) {
        if (config.coldTime().isPositive()) {
            forget(delivery.id());
            index.add(entry(delivery, reason, loop.wall(), until, -1), new long[0]);
        }
    }

    private RefusedEntry entry(Delivery delivery, Reason reason, Instant now, Instant until, int group) {
        var event = delivery.event();
        var relay = delivery.url().text();
        boolean isCold = config.coldTime().isPositive();
        return new RefusedEntry(
                event.id(),
                event.kind(),
                event.createdAt(),
                reason,
                relay,
                now,
                until,
                delivery.attempts() + 1,
                isCold,
                group);
    }

    private int groupOf(List<Dependency> dependencies) {
        return dependencies.stream()
                .flatMap(dependency -> identifierOf(dependency).stream())
                .findFirst()
                .map(this::group)
                .orElse(-1);
    }

    private static Optional<String> identifierOf(Dependency dependency) {
        return switch (dependency) {
            case Dependency.Maintainer(var _, var identifier) -> Optional.of(identifier);
            case Dependency.Authority(var _, var identifier) -> Optional.of(identifier);
            case Dependency.Unheld(var repository) ->
                Optional.of(repository.identifier().text());
            case Dependency.AddressServed _, Dependency.EventServed _, Dependency.AddressMentioned _ ->
                Optional.empty();
        };
    }

    private int group(String identifier) {
        return RefusedEntry.groupOf(hashes.of(identifier));
    }

    // ---- asking

    /// Why an event is refused, if it is.
    Optional<Reason> find(EventId id) {
        int slot = index.find(id);
        if (slot < 0) {
            return Optional.empty();
        }
        if (index.isOver(slot, loop.wall())) {
            expire(slot);
            return Optional.empty();
        }
        return Optional.of(index.reason(slot));
    }

    /// Whether something may wait for a change of the announcements of an identifier.
    boolean areAwaited(String identifier) {
        return index.isAwaitedGroup(group(identifier));
    }

    boolean isAwaited(long key) {
        return index.isAwaited(key);
    }

    /// The number of the next refusal: what is here has lower ones.
    long next() {
        return index.next();
    }

    // ---- waking

    /// Takes out what waits for a key.
    ///
    /// @param before only refusals with lower numbers
    /// @param budget what it may cost
    /// @return what it has cost; if that is less, there are no more
    int wake(long key, long before, int budget, Consumer<Woken> woken) {
        int cost = 0;
        for (int slot = index.findAwaiting(key, before);
                slot >= 0 && cost < budget;
                slot = index.findAwaiting(key, before)) {
            cost += take(slot, woken);
        }
        return cost;
    }

    /// Takes out an event that waits for others to mention it, or for something else.
    ///
    /// @return what it has cost; 0 if it does not wait
    int wake(EventId id, Consumer<Woken> woken) {
        int slot = index.find(id);
        return slot >= 0 && index.isWaiting(slot) ? take(slot, woken) : 0;
    }

    /// Whether mentions of an event could change that it is refused.
    boolean isOrphan(EventId id) {
        int slot = index.find(id);
        return slot >= 0 && index.reason(slot) == Reason.ORPHAN;
    }

    /// @return what it has cost
    private int take(int slot, Consumer<Woken> woken) {
        var id = index.id(slot);
        var type = index.type(slot);
        boolean isOver = index.isOver(slot, loop.wall());
        var relay = index.relay(slot);
        int attempts = index.attempts(slot);
        int cost = 1 + index.remove(slot);
        var whole = hot.remove(id).filter(this::isFresh);
        if (isOver && whole.isEmpty()) {
            counts.coldExpired(type);
            return cost;
        }
        counts.invalidated(type);
        if (whole.isPresent()) {
            counts.hotHit(type);
            var found = whole.get();
            woken.accept(new Woken.Whole(found.event(), found.relay(), found.url(), attempts));
        } else {
            counts.hotMiss(type);
            woken.accept(new Woken.Named(id, relay, attempts));
        }
        return cost;
    }

    /// Takes an event out without anything else: it is here now.
    void forget(EventId id) {
        int slot = index.find(id);
        if (slot >= 0) {
            index.remove(slot);
            hot.remove(id);
        }
    }

    /// Takes out everything from a slot of the index on that waits: nobody knows what has come meanwhile.
    ///
    /// @param before only refusals with lower numbers
    /// @param budget what it may cost
    /// @return the slot to go on with; all of them were looked at if it is no slot any more
    int wakeFrom(int slot, long before, int budget, Consumer<Woken> woken) {
        int next = slot;
        for (int cost = 0; next < index.max() && cost < budget; next++) {
            cost++;
            if (index.isLive(next) && index.isWaiting(next) && index.isBefore(next, before)) {
                cost += take(next, woken);
            }
        }
        return next;
    }

    // ---- repositories whose announcements wait

    List<RepositoryAddress> heldBack(String identifier) {
        return heldBack.of(identifier);
    }

    /// Nothing need be told of a repository any more.
    void settle(RepositoryAddress repository) {
        heldBack.remove(repository);
    }

    long key(Dependency dependency) {
        return hashes.of(dependency);
    }

    // ---- time

    /// Lets go of whole events whose time is over (R7.18).
    void expireHot() {
        for (var oldest = hot.findOldest();
                oldest.filter(found -> !isFresh(found)).isPresent(); ) {
            var gone = oldest.get();
            hot.remove(gone.id());
            counts.hotExpired(gone.type());
            letGo(gone.id());
            oldest = hot.findOldest();
        }
    }

    /// Forgets refusals whose time is over, some at a time.
    ///
    /// @return whether that was all
    boolean expireCold(int looksMax) {
        return index.expire(loop.wall(), looksMax, slot -> {
            counts.coldExpired(index.type(slot));
            forgetWhole(slot);
        });
    }

    /// Takes out events whose dates are near enough by now.
    ///
    /// @param looksMax how many to look at
    /// @return how many there were; if that is less, there are no more
    int wakeDue(int looksMax, Consumer<Woken> woken) {
        var now = loop.wall();
        int looks = 0;
        for (; looks < looksMax; looks++) {
            var id = ahead.poll(now);
            if (id.isEmpty()) {
                break;
            }
            int slot = index.find(id.get());
            if (slot >= 0 && index.isOver(slot, now)) {
                woken.accept(new Woken.Named(id.get(), index.relay(slot), index.attempts(slot)));
                index.remove(slot);
            }
        }
        return looks;
    }

    private void expire(int slot) {
        counts.coldExpired(index.type(slot));
        forgetWhole(slot);
        index.remove(slot);
    }

    private boolean isFresh(HotTier.Hot found) {
        return Duration.ofNanos(loop.nanos() - found.since()).compareTo(config.hotTime()) < 0;
    }

    /// A whole event is gone: if its refusal was only known with it, that is, too.
    private void letGo(EventId id) {
        int slot = index.find(id);
        if (slot >= 0 && !index.isCold(slot)) {
            index.remove(slot);
        }
    }

    private void forgetWhole(int slot) {
        hot.remove(index.id(slot));
    }

    // ---- figures and files

    RefusedIndex index() {
        return index;
    }

    HotTier hot() {
        return hot;
    }

    /// Puts a refusal of an earlier process back.
    void restore(RefusedFile.Item item) {
        var entry = item.entry();
        var keys = item.keys().stream().mapToLong(Long::longValue).toArray();
        var now = loop.wall();
        var latest = now.plus(config.coldTime());
        boolean isOver = !entry.until().isAfter(now) || entry.until().isAfter(latest);
        if (isOver
                || !item.repositories().stream().allMatch(heldBack::add)
                || !index.restore(item.slot(), entry, keys)) {
            return;
        }
        boolean isShorter = entry.until().isBefore(entry.refusedAt().plus(config.coldTime()));
        if (isShorter && entry.reason() == Reason.OTHER) {
            ahead.add(entry.until(), entry.id());
        }
    }

    Optional<RepositoryAddress> findHeldBack(long key) {
        return heldBack.find(key);
    }

    /// The identifiers of repositories whose announcements wait and keep others out.
    List<String> heldBackIdentifiers() {
        return heldBack.identifiers();
    }

    Map<EventType, Integer> hotCounts() {
        return hot.counts();
    }
}
