package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A thread that serves many connections: reads what has come, lets the scenario have its turn, writes what is
/// to be sent. Whatever happens in one turn goes out in one write per connection.
public final class Loop implements AutoCloseable {
    /// Whoever never wants a turn.
    public static final long NEVER = Long.MAX_VALUE;

    private static final int BUFFER = 256 << 10;

    private final Selector selector;
    private final Thread thread;
    private final Alarm alarm;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Connection> connections = new HashSet<>();
    private List<Connection> dirty = new ArrayList<>();
    private List<Connection> flushing = new ArrayList<>();
    private byte[] buffer = new byte[BUFFER];
    private ByteBuffer view = ByteBuffer.wrap(buffer);
    private Turn turn = _ -> NEVER;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /// Starts it.
    public Loop(String name) throws IOException {
        selector = Selector.open();
        alarm = new Alarm(name + "-alarm", selector::wakeup);
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /// Something to do in every turn.
    public interface Turn {
        /// Does what is due.
        ///
        /// @return when to be called at the latest, as of [System#nanoTime], or [#NEVER]
        long take(long now);
    }

    /// Does something on the loop's thread.
    public <T> CompletableFuture<T> call(Callable<T> work) {
        var result = new CompletableFuture<T>();
        tasks.add(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        selector.wakeup();
        var broken = failure;
        if (broken != null) {
            result.completeExceptionally(broken);
        }
        return result;
    }

    /// Does something on the loop's thread; if it fails, the loop ends.
    public void execute(Runnable work) {
        tasks.add(work);
        selector.wakeup();
    }

    /// Fails with what ended the loop, if something did.
    public void requireRunning() {
        var broken = failure;
        if (broken != null) {
            throw new IllegalStateException("a thread of the load tool has failed", broken);
        }
    }

    /// Sets what to do in every turn. On the loop's thread.
    public void turns(Turn next) {
        turn = next;
    }

    /// Begins to connect. On the loop's thread.
    public Connection connect(RelayUrl url, boolean compressed, Peer peer) throws IOException {
        var channel = SocketChannel.open();
        var connection = new Connection(this, channel, Side.CLIENT, peer, compressed);
        connections.add(connection);
        boolean connected = channel.connect(url.address());
        int interest = connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
        connection.registered(channel.register(selector, interest, connection));
        connection.connected(url);
        return connection;
    }

    /// Serves whoever connects.
    public void listen(ServerSocketChannel listener, Supplier<Peer> peers) throws IOException {
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT, peers);
        selector.wakeup();
    }

    /// Ends all connections without telling their peers. On the loop's thread.
    public void closeAll() {
        List.copyOf(connections).forEach(Connection::close);
    }

    /// All connections of this loop.
    public Set<Connection> connections() {
        return Set.copyOf(connections);
    }

    void dirty(Connection connection) {
        dirty.add(connection);
    }

    void forget(Connection connection) {
        connections.remove(connection);
    }

    private void run() {
        try (selector) {
            while (!stopped) {
                takeTurn();
            }
            closeAll();
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            closeAll();
        }
    }

    private void takeTurn() throws IOException {
        for (var task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        long now = System.nanoTime();
        long next = turn.take(now);
        flush();
        if (next != NEVER && next - now <= 0) {
            selector.selectNow(this::ready);
        } else {
            if (next != NEVER) {
                alarm.set(next);
            }
            selector.select(this::ready);
        }
    }

    private void flush() {
        while (!dirty.isEmpty()) {
            var due = dirty;
            dirty = flushing;
            flushing = due;
            for (var connection : due) {
                if (!connection.channel().isConnectionPending()) {
                    guard(connection, connection::flush);
                }
            }
            due.clear();
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) {
            guard(connection, () -> serve(key, connection));
        } else {
            accept(key);
        }
    }

    private void serve(SelectionKey key, Connection connection) throws IOException {
        if (key.isConnectable() && connection.channel().finishConnect()) {
            connection.flush();
        } else if (key.isReadable()) {
            int kept = connection.readable(buffer, view);
            if (2 * kept > buffer.length) {
                buffer = new byte[2 * buffer.length];
                view = ByteBuffer.wrap(buffer);
            }
        }
        if (key.isValid() && key.isWritable()) {
            connection.flush();
        }
    }

    private void accept(SelectionKey key) {
        try {
            @SuppressWarnings("unchecked") // only listen registers such keys
            var peers = (Supplier<Peer>) key.attachment();
            var channel = ((ServerSocketChannel) key.channel()).accept();
            if (channel != null) {
                var connection = new Connection(this, channel, Side.SERVER, peers.get(), false);
                connections.add(connection);
                connection.registered(channel.register(selector, SelectionKey.OP_READ, connection));
            }
        } catch (IOException _) {
            /* the client has gone already */
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void guard(Connection connection, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            connection.fail(String.valueOf(e.getMessage()));
        } catch (CancelledKeyException _) {
            connection.fail("closed");
        }
    }

    @Override
    public void close() {
        stopped = true;
        selector.wakeup();
        alarm.close();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
