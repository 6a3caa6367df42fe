package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Lines in both directions. Each direction is used by one thread at a time.
final class LineChannel implements AutoCloseable {
    private static final int BUFFER_BYTES = 8 << 10;

    private final SocketChannel channel;
    private final ByteBuffer arrived = ByteBuffer.allocate(BUFFER_BYTES).flip();

    LineChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /// What comes next.
    sealed interface Line {
        /// A line, without its end.
        @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
        record Whole(byte[] bytes) implements Line {}

        /// More than is read.
        record TooLong() implements Line {}

        /// The other end has closed.
        record End() implements Line {}
    }

    /// Waits for the next line.
    Line read(int bytesMax) throws IOException {
        var line = new ByteArrayOutputStream();
        while (true) {
            while (arrived.hasRemaining()) {
                byte next = arrived.get();
                if (next == '\n') {
                    return new Line.Whole(line.toByteArray());
                }
                if (line.size() == bytesMax) {
                    return new Line.TooLong();
                }
                line.write(next);
            }
            arrived.clear();
            int count = channel.read(arrived);
            arrived.flip();
            if (count < 0) {
                return new Line.End();
            }
        }
    }

    /// Sends a line, which waits for the other end to make room.
    void write(JsonWriter json) throws IOException {
        var bytes = ByteBuffer.wrap(json.raw("\n").toArray());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
