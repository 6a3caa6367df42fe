package dev.grapnel.server.relay;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.server.live.LiveEvent;
import dev.grapnel.server.live.LiveSubscriber;
import dev.grapnel.server.live.SubscriptionIndex.Registered;
import dev.grapnel.server.websocket.FrameOwner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One open REQ. Its state is guarded by the lock of [Subscriptions], to which it belongs.
final class Subscription implements LiveSubscriber, FrameOwner {
    /// What a subscription takes in memory beside its filters.
    private static final int BYTES = 512;

    private final SubscriptionId id;
    private final byte[] prefix;
    private final List<Filter> filters;
    private final int messageBytes;
    private final long memoryBytes;
    private final Subscriptions subscriptions;
    private @Nullable Registered registered;
    /// What came while stored events are still being sent (relay 2.7).
    private List<LiveEvent> buffered = new ArrayList<>(0);

    private long bufferedBytes;
    /// The commit the stored events speak of: no event up to it is delivered live.
    private long snapshot = -1;
    private boolean live;
    private volatile boolean over;

    Subscription(SubscriptionId id, List<Filter> filters, int messageBytes, Subscriptions subscriptions) {
        this.id = id;
        this.filters = filters;
        this.messageBytes = messageBytes;
        this.memoryBytes = BYTES + FilterMemory.of(filters, messageBytes);
        this.subscriptions = subscriptions;
        this.prefix =
                new JsonWriter(32).raw("[\"EVENT\",").string(id.text()).raw(",").toArray();
    }

    SubscriptionId id() {
        return id;
    }

    List<Filter> filters() {
        return filters;
    }

    /// Whether one of its filters asks for no stored events at all.
    boolean wantsNothingStored() {
        return filters.stream().anyMatch(filter -> filter.limit().orElse(1) == 0);
    }

    /// What an event's message begins with.
    byte[] prefix() {
        return prefix;
    }

    /// Length of the REQ.
    int messageBytes() {
        return messageBytes;
    }

    /// About what it takes in memory.
    long memoryBytes() {
        return memoryBytes;
    }

    /// Values of all its filters.
    long valueCount() {
        return FilterMemory.valueCount(filters);
    }

    @Override
    public void deliver(LiveEvent event) {
        subscriptions.deliver(this, event);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    /// Whether the stored events were sent.
    boolean isLive() {
        return live;
    }

    /// Whether this event is news to it.
    boolean isNews(LiveEvent event) {
        return event.number() > snapshot;
    }

    void begin(Registered registration) {
        registered = registration;
    }

    void speakOf(long commitNumber) {
        snapshot = commitNumber;
    }

    void buffer(LiveEvent event) {
        buffered.add(event);
        bufferedBytes += event.text().length();
    }

    boolean hasBuffered() {
        return !buffered.isEmpty();
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    /// Goes over to new events; returns those that have come meanwhile.
    List<LiveEvent> goLive() {
        live = true;
        return takeBuffered();
    }

    void end() {
        over = true;
        takeBuffered();
    }

    private List<LiveEvent> takeBuffered() {
        var events = buffered;
        buffered = List.of();
        bufferedBytes = 0;
        return events;
    }

    /// Takes it out of the index; not under the lock, because that may take a while.
    void unregister() {
        var registration = registered;
        if (registration != null) {
            registration.close();
        }
    }
}
