package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/// Writes fields, each as number, length and bytes. What it writes [Value] reads. A field may be written any
/// number of times: that is a list.
final class FieldWriter {
    static final int OID_BYTES = 20;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    FieldWriter put(Field field, byte[] bytes) {
        Varint.write(field.number(), out);
        Varint.write(bytes.length, out);
        out.writeBytes(bytes);
        return this;
    }

    FieldWriter put(Field field, Bytes bytes) {
        return put(field, bytes.toArray());
    }

    FieldWriter put(Field field, String text) {
        return put(field, text.getBytes(StandardCharsets.UTF_8));
    }

    FieldWriter put(Field field, long number) {
        var bytes = new ByteArrayOutputStream(10);
        Varint.write(number, bytes);
        return put(field, bytes.toByteArray());
    }

    /// Milliseconds since the epoch; see [Millis].
    FieldWriter put(Field field, Instant time) {
        return put(field, time.toEpochMilli());
    }

    FieldWriter put(Field field, Coded constant) {
        return put(field, constant.code());
    }

    FieldWriter put(Field field, Word256 word) {
        return put(field, word.toBytes());
    }

    FieldWriter put(Field field, Oid oid) {
        return put(field, oidBytes(oid, 0).array());
    }

    FieldWriter put(Field field, RefName ref, Oid oid) {
        var name = ref.text().getBytes(StandardCharsets.UTF_8);
        return put(field, oidBytes(oid, name.length).put(name).array());
    }

    FieldWriter put(Field field, Event event) {
        return put(field, event.json());
    }

    /// Writes only what is true: false is what a missing field means.
    FieldWriter putFlag(Field field, boolean flag) {
        return flag ? put(field, 1) : this;
    }

    /// Fields inside a field.
    FieldWriter putGroup(Field field, Consumer<FieldWriter> writer) {
        var group = new FieldWriter();
        writer.accept(group);
        return put(field, group.toArray());
    }

    byte[] toArray() {
        return out.toByteArray();
    }

    private static ByteBuffer oidBytes(Oid oid, int more) {
        return ByteBuffer.allocate(OID_BYTES + more)
                .putLong(oid.a())
                .putLong(oid.b())
                .putInt(oid.c());
    }
}
