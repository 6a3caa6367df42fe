package dev.grapnel.server.live;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// All open subscriptions, to be found by what events carry. Subscriptions come and go from any thread;
/// [#match] is the matcher's alone.
public final class SubscriptionIndex {
    private static final int STRIPES = 64;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final AtomicInteger count = new AtomicInteger();
    private final KeySet keys = new KeySet();
    private final List<Registration> candidates = new ArrayList<>();
    private final List<LiveSubscriber> matching = new ArrayList<>();
    private long turn;

    /// An empty index.
    public SubscriptionIndex() {
        Arrays.setAll(stripes, _ -> new Stripe());
    }

    /// A subscription that is registered. Ending it twice does no harm.
    public final class Registered implements AutoCloseable {
        private final AtomicBoolean open = new AtomicBoolean(true);
        private final Registration[] registrations;

        private Registered(Registration[] registrations) {
            this.registrations = registrations;
        }

        /// Takes it out. It may still be told of one event that is being matched.
        @Override
        public void close() {
            if (!open.compareAndSet(true, false)) {
                return;
            }
            count.decrementAndGet();
            for (var registration : registrations) {
                for (var entry : registration.entries()) {
                    stripe(entry.key).remove(entry);
                }
            }
        }
    }

    /// From now on the subscriber hears of what one of these filters matches.
    public Registered register(LiveSubscriber subscriber, List<Filter> filters) {
        var recipient = new Registration.Recipient(subscriber);
        var registrations = filters.stream()
                .map(filter -> new Registration(recipient, filter))
                .toArray(Registration[]::new);
        for (var registration : registrations) {
            for (var entry : registration.entries()) {
                stripe(entry.key).add(entry);
            }
        }
        count.incrementAndGet();
        return new Registered(registrations);
    }

    /// The subscribers of this event, each once; valid until the next call.
    List<LiveSubscriber> match(Event event) {
        turn++;
        matching.clear();
        keys.fill(event);
        keys.forEach(key -> stripe(key).find(key, turn, candidates));
        for (var candidate : candidates) {
            if (candidate.filter().matches(event) && candidate.recipient().isFirst(turn)) {
                matching.add(candidate.recipient().subscriber());
            }
        }
        candidates.clear();
        return matching;
    }

    private Stripe stripe(long key) {
        return stripes[(int) key & (STRIPES - 1)];
    }

    /// Open subscriptions.
    public int count() {
        return count.get();
    }

    /// Values under which filters are found.
    public long entryCount() {
        return Arrays.stream(stripes).mapToLong(Stripe::size).sum();
    }
}
