package dev.grapnel.server.relay;

import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.server.address.Client;
import dev.grapnel.server.live.SubscriptionIndex;
import dev.grapnel.server.websocket.Conversation;
import dev.grapnel.server.websocket.MemoryBudget;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.store.EventStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// The relay: what all sessions share, and the sessions themselves.
public final class Relay {
    private final RelayConfig config;
    private final ServiceAddress service;
    private final EventStore store;
    private final Admission admission;
    private final SubscriptionIndex index;
    private final ScanPool scans;
    private final ScanPool counts;
    private final RelayMeter meter;
    private final RandomGenerator random;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ClientMessageReader reader;
    private final MemoryBudget filterMemory;
    private final MemoryBudget sessionMemory;
    private final Set<RelaySession> sessions = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private volatile boolean stopping;

    /// @param service under which address clients know this relay
    /// @param scans where stored events are looked up, in slices
    /// @param counts where events are counted and listed, which takes as long as it takes
    /// @param random for challenges: must not be guessed
    public Relay(
            RelayConfig config,
            ServiceAddress service,
            EventStore store,
            Admission admission,
            SubscriptionIndex index,
            ScanPool scans,
            ScanPool counts,
            RelayMeter meter,
            RandomGenerator random,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.config = config;
        this.service = service;
        this.store = store;
        this.admission = admission;
        this.index = index;
        this.scans = scans;
        this.counts = counts;
        this.meter = meter;
        this.random = random;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.reader = new ClientMessageReader(config.messages());
        this.filterMemory = new MemoryBudget(config.filterBytesTotal());
        this.sessionMemory = new MemoryBudget(config.sessionBytesTotal());
    }

    /// Begins a session with a client, which is let go at its end.
    public Conversation open(Peer peer, Client client) {
        var session = new RelaySession(this, peer, client);
        sessions.add(session);
        meter.opened();
        session.begin();
        if (stopping) {
            session.stop();
        }
        return session;
    }

    void ended(RelaySession session, Duration lifetime) {
        sessions.remove(session);
        meter.closed(lifetime);
        lock.lock();
        try {
            quiet.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all sessions as relay 6.8 says: nothing more is read, what was taken is answered, whatever is open
    /// is told to be over. Waits up to the given time; what is left then is for the transport to drop.
    public void stop(Duration wait) throws InterruptedException {
        stopping = true;
        sessions.forEach(RelaySession::stop);
        lock.lockInterruptibly();
        try {
            long left = wait.toNanos();
            while (!sessions.isEmpty() && left > 0) {
                left = quiet.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether no more sessions are begun.
    public boolean isStopping() {
        return stopping;
    }

    /// Open sessions.
    public int sessionCount() {
        return sessions.size();
    }

    /// Memory that open subscriptions take.
    public long filterBytes() {
        return filterMemory.used();
    }

    /// Memory that negentropy sessions take.
    public long sessionBytes() {
        return sessionMemory.used();
    }

    RelayConfig config() {
        return config;
    }

    ServiceAddress service() {
        return service;
    }

    EventStore store() {
        return store;
    }

    public Admission admission() {
        return admission;
    }

    SubscriptionIndex index() {
        return index;
    }

    ScanPool scans() {
        return scans;
    }

    ScanPool counts() {
        return counts;
    }

    RelayMeter meter() {
        return meter;
    }

    RandomGenerator random() {
        return random;
    }

    InstantSource clock() {
        return clock;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    ClientMessageReader reader() {
        return reader;
    }

    MemoryBudget filterMemory() {
        return filterMemory;
    }

    MemoryBudget sessionMemory() {
        return sessionMemory;
    }
}
