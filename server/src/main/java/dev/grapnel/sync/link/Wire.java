package dev.grapnel.sync.link;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.SlidingLimit;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Transport.Line;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One connection to a relay: what is open on it, and frames on their way, no more than fifty a second (R3.15). When
/// the connection is over it is thrown away, so nothing of an older one can be taken for the present (R4.2).
final class Wire {
    private static final int CLOSED_MAX = 256;
    private static final int LARGE = 60_000;

    /// Bytes on their way, beside one frame, while others wait to be made: a plan may have megabytes, for each of a
    /// thousand relays at the same moment.
    private static final int UNWRITTEN_MAX = 64 << 10;

    private static final Duration LATE = Duration.ofSeconds(30);

    /// What a relay says that wants fewer requests.
    private static final String UNSENT = "rate-limited: not sent";

    private final Line line;
    private final Ledger ledger;
    private final Scheduler loop;
    private final Runnable freed;
    private final Map<SubscriptionId, Conversation> subscriptions = new LinkedHashMap<>();
    private final Map<SubscriptionId, Comparison> comparisons = new LinkedHashMap<>();
    private final Map<SubscriptionId, Long> closed = new LinkedHashMap<>();
    private final Map<SubscriptionId, Integer> openThen = new HashMap<>();
    private final Queue<Outgoing> waiting = new ArrayDeque<>();
    private final SlidingLimit frames = SlidingLimit.frames();
    private long unwritten;
    private boolean isTimed;
    private final Deque<Closing> closings = new ArrayDeque<>();
    private boolean isOver;
    private long serial;
    private int openWithLast;
    private OptionalLong largeSentAt = OptionalLong.empty();

    /// A frame that was not sent yet.
    ///
    /// @param text empty if there is nothing to say any more
    private record Outgoing(Supplier<Optional<Bytes>> text, Runnable written, Optional<Opening> opening) {}

    /// What a frame would open.
    ///
    /// @param isInPlace whether something is open under that id
    /// @param refusal what the relay would say to refuse it
    /// @param sent told when it goes out
    private record Opening(SubscriptionId id, boolean isInPlace, RelayMessage refusal, Runnable sent) {}

    /// Somebody who opened a subscription.
    interface Conversation {
        /// The request goes out.
        default void sent() {}

        /// Whether an event is what was asked for (R7.2).
        boolean expects(Event event);

        /// On which way its events come.
        Path path();

        /// An event came that was asked for.
        void took(Event event);

        /// What became of one.
        void decided(Event event, Outcome outcome);

        /// `EOSE`, after everything before it was decided.
        void ended();

        /// `CLOSED`, likewise. The subscription is gone already.
        void closed(String text);
    }

    /// Somebody who opened a comparison.
    interface Comparison {
        /// `NEG-MSG`.
        void answered(Bytes message);

        /// `NEG-ERR`. The comparison is gone already.
        void failed(String reason, boolean isSized);
    }

    /// @param freed run when a slot has become free
    Wire(Line line, Ledger ledger, Scheduler loop, Runnable freed) {
        this.line = line;
        this.ledger = ledger;
        this.loop = loop;
        this.freed = freed;
    }

    Line line() {
        return line;
    }

    boolean isOver() {
        return isOver;
    }

    /// Nothing is sent or told any more.
    void end() {
        isOver = true;
        waiting.clear();
        subscriptions.clear();
        comparisons.clear();
        ledger.clear();
        closings.forEach(closing -> closing.told.accept(false));
        closings.clear();
    }

    /// When a long message was sent last.
    OptionalLong largeSentAt() {
        return largeSentAt;
    }

    // ---- subscriptions

    SubscriptionId newId(char role) {
        return new SubscriptionId(role + Long.toString(++serial, 36));
    }

    /// Opens a subscription; its slot is taken.
    ///
    /// @param filters asked for when it goes out (R8.4); none if there is nothing to ask for any more
    void subscribe(SubscriptionId id, Use use, Supplier<List<Filter>> filters, Conversation conversation) {
        ledger.take(use);
        request(id, false, filters, conversation);
    }

    /// Opens one under an id that is in use, in its place (NIP-01).
    void replace(SubscriptionId id, Supplier<List<Filter>> filters, Conversation conversation) {
        request(id, true, filters, conversation);
    }

    private void request(
            SubscriptionId id, boolean isInPlace, Supplier<List<Filter>> filters, Conversation conversation) {
        openThen.put(id, ledger.open());
        subscriptions.put(id, conversation);
        var opening = new Opening(id, isInPlace, new RelayMessage.Closed(id, UNSENT), conversation::sent);
        send(new Outgoing(() -> subscribing(id, filters.get()), () -> {}, Optional.of(opening)));
    }

    private static Optional<Bytes> subscribing(SubscriptionId id, List<Filter> filters) {
        return filters.isEmpty() ? Optional.empty() : Optional.of(new ClientMessage.Subscribe(id, filters).json());
    }

    /// How many were open when the one was sent that is no longer open since last: a relay that refused it counted
    /// those, and some may have been closed before its word came.
    int openWithLast() {
        return openWithLast;
    }

    private void forget(SubscriptionId id) {
        var then = openThen.remove(id);
        openWithLast = then == null ? ledger.open() : then;
    }

