package dev.grapnel.server.relay;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.Viewer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/// Answers what one connection asks of the store. A question begins on the thread that reads the connection,
/// because most are answered at once; what takes longer goes on in the scan pool.
final class Questions {
    private static final Refusal TOOK_TOO_LONG = new Refusal(Prefix.ERROR, "query took too long");
    private static final Refusal BUSY = new Refusal(Prefix.ERROR, "busy");
    private static final Refusal TRY_LATER = new Refusal(Prefix.ERROR, "busy, try again later");
    /// Values that are looked up before the first event is found, without a pause.
    private static final long INLINE_VALUES_MAX = 500;

    /// What an item of a session takes in memory.
    private static final int ITEM_BYTES = 40;

    private final Relay relay;
    private final Peer peer;
    private final Answers answers;
    private final Subscriptions subscriptions;
    private final Workload workload;
    private final Object asker;
    private final Reconciliations reconciliations;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Scan> resting = new ArrayList<>(0);
    private volatile boolean ended;

    /// @param asker with whom it takes turns: the same for all connections of one client
    Questions(Relay relay, Peer peer, Answers answers, Subscriptions subscriptions, Workload workload, Object asker) {
        this.relay = relay;
        this.peer = peer;
        this.answers = answers;
        this.subscriptions = subscriptions;
        this.workload = workload;
        this.asker = asker;
        this.reconciliations = new Reconciliations(relay.sessionMemory(), answers, relay.nanoTime());
    }

    // ---- REQ

    /// Sends what is stored, then what comes.
    void scan(Subscription subscription, Viewer viewer) {
        Runnable start = () -> relay.scans().execute(asker, () -> begin(subscription, viewer));
        if (!workload.beginQuestion(start, 0)) {
            return;
        }
        if (subscription.valueCount() > INLINE_VALUES_MAX) {
            start.run();
        } else {
            begin(subscription, viewer);
        }
    }

    /// Registration comes before the snapshot, so that no event is in neither (relay 2.7).
    private void begin(Subscription subscription, Viewer viewer) {
        if (subscription.isOver()) {
            finish();
            return;
        }
        subscriptions.register(subscription);
        Scan scan;
        try {
            var query = relay.store()
                    .query(new QueryRequest(
                            subscription.filters(), viewer, relay.config().queries()));
            scan = new Scan(subscription, subscriptions, query, answers, peer, relay.config(), relay.nanoTime());
        } catch (StoreRefusal refusal) {
            subscriptions.end(subscription, refusal.refusal());
            finish();
            return;
        } catch (RuntimeException | Error problem) { // a question that cannot be begun is told to be over
            subscriptions.end(subscription, RelaySession.INTERNAL_ERROR);
            finish();
            throw problem;
        }
        goOn(scan, run(scan, true));
    }

    /// A scan that fails by a fault of ours is over; others wait for its place.
    private Scan.State run(Scan scan, boolean isFirst) {
        boolean failed = true;
        try {
            var state = isFirst ? scan.runFirst() : scan.run();
            failed = false;
            return state;
        } finally {
            if (failed) {
                finish();
            }
        }
    }

    private void goOn(Scan scan, Scan.State state) {
        switch (state) {
            case GOES_ON -> relay.scans().execute(asker, () -> goOn(scan, run(scan, false)));
            case RESTS -> rest(scan);
            case WAITS -> keep(scan); // until the next look
            case DONE -> finish();
        }
    }

    private void keep(Scan scan) {
        lock.lock();
        try {
            resting.add(scan);
        } finally {
            lock.unlock();
        }
    }

    private void rest(Scan scan) {
        keep(scan);
        if (!peer.awaitDrained(scan.wakeBytes()) || scan.isOver()) {
            goOnScanning();
        }
    }

    /// The client has read what was sent, or is gone: then each scan finds that its subscription is over.
    void goOnScanning() {
        List<Scan> awake;
        lock.lock();
        try {
            awake = resting;
            resting = new ArrayList<>(0);
        } finally {
            lock.unlock();
        }
        awake.forEach(scan -> relay.scans().execute(asker, () -> goOn(scan, run(scan, false))));
    }

