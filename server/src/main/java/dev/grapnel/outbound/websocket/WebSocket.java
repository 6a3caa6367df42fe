package dev.grapnel.outbound.websocket;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Line;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.websocket.CloseCode;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.FrameReader;
import dev.grapnel.websocket.Incoming;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// An open WebSocket. One thread receives and closes it; any may send, and end it through the
/// [dev.grapnel.outbound.Cancellation] it was opened with.
///
/// Who sends writes what waits, others' frames too, unless another sender does already: so nobody waits for a lock
/// while bytes go, and the receiving thread can answer pings. That one writes its own answers alone, and senders wait
/// until it has: what they have sent is on its way when they go on, and how much waits is known to them.
public final class WebSocket implements AutoCloseable {
    /// What a peer said.
    public sealed interface Heard {
        /// A whole text message; UTF-8.
        record Message(Incoming.Text text) implements Heard {}

        /// A whole message that is no text.
        record Binary() implements Heard {}

        /// A whole message that should be text and is not UTF-8.
        record Garbled() implements Heard {}

        /// It closed the connection, and was answered. Nothing more comes.
        record Closed(int code) implements Heard {}
    }

    /// Who writes what waits.
    private enum Writer {
        NOBODY,
        SENDER,
        RECEIVER
    }

    static final int BUFFER = 16 << 10;

    /// Pings and pongs in a time; whoever sends more wants to keep us busy.
    private static final int CONTROLS_MAX = 100;

    private static final Duration CONTROLS_TIME = Duration.ofSeconds(10);

