package dev.grapnel.server.relay;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.server.websocket.SharedText;
import dev.grapnel.store.EventQuery;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/// Sends the stored events of one subscription, a slice at a time. It rests while the client has much to read,
/// and then keeps neither a thread nor a snapshot (relay 2.8).
final class Scan {
    private static final Refusal TOOK_TOO_LONG = new Refusal(Prefix.ERROR, "query took too long");
    private static final Duration SLICE = Duration.ofMillis(10);
    /// On the thread that reads the connection, which others of its messages wait for.
    private static final Duration FIRST_SLICE = Duration.ofMillis(2);

    private static final int BLOCK_BYTES = 128 << 10;
    private static final int REST_BYTES = 1 << 20;
    private static final int WAKE_BYTES = 256 << 10;

    private final Subscription subscription;
    private final Subscriptions subscriptions;
    private final EventQuery query;
    private final Answers answers;
    private final Peer peer;
    private final boolean hints;
    private final LongSupplier nanoTime;
    private final int restBytes;
    private final int blockBytes;

    /// What a slice ended with.
    enum State {
        /// There is more to do.
        GOES_ON,
        /// The client must read first.
        RESTS,
        /// Somebody must read first: memory is short.
        WAITS,
        DONE
    }

    Scan(
            Subscription subscription,
            Subscriptions subscriptions,
            EventQuery query,
            Answers answers,
            Peer peer,
            RelayConfig config,
            LongSupplier nanoTime) {
        this.subscription = subscription;
        this.subscriptions = subscriptions;
        this.query = query;
        this.answers = answers;
        this.peer = peer;
        this.hints = config.hints();
        this.nanoTime = nanoTime;
        this.restBytes = (int) Math.min(REST_BYTES, config.outboundMax() / 4);
        this.blockBytes = Math.min(BLOCK_BYTES, restBytes / 2);
    }

    /// Below so many unsent bytes it goes on after a rest.
    int wakeBytes() {
        return Math.min(WAKE_BYTES, restBytes / 2);
    }

    boolean isOver() {
        return subscription.isOver();
    }

    State runFirst() {
        return run(FIRST_SLICE);
    }

    State run() {
        return run(SLICE);
    }

    private State run(Duration slice) {
        long start = nanoTime.getAsLong();
        while (!subscription.isOver()) {
            if (peer.unsent() > restBytes) {
                query.pause();
                return State.RESTS;
            }
            if (peer.unsent() > 0 && peer.isMemoryShort()) {
                query.pause();
                return State.WAITS;
            }
            var left = slice.minusNanos(nanoTime.getAsLong() - start);
            if (!left.isPositive()) {
                return State.GOES_ON;
            }
            if (take(left)) {
                break;
            }
            peer.flush();
        }
        query.close();
        peer.flush();
        return State.DONE;
    }

    /// True if that was the last block.
    private boolean take(Duration slice) {
        try {
            return switch (query.next(blockBytes, slice)) {
                case QueryStep.More(var events) -> {
                    send(events);
                    yield false;
                }
                case QueryStep.Done(var events, var exhausted) -> {
                    send(events);
                    subscriptions.finishStored(subscription, query.commitNumber(), completeness(exhausted));
                    yield true;
                }
                case QueryStep.TookTooLong(var events) -> {
                    send(events);
                    subscriptions.end(subscription, TOOK_TOO_LONG);
                    yield true;
                }
            };
        } catch (StoreRefusal refusal) {
            subscriptions.end(subscription, refusal.refusal());
            return true;
        } catch (RuntimeException | Error problem) { // a question that cannot be finished is told to be over
            subscriptions.end(subscription, RelaySession.INTERNAL_ERROR);
            query.close();
            throw problem;
        }
    }

    private void send(List<StoredEvent> events) {
        for (var event : events) {
            answers.deliver(subscription, new SharedText(event.json(), false));
        }
    }

    private Completeness completeness(boolean exhausted) {
        if (!hints || subscription.wantsNothingStored()) {
            return Completeness.UNSTATED; // whoever asked for none was not told whether there are some
        }
        return exhausted ? Completeness.FINISHED : Completeness.MORE;
    }
}
