package dev.grapnel.outbound.http;

import java.io.IOException;
import java.io.OutputStream;

/// What is sent with a request.
public sealed interface Body {
    /// Nothing.
    record None() implements Body {}

    /// So many bytes and not one more or less.
    record Sized(long length, Writer writer) implements Body {}

    /// As many as there are: sent in chunks.
    record Chunked(Writer writer) implements Body {}

    /// Writes a body, once, as fast as the peer takes it.
    @FunctionalInterface
    interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    /// Bytes that are there already.
    static Body of(byte[] bytes) {
        var copy = bytes.clone();
        return new Sized(copy.length, out -> out.write(copy));
    }
}
