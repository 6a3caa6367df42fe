package dev.grapnel.server.relay;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import dev.grapnel.server.websocket.MemoryBudget;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The negentropy sessions of one connection (NIP-77, relay 5.6).
final class Reconciliations {
    private static final int SESSIONS_MAX = 20;
    private static final Duration IDLE_MAX = Duration.ofMinutes(2);
    private static final Refusal TOO_MANY = new Refusal(Prefix.RATE_LIMITED, "too many negentropy sessions");
    private static final Refusal BUSY = new Refusal(Prefix.ERROR, "busy");
    private static final Refusal UNKNOWN = new Refusal(Prefix.CLOSED, "unknown session");
    private static final Refusal UNANSWERED = Refusal.invalid("messages came before the first was answered");
    private static final Refusal IDLE = new Refusal(Prefix.CLOSED, "idle");

    private final MemoryBudget memory;
    private final Answers answers;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SubscriptionId, Session> open = new HashMap<>(0);

    Reconciliations(MemoryBudget memory, Answers answers, LongSupplier nanoTime) {
        this.memory = memory;
        this.answers = answers;
        this.nanoTime = nanoTime;
    }

    /// A session; its set comes later than the session itself.
    static final class Session {
        private @Nullable NegentropyResponder responder;
        /// A message that came while the set was still being collected.
        private @Nullable Bytes early;
        private long memoryBytes;
        private long usedAt;

        private Session(long now) {
            this.usedAt = now;
        }
    }

    /// Opens a session without a set, in the place of an older one; the client is told if there is no room.
    Optional<Session> open(SubscriptionId id) {
        lock.lock();
        try {
            remove(id);
            if (open.size() >= SESSIONS_MAX) {
                answers.send(RelayMessage.negError(id, TOO_MANY));
                return Optional.empty();
            }
            var session = new Session(nanoTime.getAsLong());
            open.put(id, session);
            return Optional.of(session);
        } finally {
            lock.unlock();
        }
    }

    /// Gives a session its set and answers the first message.
    void begin(SubscriptionId id, Session session, NegentropyItems items, Bytes message) {
        lock.lock();
        try {
            if (open.get(id) != session) {
                return; // closed or replaced meanwhile
            }
            long bytes = items.memoryBytes();
            if (!memory.reserve(bytes)) {
                fail(id, BUSY);
                return;
            }
            session.memoryBytes = bytes;
            session.responder = new NegentropyResponder(items, NegentropyResponder.FRAME_BYTES_DEFAULT);
            respond(id, session, message);
            var early = session.early;
            session.early = null;
            if (early != null && open.get(id) == session) {
                respond(id, session, early);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Answers a further message. One may wait for the answer to the first.
    void go(SubscriptionId id, Bytes message) {
        lock.lock();
        try {
            var session = open.get(id);
            if (session == null) {
                fail(id, UNKNOWN);
            } else if (session.responder == null && session.early == null) {
                session.early = message;
            } else if (session.responder == null) {
                fail(id, UNANSWERED);
            } else {
                respond(id, session, message);
            }
        } finally {
            lock.unlock();
        }
    }

    private void respond(SubscriptionId id, Session session, Bytes message) {
        var responder = session.responder;
        if (responder == null) {
            return;
        }
        session.usedAt = nanoTime.getAsLong();
        switch (responder.respond(message)) {
            case Parsed.Valid<Bytes>(var answer) -> answers.send(new RelayMessage.NegMessage(id, answer));
            case Parsed.Invalid<Bytes>(var reason) -> fail(id, Refusal.invalid(reason));
        }
    }

    /// Ends a session that could not begin, unless it was replaced meanwhile.
    void fail(SubscriptionId id, Session session, RelayMessage.NegError reason) {
        lock.lock();
        try {
            if (open.get(id) == session) {
                remove(id);
                answers.send(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    private void fail(SubscriptionId id, Refusal reason) {
        remove(id);
        answers.send(RelayMessage.negError(id, reason));
    }

    /// Ends a session without a word.
    void end(SubscriptionId id) {
        lock.lock();
        try {
            remove(id);
        } finally {
            lock.unlock();
        }
    }

    /// Ends those that nobody has used for long.
    void look(long now) {
        lock.lock();
        try {
            var idle = open.entrySet().stream()
                    .filter(entry -> now - entry.getValue().usedAt >= IDLE_MAX.toNanos())
                    .map(Map.Entry::getKey)
                    .toList();
            idle.forEach(id -> fail(id, IDLE));
        } finally {
            lock.unlock();
        }
    }

    /// Ends all and says why.
    void endAll(Refusal reason) {
        lock.lock();
        try {
            List.copyOf(open.keySet()).forEach(id -> fail(id, reason));
        } finally {
            lock.unlock();
        }
    }

    /// The connection is over.
    void forgetAll() {
        lock.lock();
        try {
            List.copyOf(open.keySet()).forEach(this::remove);
        } finally {
            lock.unlock();
        }
    }

    private void remove(SubscriptionId id) {
        var session = open.remove(id);
        if (session != null) {
            memory.release(session.memoryBytes);
        }
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
