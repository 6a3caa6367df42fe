package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Writes one message: the version byte, then ranges.
final class MessageWriter {
    /// The most a bound and a mode can take.
    private static final int HEAD_BYTES_MAX = Varint.BYTES_MAX + 1 + EventId.BYTES + 1;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] out = new byte[256];
    private int size;
    private long previousTimestamp;

    MessageWriter() {
        out[size++] = Version.V1_BYTE;
    }

    int size() {
        return size;
    }

    /// Takes back everything after a size. Only a bound at infinity may follow, because times are not taken back.
    void truncate(int length) {
        size = length;
    }

    void skip(Bound bound) {
        reserve(HEAD_BYTES_MAX);
        head(bound, Range.MODE_SKIP);
    }

    void fingerprint(Bound bound, Fingerprint fingerprint) {
        reserve(HEAD_BYTES_MAX + Fingerprint.BYTES);
        head(bound, Range.MODE_FINGERPRINT);
        BIG_ENDIAN.set(out, size, fingerprint.high());
        BIG_ENDIAN.set(out, size + 8, fingerprint.low());
        size += Fingerprint.BYTES;
    }

    void idList(Bound bound, NegentropyItems items, int from, int to) {
        reserve(HEAD_BYTES_MAX + Varint.BYTES_MAX + (to - from) * EventId.BYTES);
        head(bound, Range.MODE_ID_LIST);
        varint(to - from);
        for (int i = from; i < to; i++) {
            items.id(i).writeBytes(out, size);
            size += EventId.BYTES;
        }
    }

    Bytes toBytes() {
        return Bytes.copyOf(out, 0, size);
    }

    private void head(Bound bound, int mode) {
        varint(bound.isInfinity() ? 0 : bound.timestamp() - previousTimestamp + 1);
        previousTimestamp = bound.timestamp();
        varint(bound.prefixBytes());
        prefix(bound);
        varint(mode);
    }

    /// Writes the whole id and keeps its beginning: there is room, and it saves taking words apart.
    private void prefix(Bound bound) {
        bound.prefix().writeBytes(out, size);
        size += bound.prefixBytes();
    }

    private void varint(long value) {
        size = Varint.write(value, out, size);
    }

    private void reserve(int more) {
        if (more > out.length - size) {
            out = Arrays.copyOf(out, Math.max(size + more, out.length + (out.length >> 1)));
        }
    }
}
