package dev.grapnel.server.websocket;

import dev.grapnel.websocket.CloseCode;
import dev.grapnel.websocket.FrameReader;
import dev.grapnel.websocket.Incoming;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One WebSocket. Reads on the thread Jetty gives, message by message; writes what is queued in as few pieces
/// as possible, on whatever thread asks for it. Between messages it keeps neither thread nor buffer.
public final class WebSocketConnection extends AbstractConnection implements Connection.UpgradeTo, Peer {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketConnection.class);
    private static final int READ_BYTES = 16 << 10;
    private static final int WRITE_BYTES = 64 << 10;
    /// When many write at once, to readers that take nothing.
    private static final int WRITE_BYTES_LEAST = 4 << 10;

    private static final long NOT_WANTED = -1;
    /// For what stands before a Close, as long as the peer takes it.
    private static final Duration FLUSH_MAX = Duration.ofSeconds(10);
    /// How long a reader may take nothing while memory is short.
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(5);

    /// What all connections share.
    ///
    /// @param tasks where work is done that the calling thread has no time for
    /// @param arrivals memory for messages that have not come completely
    /// @param departures memory for messages that have not been sent
    /// @param writing memory for what is being written
    public record Commons(
            WebSocketConfig config,
            Executor tasks,
            Inflation inflation,
            Deflation deflation,
            MemoryBudget arrivals,
            MemoryBudget departures,
            MemoryBudget writing,
            LongSupplier nanoTime,
            ConnectionWatch watch) {}

    private final ByteBufferPool buffers;
    private final Commons commons;
    private final boolean compresses;
    private final FrameReader reader;
    private final Outbox outbox;
    private final Sender sender = new Sender();
    private final Conversation conversation;
    private final AtomicBoolean paused = new AtomicBoolean();
    private final AtomicBoolean flushWanted = new AtomicBoolean();
    private final AtomicLong drainWanted = new AtomicLong(NOT_WANTED);
    private final AtomicBoolean over = new AtomicBoolean();
    private @Nullable RetainableByteBuffer unread;
    private volatile boolean opened;
    private volatile boolean deaf;
    private volatile boolean peerClosed;
    private final ReentrantLock readerLock = new ReentrantLock();
    private volatile long heardAt;
    private volatile long toldAt;
    private volatile long pingedAt;
    private volatile long closedAt;
    private volatile boolean closing;
    private volatile boolean closeWritten;
    private volatile boolean cut;

    /// @param compresses whether compression was agreed on
    /// @param conversation makes what is said, given this peer
    public WebSocketConnection(
            EndPoint endPoint,
            Executor executor,
            ByteBufferPool buffers,
            Commons commons,
            boolean compresses,
            Function<Peer, Conversation> conversation) {
        super(endPoint, executor);
        this.buffers = buffers;
        this.commons = commons;
        this.compresses = compresses;
        this.reader = new FrameReader(
                FrameReader.Sender.CLIENT,
                commons.config().messageMax(),
                compresses,
                commons.inflation(),
                commons.arrivals());
        this.outbox = new Outbox(commons.departures());
        this.heardAt = commons.nanoTime().getAsLong();
        this.pingedAt = heardAt;
        this.toldAt = heardAt;
        this.conversation = conversation.apply(this);
    }

    /// The upgrade has failed: nothing will be said.
    public void abandon() {
        end();
    }

    // ---- reading

    @Override
    public void onUpgradeTo(ByteBuffer alreadyRead) {
        if (alreadyRead.hasRemaining()) {
            var buffer = buffers.acquire(alreadyRead.remaining(), false);
            BufferUtil.append(buffer.getByteBuffer(), alreadyRead);
            unread = buffer;
        }
    }

    @Override
    public void onOpen() {
        super.onOpen();
        getEndPoint().setIdleTimeout(0); // the watch does that
        commons.watch().add(this);
        opened = true;
        flush(); // what a conversation says first
        readOn();
    }

    @Override
    public void onFillable() {
        readOn();
    }

    /// Reads until there is nothing, or until there is too much.
    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread that computes is not interrupted by its scheduler
    private void readOn() {
        try {
            while (!over.get()) {
                if (unread == null && !fill()) {
                    return;
                }
                if (!understand()) {
                    return;
                }
                flush();
                Thread.yield(); // others wait for this carrier
            }
        } catch (RuntimeException | Error problem) { // the thread's top: whatever it is ends this connection only
            LOG.error("connection failed", problem);
            close(CloseCode.INTERNAL_ERROR, "internal error");
            deaf = true;
            releaseUnread();
            if (!over.get()) {
                fillInterested();
            }
        }
    }

    /// Gets what has come. False if there is nothing: then Jetty will call, or the connection is over.
    private boolean fill() {
        var buffer = buffers.acquire(READ_BYTES, true);
        int count;
        try {
            count = getEndPoint().fill(buffer.getByteBuffer());
        } catch (IOException e) {
            LOG.debug("connection broke reason={}", e.getMessage());
            count = -1;
        }
        if (count > 0) {
            heardAt = commons.nanoTime().getAsLong();
            unread = buffer;
            return true;
        }
        buffer.release();
        if (count < 0) {
            end();
        } else {
            fillInterested();
        }
        return false;
    }

    /// Handles what was got. False if the conversation has had enough for now: then it says when to go on.
    private boolean understand() {
        var buffer = unread;
        if (buffer == null) {
            return true;
        }
        while (!deaf) {
            if (conversation.isSaturated() && pause()) {
                return false;
            }
            var incoming = next(buffer.getByteBuffer());
            if (incoming instanceof Incoming.Incomplete) {
                break;
            }
            handle(incoming);
        }
        releaseUnread();
        return true;
    }

    /// The connection may end on another thread meanwhile, which gives back what the reader keeps.
    private Incoming next(ByteBuffer bytes) {
        readerLock.lock();
        try {
            var incoming = over.get() ? Incoming.INCOMPLETE : reader.next(bytes);
            reader.letGo(); // what is made of it is counted where it waits
            return incoming;
        } finally {
            readerLock.unlock();
        }
    }

    /// True if whoever relieves the conversation will go on; false if that has happened meanwhile.
    private boolean pause() {
        flush();
        paused.set(true);
        return conversation.isSaturated() || !paused.compareAndSet(true, false);
    }

    @Override
    public void resumeReading() {
        if (paused.compareAndSet(true, false)) {
            commons.tasks().execute(this::readOn);
        }
    }

    @Override
    public void stopReading() {
        deaf = true;
    }

    private void releaseUnread() {
        var buffer = unread;
        unread = null;
        if (buffer != null) {
            buffer.release();
        }
    }

    private void handle(Incoming incoming) {
        switch (incoming) {
            case Incoming.Incomplete _, Incoming.Pong _ -> {}
            case Incoming.Text text -> {
                toldAt = commons.nanoTime().getAsLong();
                conversation.text(text.bytes(), text.length());
            }
            case Incoming.Binary _ -> conversation.binary();
            case Incoming.Ping(var payload) -> outbox.pong(payload);
            case Incoming.Close(var code) -> {
                peerClosed = true;
                deaf = true;
                close(code, "");
            }
            case Incoming.Fault(var code, var reason) -> {
                deaf = true;
                close(code, reason);
            }
        }
    }

    // ---- writing

    @Override
    public void send(@Nullable FrameOwner owner, byte[] text) {
        outbox.add(compresses ? Frame.compressedText(owner, text, commons.deflation()) : Frame.text(owner, text));
    }

    @Override
    public void send(FrameOwner owner, byte[] prefix, SharedText shared) {
        outbox.add(
                compresses
                        ? Frame.compressedShared(owner, prefix, shared, commons.deflation())
                        : Frame.shared(owner, prefix, shared));
    }

    @Override
    public void takeBack() {
        outbox.removeOver();
    }

    @Override
    public long unsent() {
        return outbox.unsent();
    }

    @Override
    public long unsentMemory() {
        return outbox.memoryBytes();
    }

    @Override
    public boolean isMemoryShort() {
        return commons.departures().isOverdrawn();
    }

    /// Before the answer to the request is written, nothing else is.
    @Override
    public void flush() {
        if (opened) {
            sender.iterate();
        }
    }

    @Override
    public void flushSoon() {
        if (flushWanted.compareAndSet(false, true)) {
            commons.tasks().execute(() -> {
                flushWanted.set(false);
                flush();
            });
        }
    }

    @Override
    public boolean awaitDrained(long bytes) {
        drainWanted.set(bytes);
        return outbox.unsent() > bytes || !drainWanted.compareAndSet(bytes, NOT_WANTED);
    }

    private void tellIfDrained() {
        long wanted = drainWanted.get();
        if (outbox.unsent() <= wanted && drainWanted.compareAndSet(wanted, NOT_WANTED)) {
            conversation.drained();
        }
    }

    // ---- ending

    @Override
    public void close(int code, String reason) {
        finish(code, reason, false);
    }

    @Override
    public void cut(int code, String reason) {
        cut = true;
        deaf = true;
        finish(code, reason, true);
    }

    private void finish(int code, String reason, boolean discards) {
        if (outbox.end(Frame.close(code, reason), discards)) {
            closedAt = commons.nanoTime().getAsLong();
            closing = true;
        }
        flushSoon();
    }

    /// What is queued was written; if a Close was the last of it, the peer's is waited for.
    private void written() {
        if (!outbox.isEnded() || !outbox.isEmpty()) {
            return;
        }
        if (peerClosed || cut) {
            end();
        } else if (!closeWritten) {
            closedAt = commons.nanoTime().getAsLong();
            closeWritten = true;
            getEndPoint().shutdownOutput();
        }
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            deaf = true;
            commons.watch().remove(this);
            getEndPoint().close();
            forgetReader();
            outbox.forget();
            if (paused.compareAndSet(true, false)) {
                releaseUnread(); // nobody else is reading
            }
            conversation.ended();
        }
    }

    private void forgetReader() {
        readerLock.lock();
        try {
            reader.close();
        } finally {
            readerLock.unlock();
        }
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        end();
        super.onClose(cause);
    }

    /// Looks at what depends on time: called again and again, from one thread.
    void look(long now) {
        var config = commons.config();
        if (closing) {
            lookAtEnd(now);
            return;
        }
        boolean takes = sender.look(now);
        if (sender.isStalled(now, isMemoryShort() ? SHORT_PATIENCE : config.stallMax())) {
            cut(CloseCode.POLICY, "nothing was taken for too long");
            return;
        }
        if (takes || paused.get()) {
            heardAt = now; // it reads what was sent before our ping, or we do not read its pong
        }
        long silence = now - heardAt;
        if (silence >= 2 * config.pingInterval().toNanos()) {
            end();
        } else if (now - toldAt >= config.idleMax().toNanos() && conversation.isIdle()) {
            close(CloseCode.NORMAL, "idle");
        } else if (silence >= config.pingInterval().toNanos() && pingedAt - heardAt <= 0) {
            pingedAt = now;
            outbox.add(Frame.ping());
            flushSoon();
        }
        conversation.look(now);
    }

    /// Whoever takes what stands before the Close gets some time for it.
    private void lookAtEnd(long now) {
        boolean _ = sender.look(now);
        var patience = commons.config().closeMax();
        boolean flushes = !closeWritten && !cut && !sender.isStalled(now, patience);
        if (now - closedAt >= (flushes ? FLUSH_MAX : patience).toNanos()) {
            end();
        }
    }

    /// Copies what is queued into one buffer at a time and writes it.
    private final class Sender extends IteratingCallback {
        private @Nullable RetainableByteBuffer buffer;
        private int reserved;
        private int writing;
        /// For the watch: how much of the buffer was not taken when it last looked, and since when.
        private volatile @Nullable ByteBuffer current;

        private long seenAt;
        private int seenRemaining = -1;
        private final AtomicInteger round = new AtomicInteger();
        private int seenRound;

        @Override
        protected Action process() {
            if (outbox.isEmpty()) {
                releaseBuffer();
                tellIfDrained(); // what was queued may have been taken back
                written();
                return Action.IDLE;
            }
            var target = buffer;
            if (target == null) {
                target = buffers.acquire(bufferBytes(), true);
                buffer = target;
            }
            var bytes = target.getByteBuffer();
            BufferUtil.clearToFill(bytes);
            outbox.fill(bytes);
            BufferUtil.flipToFlush(bytes, 0);
            writing = bytes.remaining();
            round.incrementAndGet();
            current = bytes;
            getEndPoint().write(this, bytes);
            return Action.SCHEDULED;
        }

        private int bufferBytes() {
            int wanted = (int) Math.min(WRITE_BYTES, outbox.unsent() + 256);
            if (wanted <= WRITE_BYTES_LEAST) {
                return WRITE_BYTES_LEAST;
            }
            if (!commons.writing().reserve(wanted)) {
                return WRITE_BYTES_LEAST;
            }
            reserved = wanted;
            return wanted;
        }

        @Override
        protected void onSuccess() {
            current = null;
            outbox.sent(writing);
            tellIfDrained();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            LOG.debug("connection broke while writing reason={}", cause.getMessage());
            current = null;
            releaseBuffer();
            end();
        }

        private void releaseBuffer() {
            var old = buffer;
            buffer = null;
            if (old != null) {
                old.release();
                commons.writing().release(reserved);
                reserved = 0;
            }
        }

        /// Looks how far writing has come; true if the peer has taken some of what waited for it.
        boolean look(long now) {
            var bytes = current;
            int remaining = bytes == null ? -1 : bytes.remaining();
            int turn = round.get();
            boolean waited = seenRemaining >= 0;
            boolean same = remaining == seenRemaining && turn == seenRound;
            if (remaining < 0 || !same) {
                seenAt = now;
                seenRemaining = remaining;
                seenRound = turn;
            }
            return waited && !same;
        }

        /// Whether the peer has taken nothing for too long.
        boolean isStalled(long now, Duration most) {
            return seenRemaining >= 0 && now - seenAt >= most.toNanos();
        }
    }
}
