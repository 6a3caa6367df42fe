package dev.grapnel.server.sync;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.websocket.WebSocket;
import dev.grapnel.websocket.CloseCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// What is to be sent over one connection. Whoever adds something never waits: a thread writes as long as there is
/// something, and ends.
final class Outgoing {
    /// One thing to send.
    sealed interface Item {
        /// A message.
        ///
        /// @param written told when it has gone
        record Text(Bytes text, Runnable written) implements Item {}

        record Ping() implements Item {}

        /// The last one.
        record Farewell() implements Item {}

        private long bytes() {
            return switch (this) {
                case Text(var text, var _) -> text.length();
                case Ping _, Farewell _ -> 0;
            };
        }
    }

    /// How much may wait.
    ///
    /// @param own bytes of one connection
    /// @param total bytes of all together
    record Limits(long own, long total) {
        /// What a relay can be asked at once (R3.17), and some more.
        static final Limits DEFAULTS = new Limits(8L << 20, 128L << 20);
    }

    private final WebSocket socket;
    private final Limits limits;
    private final AtomicLong total;
    private final Executor threads;
    private final Consumer<Failure> failed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Item> waiting = new ArrayDeque<>();
    private long bytes;
    private boolean isWriting;
    private boolean isOver;

    /// @param total bytes that wait, counted over all connections
    /// @param failed told once, if nothing more can be sent
    Outgoing(WebSocket socket, Limits limits, AtomicLong total, Executor threads, Consumer<Failure> failed) {
        this.socket = socket;
        this.limits = limits;
        this.total = total;
        this.threads = threads;
        this.failed = failed;
    }

    void add(Item item) {
        boolean isFull = false;
        boolean begins = false;
        lock.lock();
        try {
            if (isOver) {
                return; // the end of the connection is told by who receives
            }
            isFull = item.bytes() > 0
                    && bytes > 0
                    && (bytes + item.bytes() > limits.own() || total.get() + item.bytes() > limits.total());
            if (!isFull) {
                waiting.add(item);
                count(item.bytes());
                begins = !isWriting;
                isWriting = true;
            }
        } finally {
            lock.unlock();
        }
        if (isFull) {
            end(new Failure.Busy("as much waits to be sent to this relay as may"));
        } else if (begins) {
            begin();
        }
    }

    private void begin() {
        try {
            threads.execute(this::write);
        } catch (RejectedExecutionException _) {
            forget(); // the server stops, and with it the connection
        }
    }

    private void write() {
        for (var next = take(); next.isPresent(); next = take()) {
            try {
                send(next.get());
            } catch (OutboundException e) {
                end(e.failure());
            } catch (IOException _) {
                end(new Failure.Broken());
            }
        }
    }

    private void send(Item item) throws IOException {
        switch (item) {
            case Item.Text(var text, var written) -> {
                socket.send(text);
                written.run();
            }
            case Item.Ping _ -> socket.ping();
            case Item.Farewell _ -> socket.bid(CloseCode.NORMAL);
        }
    }

    private Optional<Item> take() {
        lock.lock();
        try {
            var next = Optional.ofNullable(waiting.poll());
            next.ifPresent(item -> count(-item.bytes()));
            isWriting = next.isPresent();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void count(long more) {
        bytes += more;
        total.addAndGet(more);
    }

    private void end(Failure failure) {
        if (forget()) {
            failed.accept(failure);
        }
    }

    /// Nothing more is sent.
    ///
    /// @return whether something could have been
    boolean forget() {
        lock.lock();
        try {
            boolean wasOpen = !isOver;
            isOver = true;
            waiting.clear();
            count(-bytes);
            return wasOpen;
        } finally {
            lock.unlock();
        }
    }
}
