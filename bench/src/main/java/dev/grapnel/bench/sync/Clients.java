package dev.grapnel.bench.sync;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import dev.grapnel.bench.load.wire.RelayUrl;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Clients of a server on a thread of their own: one that sees everything new, and some that ask at a steady rate,
/// whether the last question was answered or not.
final class Clients implements AutoCloseable {
    private static final byte[] WATCH = ascii("[\"REQ\",\"w\",{\"kinds\":[1621,1111,1632,7],\"limit\":0}]");
    private static final byte[] ID = ascii("\"id\":\"");
    private static final byte[] REQ = ascii("[\"REQ\",\"q\",");
    private static final byte[] END = ascii("]");
    private static final byte[] CLOSE = ascii("[\"CLOSE\",\"q\"]");

    private final Loop loop = new Loop("clients");
    private final List<Asker> askers = new ArrayList<>();
    private final Supplier<String> questions;
    private final ObjLongConsumer<EventId> seen;
    private final long interval;
    private Samples latencies = new Samples();
    private long due;
    private long late;
    private int next;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// @param rate questions in a second
    /// @param questions filters, one after the other
    /// @param seen told of new events and when they came; on the thread of the clients
    Clients(RelayUrl url, int count, int rate, Supplier<String> questions, ObjLongConsumer<EventId> seen)
            throws IOException, InterruptedException {
        this.questions = questions;
        this.seen = seen;
        this.interval = 1_000_000_000L / Math.max(1, rate);
        var ready = new CompletableFuture<Boolean>();
        await(loop.call(() -> loop.connect(url, false, new Watcher(ready))));
        await(ready);
        for (int i = 0; i < count; i++) {
            var asker = new Asker();
            askers.add(asker);
            await(loop.call(() -> loop.connect(url, false, asker)));
            await(asker.ready);
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException("a client failed", e);
        }
    }

    /// Begins to ask.
    void start() {
        loop.execute(() -> {
            due = System.nanoTime();
            loop.turns(this::turn);
        });
    }

    private long turn(long now) {
        while (due - now <= 0) {
            var asker = askers.get(next);
            if (asker.isAsking) {
                late++; // asked when it has its answer, and its wait counts
            }
            asker.ask(due);
            next = (next + 1) % askers.size();
            due += interval;
        }
        return due;
    }

    /// What was measured since this was last asked.
    Samples take() throws IOException, InterruptedException {
        return await(loop.call(() -> {
            var taken = latencies;
            latencies = new Samples();
            return taken;
        }));
    }

    /// Questions that had to wait for the answer before them.
    long late() {
        return late;
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Watcher implements Peer {
        private final CompletableFuture<Boolean> ready;

        Watcher(CompletableFuture<Boolean> ready) {
            this.ready = ready;
        }

        @Override
        public void opened(Connection connection) {
            connection.send(WATCH);
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            switch (in[from + 3]) {
                case 'O' -> ready.complete(true); // EOSE
                case 'V' -> find(in, from, to).ifPresent(id -> seen.accept(id, now));
                default -> {
                    // AUTH, which nobody needs
                }
            }
        }

        private static Optional<EventId> find(byte[] in, int from, int to) {
            for (int at = from; at < to - ID.length - 64; at++) {
                if (in[at] == '"' && Arrays.equals(in, at, at + ID.length, ID, 0, ID.length)) {
                    int id = at + ID.length;
                    return Optional.of(new EventId(
                            Hex.word(in, id), Hex.word(in, id + 16), Hex.word(in, id + 32), Hex.word(in, id + 48)));
                }
            }
            return Optional.empty();
        }

        @Override
        public void closed(Connection connection, String reason) {
            ready.completeExceptionally(new IOException(reason));
            throw new IllegalStateException("the server hung up: " + reason);
        }
    }

    private final class Asker implements Peer {
        private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        private final List<Long> waiting = new ArrayList<>();
        private @Nullable Connection server;
        private boolean isAsking;
        private long asked;

        void ask(long at) {
            if (isAsking) {
                waiting.add(at);
                return;
            }
            isAsking = true;
            asked = at;
            if (server != null) {
                server.send(REQ, ascii(questions.get()), END);
            }
        }

        @Override
        public void opened(Connection connection) {
            server = connection;
            ready.complete(true);
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            boolean isEnd = in[from + 2] == 'E' && in[from + 3] == 'O';
            boolean isRefusal = in[from + 2] == 'C' || in[from + 2] == 'N';
            if (isRefusal) {
                throw new IllegalStateException("refused: " + new String(in, from, to - from, StandardCharsets.UTF_8));
            }
            if (isEnd) {
                latencies.add(now - asked);
                connection.send(CLOSE);
                isAsking = false;
                if (!waiting.isEmpty()) {
                    ask(waiting.removeFirst());
                }
            }
        }

        @Override
        public void closed(Connection connection, String reason) {
            ready.completeExceptionally(new IOException(reason));
            throw new IllegalStateException("the server hung up: " + reason);
        }
    }
}