    /// A question is answered: the next one that waits begins, on another thread.
    private void finish() {
        finish(0);
    }

    private void finish(long bytes) {
        var next = workload.finishQuestion(bytes);
        if (next != null) {
            next.run();
        }
        if ((next != null || bytes > 0) && !workload.isSaturated()) {
            peer.resumeReading();
        }
    }

    // ---- COUNT

    void count(SubscriptionId id, List<Filter> filters, int length, Viewer viewer) {
        ask(
                FilterMemory.of(filters, length),
                () -> answers.send(countNow(id, filters, viewer)),
                refusal -> answers.closed(id, refusal));
    }

    private RelayMessage countNow(SubscriptionId id, List<Filter> filters, Viewer viewer) {
        var config = relay.config();
        var request = new CountRequest(
                filters, viewer, config.countMax(), config.queries().stepsMax(), config.estimates());
        return switch (relay.store().count(request)) {
            case EventCount.Counted(var count, var approximate, var registers) ->
                new RelayMessage.Counted(id, count, approximate, registers.orElse(Bytes.EMPTY));
            case EventCount.TookTooLong _ -> RelayMessage.closed(id, TOOK_TOO_LONG);
        };
    }

    /// How to say that a question is not answered.
    @FunctionalInterface
    private interface Excuse {
        void make(Refusal refusal);
    }

    /// Answers something that is not done in slices, where no scan waits for it.
    ///
    /// @param bytes what it keeps in memory until then
    private void ask(long bytes, Runnable question, Excuse excuse) {
        if (!relay.filterMemory().reserve(bytes)) {
            excuse.make(TRY_LATER);
            return;
        }
        Runnable work = () -> {
            boolean failed = true;
            try {
                if (!ended) {
                    question.run();
                }
                failed = false;
            } catch (StoreRefusal refusal) {
                excuse.make(refusal.refusal());
                failed = false;
            } finally {
                if (failed) {
                    excuse.make(RelaySession.INTERNAL_ERROR);
                }
                peer.flush();
                relay.filterMemory().release(bytes);
                finish(bytes);
            }
        };
        Runnable start = () -> relay.counts().execute(asker, work);
        if (workload.beginQuestion(start, bytes)) {
            start.run();
        }
    }

    // ---- NEG-*

    void reconcile(SubscriptionId id, Filter filter, Bytes message, int length, Viewer viewer) {
        reconciliations
                .open(id)
                .ifPresent(session -> ask(
                        FilterMemory.of(List.of(filter), length),
                        () -> begin(id, session, filter, message, viewer),
                        refusal -> reconciliations.fail(id, session, RelayMessage.negError(id, refusal))));
    }

    private void begin(
            SubscriptionId id, Reconciliations.Session session, Filter filter, Bytes message, Viewer viewer) {
        int most = relay.config().itemsMax();
        long room = Math.max(0, relay.config().sessionBytesTotal() - relay.sessionBytes()) / ITEM_BYTES;
        switch (relay.store().items(filter, viewer, (int) Math.min(most, room))) {
            case ItemsOutcome.Items(var items) -> reconciliations.begin(id, session, items, message);
            case ItemsOutcome.TooMany _
            when room < most -> reconciliations.fail(id, session, RelayMessage.negError(id, BUSY));
            case ItemsOutcome.TooMany(var itemsMax) ->
                reconciliations.fail(
                        id,
                        session,
                        new RelayMessage.NegError(id, "blocked: this query is too big", OptionalLong.of(itemsMax)));
        }
    }

    void goOn(SubscriptionId id, Bytes message) {
        reconciliations.go(id, message);
    }

    void end(SubscriptionId id) {
        reconciliations.end(id);
    }

    void look(long nanoTime) {
        reconciliations.look(nanoTime);
        if (!peer.isMemoryShort()) {
            goOnScanning();
        }
        if (peer.unsent() > 0) {
            peer.flushSoon();
        }
    }

    void endAll(Refusal reason) {
        reconciliations.endAll(reason);
    }

    void forgetAll() {
        ended = true;
        reconciliations.forgetAll();
        goOnScanning();
    }

    boolean isEmpty() {
        return reconciliations.isEmpty();
    }
}
