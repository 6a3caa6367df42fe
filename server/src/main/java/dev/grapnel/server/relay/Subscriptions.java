package dev.grapnel.server.relay;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.server.live.LiveEvent;
import dev.grapnel.server.live.SubscriptionIndex;
import dev.grapnel.server.websocket.MemoryBudget;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.store.Viewer;
import dev.grapnel.websocket.CloseCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The open subscriptions of one connection: how many there may be, what they are told and when they end.
///
/// The lock is held while an event is queued, so that order is kept, and never while anything is waited for.
final class Subscriptions {
    private static final Refusal TOO_MANY =
            new Refusal(Prefix.RATE_LIMITED, "too many subscriptions, close some first");
    private static final Refusal BUSY = new Refusal(Prefix.ERROR, "busy, try again later");
    private static final Refusal OVERFLOW = new Refusal(Prefix.ERROR, "live event buffer overflow; resubscribe");
    private static final Duration SECOND_CHANCE = Duration.ofMinutes(1);

    private final RelayConfig config;
    private final SubscriptionIndex index;
    private final MemoryBudget memory;
    private final Peer peer;
    private final Answers answers;
    private final Supplier<Viewer> viewer;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SubscriptionId, Subscription> open = new HashMap<>(4);
    private long messageBytes;
    private long bufferedBytes;
    private boolean hasOverflown;
    private long overflownAt;

    Subscriptions(
            RelayConfig config,
            SubscriptionIndex index,
            MemoryBudget memory,
            Peer peer,
            Answers answers,
            Supplier<Viewer> viewer,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.config = config;
        this.index = index;
        this.memory = memory;
        this.peer = peer;
        this.answers = answers;
        this.viewer = viewer;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /// Opens a subscription, unless there is no room: then the client is told.
    Optional<Subscription> open(SubscriptionId id, List<Filter> filters, int bytes) {
        var subscription = new Subscription(id, filters, bytes, this);
        lock.lock();
        try {
            var obstacle = findObstacle(subscription);
            if (obstacle.isPresent()) {
                answers.closed(id, obstacle.get());
                return Optional.empty();
            }
            open.put(id, subscription);
            messageBytes += bytes;
            return Optional.of(subscription);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Refusal> findObstacle(Subscription subscription) {
        if (open.size() >= config.subscriptionsMax()) {
            return Optional.of(TOO_MANY);
        }
        if (messageBytes + subscription.messageBytes() > config.filterBytesMax()) {
            return Optional.of(new Refusal(
                    Prefix.RATE_LIMITED, "active subscriptions exceed max size " + config.filterBytesMax() + " bytes"));
        }
        return memory.reserve(subscription.memoryBytes()) ? Optional.empty() : Optional.of(BUSY);
    }

    /// From now on it hears of new events; what it hears is kept until [#finishStored].
    void register(Subscription subscription) {
        var registered = index.register(subscription, subscription.filters());
        lock.lock();
        try {
            subscription.begin(registered);
        } finally {
            lock.unlock();
        }
        if (subscription.isOver()) {
            registered.close();
        }
    }

    /// A new event that matches. Called by the matcher.
    void deliver(Subscription subscription, LiveEvent event) {
        var ended = List.<Subscription>of();
        lock.lock();
        try {
            if (subscription.isOver() || !viewer.get().maySee(event.event())) {
                return;
            }
            if (!subscription.isLive()) {
                subscription.buffer(event);
                bufferedBytes += event.text().length();
            } else if (subscription.isNews(event)) {
                answers.deliver(subscription, event.text());
            } else {
                return;
            }
            if (peer.unsent() + bufferedBytes > config.outboundMax() / 2) {
                ended = overflow();
            }
        } finally {
            lock.unlock();
        }
        ended.forEach(Subscription::unregister);
        peer.flushSoon();
    }

    /// The reader has fallen behind: what is live ends, and it is told (relay 2.8).
    private List<Subscription> overflow() {
        long now = nanoTime.getAsLong();
        if (hasOverflown && now - overflownAt < SECOND_CHANCE.toNanos()) {
            peer.cut(CloseCode.POLICY, "reads too slowly");
            return List.of();
        }
        hasOverflown = true;
        overflownAt = now;
        return endIf(subscription -> subscription.isLive() || subscription.hasBuffered(), OVERFLOW);
    }

    /// All stored events were sent.
    void finishStored(Subscription subscription, long commitNumber, Completeness completeness) {
        lock.lock();
        try {
            if (subscription.isOver()) {
                return;
            }
            answers.send(subscription, new RelayMessage.EndOfStored(subscription.id(), completeness));
            subscription.speakOf(commitNumber);
            bufferedBytes -= subscription.bufferedBytes();
            var now = clock.instant();
            for (var event : subscription.goLive()) {
                if (subscription.isNews(event) && !event.isOver(now)) {
                    answers.deliver(subscription, event.text());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends one without a word, if it is open.
    void end(SubscriptionId id) {
        Subscription ended;
        lock.lock();
        try {
            ended = open.get(id);
            if (ended != null) {
                remove(ended);
                peer.takeBack();
            }
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.unregister();
        }
    }

    /// Ends one and says why, if it is open still.
    void end(Subscription subscription, Refusal reason) {
        endAll(candidate -> candidate.equals(subscription), reason);
    }

    /// Ends all and says why.
    void endAll(Refusal reason) {
        endAll(_ -> true, reason);
    }

    private void endAll(Predicate<Subscription> which, Refusal reason) {
        List<Subscription> ended;
        lock.lock();
        try {
            ended = endIf(which, reason);
        } finally {
            lock.unlock();
        }
        ended.forEach(Subscription::unregister);
    }

    private List<Subscription> endIf(Predicate<Subscription> which, Refusal reason) {
        var ended = new ArrayList<>(open.values());
        ended.removeIf(which.negate());
        ended.forEach(this::remove);
        peer.takeBack();
        ended.forEach(subscription -> answers.closed(subscription.id(), reason));
        return ended;
    }

    /// The connection is over.
    void forgetAll() {
        List<Subscription> ended;
        lock.lock();
        try {
            ended = List.copyOf(open.values());
            ended.forEach(this::remove);
        } finally {
            lock.unlock();
        }
        ended.forEach(Subscription::unregister);
    }

    private void remove(Subscription subscription) {
        open.remove(subscription.id());
        bufferedBytes -= subscription.bufferedBytes();
        messageBytes -= subscription.messageBytes();
        memory.release(subscription.memoryBytes());
        subscription.end();
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return open.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
