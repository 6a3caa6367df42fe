package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Writes everything, where a channel may write a part.
final class FullWrites {
    private FullWrites() {}

    static void append(FileChannel file, byte[] bytes, int length) throws IOException {
        var buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    static void put(FileChannel file, long at, byte[] bytes, int length) throws IOException {
        var buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            file.write(buffer, at + buffer.position());
        }
    }
}