    private final Line line;
    private final InputStream in;
    private final FrameReader reader;
    private final SocketLimits limits;
    private final RandomGenerator chance;
    private final LongSupplier nanoTime;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).flip();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Deque<byte[]> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private Writer writer = Writer.NOBODY;
    private boolean isEnded;
    private volatile long heardAt;
    private Optional<Heard.Closed> closed = Optional.empty();
    private long messageSince;
    private long workNanos;
    private long controlsSince;
    private int controls;

    WebSocket(
            Line line,
            InputStream in,
            FrameReader reader,
            SocketLimits limits,
            RandomGenerator chance,
            LongSupplier nanoTime) {
        this.line = line;
        this.in = in;
        this.reader = reader;
        this.limits = limits;
        this.chance = chance;
        this.nanoTime = nanoTime;
        this.heardAt = nanoTime.getAsLong();
    }

    // ---- receiving

    /// Waits for the next message; pings are answered on the way.
    ///
    /// @throws OutboundException if there is none: the connection is over then
    public Heard receive() throws IOException {
        messageSince = nanoTime.getAsLong();
        while (closed.isEmpty()) {
            switch (read()) {
                case Incoming.Incomplete _ -> fill();
                case Incoming.Text text -> {
                    return new Heard.Message(text);
                }
                case Incoming.Binary _ -> {
                    return new Heard.Binary();
                }
                case Incoming.Ping(var payload) -> {
                    countControl();
                    put(FrameHead.PONG, payload.toArray(), Writer.RECEIVER);
                }
                case Incoming.Pong _ -> countControl();
                case Incoming.Close(var code) -> {
                    closed = Optional.of(new Heard.Closed(code));
                    say(code, "");
                }
                // Whoever passes on what others wrote should not lose a connection by it: it is the reader who counts.
                case Incoming.Fault(var code, var _)
                when code == CloseCode.BAD_TEXT -> {
                    return new Heard.Garbled();
                }
                case Incoming.Fault(var code, var reason) -> throw fail(code, reason);
            }
        }
        return closed.get();
    }

    private Incoming read() {
        long begun = nanoTime.getAsLong();
        var incoming = reader.next(buffer);
        workNanos += nanoTime.getAsLong() - begun;
        return incoming;
    }

    /// How long putting messages together has taken since this was asked last; waiting for them is no work. By the
    /// thread that receives.
    public long takeWorkNanos() {
        long taken = workNanos;
        workNanos = 0;
        return taken;
    }

    /// Says that the message that was received last is not kept, or is counted elsewhere from here on. By the thread
    /// that receives.
    public void letGo() {
        reader.letGo();
    }

    private void fill() throws IOException {
        boolean isAmidst = reader.isAmidst();
        if (isAmidst
                && nanoTime.getAsLong() - messageSince >= limits.messageTime().toNanos()) {
            throw new OutboundException(new Failure.Timeout(Failure.Limit.RATE));
        }
        int count = in.read(buffer.array(), 0, buffer.capacity());
        if (count < 0) {
            throw new OutboundException(new Failure.Broken());
        }
        buffer.clear().limit(count);
        heardAt = nanoTime.getAsLong();
        if (!isAmidst) {
            messageSince = heardAt;
        }
    }

    private void countControl() throws OutboundException {
        long now = nanoTime.getAsLong();
        if (controls == 0 || now - controlsSince >= CONTROLS_TIME.toNanos()) {
            controls = 0;
            controlsSince = now;
        }
        if (++controls > CONTROLS_MAX) {
            say(CloseCode.POLICY, "there are too many pings");
            throw new OutboundException(new Failure.Flooded("pings"));
        }
    }

    /// The peer broke a rule: it is told so, and that is all.
    private OutboundException fail(int code, String reason) {
        say(code, reason);
        return new OutboundException(
                switch (code) {
                    case CloseCode.TOO_BIG -> new Failure.TooLarge("a message", limits.messageMax());
                    case CloseCode.TRY_LATER -> new Failure.Busy("too many messages are on their way here already");
                    default -> new Failure.Protocol(reason);
                });
    }

    private void say(int code, String reason) {
        try {
            put(FrameHead.CLOSE, FrameHead.closing(code, reason), Writer.RECEIVER);
        } catch (IOException _) {
            // it does not even take this; what it did before is the news
        }
    }

    /// When something came last, by the clock of the dialer.
    public long heardAt() {
        return heardAt;
    }

    // ---- sending

    /// Sends a text message. It may go a little later, if another thread sends.
    ///
    /// @throws OutboundException if the connection is over, or as much waits to be sent as may
    public void send(Bytes text) throws IOException {
        put(FrameHead.TEXT, text.toArray(), Writer.SENDER);
    }

    /// Asks the peer whether it is there; its answer is seen by [#heardAt].
    ///
    /// @throws OutboundException as [#send]
    public void ping() throws IOException {
        put(FrameHead.PING, new byte[0], Writer.SENDER);
    }

    /// Says that nothing more is sent; [#receive] then tells when the peer has agreed. Said once, whoever says it.
    ///
    /// @throws OutboundException as [#send]
    public void bid(int code) throws IOException {
        put(FrameHead.CLOSE, FrameHead.closing(code, ""), Writer.SENDER);
    }

    private void put(int kind, byte[] payload, Writer by) throws IOException {
        var frame = FrameHead.masked(FrameHead.FINAL | kind, payload, chance.nextInt());
        if (list(frame, kind == FrameHead.CLOSE, by)) {
            write();
        }
    }

    /// @return whether the caller is to write
    private boolean list(byte[] frame, boolean isLast, Writer by) throws OutboundException {
        lock.lock();
        try {
            while (by == Writer.SENDER && writer == Writer.RECEIVER && !isEnded) {
                answered.awaitUninterruptibly(); // its wait is limited, and whatever ends it ends this
            }
            if (isEnded) {
                if (isLast) {
                    return false; // said already
                }
                throw new OutboundException(new Failure.Broken());
            }
            if (unsentBytes > 0 && unsentBytes + frame.length > limits.unsentMax()) {
                throw new OutboundException(new Failure.Busy("as much waits to be sent to this server as may"));
            }
            isEnded = isLast;
            unsent.add(frame);
            unsentBytes += frame.length;
            boolean isMine = writer == Writer.NOBODY;
            if (isMine) {
                writer = by;
            }
            return isMine;
        } finally {
            lock.unlock();
        }
    }

    private void write() throws IOException {
        boolean done = false;
        try {
            for (var next = take(); next.isPresent(); next = take()) {
                line.output().write(next.get());
            }
            done = true;
        } finally {
            if (!done) {
                end();
            }
        }
    }

    private Optional<byte[]> take() {
        lock.lock();
        try {
            var next = Optional.ofNullable(unsent.poll());
            unsentBytes -= next.map(frame -> frame.length).orElse(0);
            if (next.isEmpty()) {
                writer = Writer.NOBODY;
                answered.signalAll();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            isEnded = true;
            unsent.clear();
            answered.signalAll();
        } finally {
            lock.unlock();
        }
        line.close();
    }

    /// Bytes that came, those of the handshake included.
    public long bytesReceived() {
        return line.bytesReceived();
    }

    /// Whom it leads to, as [Line#machine] names it.
    public String machine() {
        return line.machine();
    }

    /// Hangs up at once, whatever was said before. By the thread that receives.
    @Override
    public void close() {
        end();
        reader.close();
    }
}
