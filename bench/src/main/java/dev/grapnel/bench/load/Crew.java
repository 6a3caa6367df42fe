package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/// A scenario's share of one thread: its connections and what is counted about them.
abstract class Crew implements Peer {
    /// Connections under way at once, so that no relay's queue of new ones overflows.
    private static final int OPENING_MAX = 64;

    private final Loop loop;
    private final Target target;
    private final boolean compressed;
    private final Surprises surprises;
    private final List<Connection> connections = new ArrayList<>();
    private final CompletableFuture<Boolean> allOpen = new CompletableFuture<>();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final AtomicLong progress = new AtomicLong();
    private final AnswerScan scan = new AnswerScan();
    private int wanted;
    private int begun;

    Crew(Loop loop, Target target, boolean compressed, Surprises surprises) {
        this.loop = loop;
        this.target = target;
        this.compressed = compressed;
        this.surprises = surprises;
    }

    /// Opens so many connections, a few at a time.
    final CompletableFuture<Boolean> open(int count) {
        wanted = count;
        if (count == 0) {
            allOpen.complete(true);
        }
        loop.execute(() -> {
            for (int i = 0; i < Math.min(OPENING_MAX, wanted); i++) {
                openNext();
            }
        });
        return allOpen;
    }

    private void openNext() {
        if (begun == wanted) {
            return;
        }
        begun++;
        try {
            loop.connect(target.url(), compressed, this);
        } catch (IOException | RuntimeException e) {
            allOpen.completeExceptionally(new IOException(target.name() + " cannot be reached", e));
        }
    }

    @Override
    public final void opened(Connection connection) {
        connections.add(connection);
        ready(connection, connections.size() - 1);
        progress();
        openNext();
        if (connections.size() == wanted) {
            allOpen.complete(true);
        }
    }

    @Override
    public final void closed(Connection connection, String reason) {
        if (allOpen.isDone()) {
            surprises.add("connection lost", reason);
            lost(connection);
        } else {
            allOpen.completeExceptionally(new IOException(
                    target.name() + ": " + reason + ", after " + connections.size() + " connections were opened"));
        }
    }

    @Override
    public final void received(Connection connection, byte[] in, int from, int to, long now) {
        var type = scan.read(in, from, to);
        answered(connection, type, scan, to - from, now);
    }

    /// A connection is open; `number` counts those of this crew.
    abstract void ready(Connection connection, int number);

    /// A message came.
    abstract void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now);

    /// A connection was lost; the surprise is counted already.
    abstract void lost(Connection connection);

    /// Counts a message that should not have come. AUTH is an offer: who is not asked for more need not take
    /// it.
    final void surprise(AnswerType type, AnswerScan answer) {
        if (type != AnswerType.AUTH) {
            surprises.add(type.name(), answer.example());
        }
    }

    final Surprises surprises() {
        return surprises;
    }

    final Loop loop() {
        return loop;
    }

    final List<Connection> connections() {
        return connections;
    }

    /// Says that something moves.
    final void progress() {
        progress.lazySet(progress.get() + 1);
    }

    final long progressMade() {
        return progress.get();
    }

    final CompletableFuture<Boolean> done() {
        return done;
    }
}