    /// Closes a subscription; its slot is free when that was written.
    void unsubscribe(SubscriptionId id, Use use) {
        if (subscriptions.remove(id) != null) {
            forget(id);
            noteClosed(id);
            var closing = new Closing();
            closings.add(closing);
            send(new ClientMessage.Unsubscribe(id).json(), () -> {
                closings.remove(closing);
                free(use);
                closing.told.accept(true);
            });
        }
    }

    /// Tells, once, whether the last CLOSE went out or the connection ended before.
    void afterClose(Consumer<Boolean> told) {
        if (closings.isEmpty()) {
            told.accept(!isOver);
        } else {
            closings.getLast().told = told;
        }
    }

    /// A CLOSE that is not written yet.
    private static final class Closing {
        private Consumer<Boolean> told = _ -> {};
    }

    Optional<Conversation> find(SubscriptionId id) {
        return Optional.ofNullable(subscriptions.get(id));
    }

    /// The relay closed it itself.
    Optional<Conversation> remove(SubscriptionId id) {
        var gone = Optional.ofNullable(subscriptions.remove(id));
        gone.ifPresent(_ -> {
            forget(id);
            noteClosed(id);
        });
        return gone;
    }

    /// Gives a slot back that a closed subscription had.
    void free(Use use) {
        if (!isOver) {
            ledger.release(use);
            freed.run();
        }
    }

    private void noteClosed(SubscriptionId id) {
        closed.put(id, loop.nanos());
        if (closed.size() > CLOSED_MAX) {
            closed.remove(closed.keySet().iterator().next());
        }
    }

    /// Whether events for an id that is not open may still have been on their way.
    boolean isLate(SubscriptionId id) {
        var at = closed.get(id);
        return at != null && loop.nanos() - at < LATE.toNanos();
    }

    // ---- comparisons

    /// Takes a slot for a comparison whose first message is not ready yet.
    void reserveComparison() {
        ledger.take(Use.COMPARISON);
    }

    /// Opens a comparison in a slot that was taken.
    void compare(SubscriptionId id, Filter filter, Bytes first, Comparison comparison) {
        openThen.put(id, ledger.open());
        comparisons.put(id, comparison);
        var text = Optional.of(new ClientMessage.NegOpen(id, filter, first).json());
        var opening = new Opening(id, false, new RelayMessage.NegError(id, UNSENT, OptionalLong.empty()), () -> {});
        send(new Outgoing(() -> text, () -> {}, Optional.of(opening)));
    }

    void goOn(SubscriptionId id, Bytes message) {
        send(new ClientMessage.NegMessage(id, message).json());
    }

    void endComparison(SubscriptionId id) {
        if (comparisons.remove(id) != null) {
            forget(id);
            send(new ClientMessage.NegClose(id).json(), () -> free(Use.COMPARISON));
        }
    }

    Optional<Comparison> findComparison(SubscriptionId id) {
        return Optional.ofNullable(comparisons.get(id));
    }

    Optional<Comparison> removeComparison(SubscriptionId id) {
        var gone = Optional.ofNullable(comparisons.remove(id));
        gone.ifPresent(_ -> forget(id));
        return gone;
    }

    // ---- frames

    void send(Bytes text) {
        send(text, () -> {});
    }

    private void send(Bytes text, Runnable written) {
        var made = Optional.of(text);
        send(new Outgoing(() -> made, written, Optional.empty()));
    }

    private void send(Outgoing frame) {
        if (!isOver) {
            waiting.add(frame);
            drain();
        }
    }

    /// Takes back whatever would open something and was not sent yet.
    ///
    /// @return what the relay would say to refuse it
    List<RelayMessage> takeUnsent() {
        var unsent = waiting.stream().flatMap(frame -> frame.opening().stream()).toList();
        waiting.removeIf(frame -> frame.opening().isPresent());
        unsent.stream()
                .filter(Opening::isInPlace)
                .forEach(opening -> send(new ClientMessage.Unsubscribe(opening.id()).json()));
        return unsent.stream()
                .filter(opening -> subscriptions.containsKey(opening.id()) || comparisons.containsKey(opening.id()))
                .map(Opening::refusal)
                .distinct()
                .toList();
    }

    /// Whether something that was to be opened has not gone out.
    boolean isUnsent() {
        return waiting.stream().anyMatch(frame -> frame.opening().isPresent());
    }

    private void drain() {
        long now = loop.nanos();
        while (!isOver && !waiting.isEmpty() && unwritten <= UNWRITTEN_MAX && frames.tryTake(now)) {
            send(waiting.remove(), now);
        }
        if (!isOver && !waiting.isEmpty() && unwritten <= UNWRITTEN_MAX && !isTimed) {
            isTimed = true;
            loop.after(Duration.ofNanos(Math.max(1, frames.untilNext(now).toNanos())), () -> {
                isTimed = false;
                drain();
            });
        }
    }

    private void send(Outgoing frame, long now) {
        frame.opening().ifPresent(opening -> opening.sent().run());
        var text = frame.text().get();
        if (text.isEmpty()) {
            frame.written().run();
            return;
        }
        int length = text.get().length();
        if (length > LARGE) {
            largeSentAt = OptionalLong.of(now);
        }
        unwritten += length;
        line.send(text.get(), () -> {
            unwritten -= length;
            frame.written().run();
            drain();
        });
    }
}
