package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One WebSocket. To be touched on its loop's thread only.
public final class Connection implements FrameReader.Sink {
    private static final byte[] NOTHING = {};
    private static final byte[] NORMAL = {3, (byte) 232};
    private static final int MASK_KEY = 0x5ca1ab1e;

    private final Loop loop;
    private final SocketChannel channel;
    private final Side side;
    private final Peer peer;
    private final boolean compressed;
    private final Outbox out;
    private byte[] partial = NOTHING;
    private @Nullable FrameReader frames;
    private @Nullable Inflation inflation;
    private @Nullable SelectionKey key;
    private @Nullable Object attachment;
    private boolean dirty;
    private boolean ended;
    private long receivedAt;
    private long bytesIn;
    private long bytesOut;

    Connection(Loop loop, SocketChannel channel, Side side, Peer peer, boolean compressed) throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.side = side;
        this.peer = peer;
        this.compressed = compressed;
        this.out = new Outbox(side, MASK_KEY);
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /// Whatever the peer wants to find again.
    public Connection attach(Object object) {
        attachment = object;
        return this;
    }

    /// What was attached.
    public <T> T attachment(Class<T> type) {
        return type.cast(Objects.requireNonNull(attachment));
    }

    /// Sends a text message of several parts, at the latest when the loop has done its turn.
    public void send(byte[]... parts) {
        int length = 0;
        for (var part : parts) {
            length += part.length;
        }
        out.begin(Opcode.TEXT, length);
        for (var part : parts) {
            out.put(part);
        }
        sealed();
    }

    /// Sends a text message whose middle is written by its owner.
    public void send(byte[] before, int length, Outbox.Part middle, byte[] behind) {
        out.begin(Opcode.TEXT, before.length + length + behind.length);
        out.put(before);
        out.put(length, middle);
        out.put(behind);
        sealed();
    }

    private void sealed() {
        out.seal();
        markDirty();
    }

    /// Bytes that wait to be written because the other side does not read.
    public int waiting() {
        return out.size();
    }

    public boolean isOpen() {
        return !ended && frames != null;
    }

    /// Bytes received so far, frames and all.
    public long bytesIn() {
        return bytesIn;
    }

    /// Bytes sent so far, frames and all.
    public long bytesOut() {
        return bytesOut;
    }

    /// Ends the connection without telling the peer. The other side is told if it can be at once.
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        sayGoodbye();
        if (inflation != null) {
            inflation.close();
        }
        loop.forget(this);
        try {
            channel.close();
        } catch (IOException _) {
            /* it is gone, which is what close wants */
        }
    }

    private void sayGoodbye() {
        if (frames == null) {
            return;
        }
        out.begin(Opcode.CLOSE, NORMAL.length);
        out.put(NORMAL);
        out.seal();
        try {
            out.writeTo(channel);
        } catch (IOException _) {
            /* nobody listens */
        }
    }

    void registered(SelectionKey selectionKey) {
        key = selectionKey;
    }

    /// A client says its first words.
    void connected(RelayUrl url) {
        out.raw(Handshake.request(url, compressed));
        markDirty();
    }

    SocketChannel channel() {
        return channel;
    }

    void fail(String reason) {
        if (!ended) {
            close();
            peer.closed(this, reason);
        }
    }

    /// Reads what has come, behind what was left from the last time.
    ///
    /// @return how much of the buffer is in use because a message is not all there yet
    int readable(byte[] buffer, ByteBuffer view) throws IOException {
        int kept = partial.length;
        System.arraycopy(partial, 0, buffer, 0, kept);
        int count = channel.read(view.clear().position(kept));
        if (count < 0 && side == Side.SERVER && frames == null) {
            close(); // it has its document
            return 0;
        }
        if (count < 0) {
            fail("ended by the relay");
            return 0;
        }
        receivedAt = System.nanoTime();
        bytesIn += count;
        int end = kept + count;
        int done = frames == null ? greet(buffer, end) : frames.read(buffer, 0, end);
        partial = done == end || ended ? NOTHING : Arrays.copyOfRange(buffer, done, end);
        return partial.length;
    }

    private int greet(byte[] in, int end) throws IOException {
        int headEnd = Handshake.headEnd(in, 0, end);
        if (headEnd < 0) {
            if (end > Handshake.BYTES_MAX) {
                throw new IOException("the head of HTTP does not end");
            }
            return 0;
        }
        var head = new String(in, 0, headEnd, StandardCharsets.ISO_8859_1);
        if (side == Side.SERVER && Handshake.asksForDocument(head)) {
            out.raw(Handshake.document(peer.document()));
            markDirty();
            return end;
        }
        if (side == Side.SERVER) {
            out.raw(Handshake.response(head));
            markDirty();
        } else {
            var agreement = Handshake.agreement(head, compressed);
            inflation = agreement.compressed() ? new Inflation(agreement.forgets()) : null;
        }
        var reader = new FrameReader(side == Side.CLIENT ? Side.SERVER : Side.CLIENT, inflation, this);
        frames = reader;
        peer.opened(this);
        return reader.read(in, headEnd, end);
    }

    @Override
    public void message(byte[] in, int from, int to) {
        if (!ended) {
            peer.received(this, in, from, to, receivedAt);
        }
    }

    @Override
    public void ping(byte[] in, int from, int to) {
        out.begin(Opcode.PONG, to - from);
        out.put(Arrays.copyOfRange(in, from, to));
        sealed();
    }

    @Override
    public void closing(String reason) {
        fail(reason);
    }

    private void markDirty() {
        if (!dirty && !ended) {
            dirty = true;
            loop.dirty(this);
        }
    }

    /// Writes what waits, and asks to be called again if not all of it could be.
    void flush() throws IOException {
        dirty = false;
        if (ended || key == null) {
            return;
        }
        if (!out.isEmpty()) {
            bytesOut += out.writeTo(channel);
        }
        int interest = out.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }
}
