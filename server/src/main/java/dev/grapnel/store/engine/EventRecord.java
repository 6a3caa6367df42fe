package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.NormalForm;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.table.StoreDamage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.zip.CRC32C;

/// A served event as it lies in its table: checksum, kind, second of expiry, JSON. The checksum covers the
/// commit number too, so that bytes found under the wrong one are noticed; it is looked at whenever a record is
/// read.
final class EventRecord {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int KIND_AT = 4;
    private static final int EXPIRY_AT = 8;
    private static final int JSON_AT = 16;
    private static final int LENGTH_MIN = JSON_AT + 300;

    private final long number;
    private final byte[] bytes;

    private EventRecord(long number, byte[] bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    static byte[] encode(long number, Event event) {
        var json = event.json();
        var bytes = new byte[JSON_AT + json.length()];
        INTS.set(bytes, KIND_AT, event.kind());
        LONGS.set(bytes, EXPIRY_AT, expiry(event).second());
        json.copyTo(bytes, JSON_AT);
        INTS.set(bytes, 0, checksum(number, bytes));
        return bytes;
    }

    /// @throws StoreDamage if the bytes are not what was written
    static EventRecord read(long number, byte[] bytes) {
        if (bytes.length < LENGTH_MIN || (int) INTS.get(bytes, 0) != checksum(number, bytes)) {
            throw new StoreDamage("event number " + number + " does not fit its checksum");
        }
        return new EventRecord(number, bytes);
    }

    static Expiration expiry(Event event) {
        return Expiration.of(event).find().orElse(Expiration.NEVER);
    }

    private static int checksum(long number, byte[] bytes) {
        var crc = new CRC32C();
        crc.update((int) number);
        crc.update((int) (number >>> 8));
        crc.update((int) (number >>> 16));
        crc.update((int) (number >>> 24));
        crc.update((int) (number >>> 32));
        crc.update(bytes, KIND_AT, bytes.length - KIND_AT);
        return (int) crc.getValue();
    }

    long number() {
        return number;
    }

    int kind() {
        return (int) INTS.get(bytes, KIND_AT);
    }

    boolean isOver(Instant now) {
        return (long) LONGS.get(bytes, EXPIRY_AT) <= now.getEpochSecond();
    }

    StoredEvent event() {
        return new StoredEvent(number, bytes, JSON_AT);
    }

    /// The posting that points here.
    Posting posting() {
        return Posting.of(NormalForm.createdAt(bytes, JSON_AT), NormalForm.id(bytes, JSON_AT), number);
    }

    /// Whether a posting points here rightly.
    boolean fits(long high, long low) {
        return Posting.createdAt(high) == NormalForm.createdAt(bytes, JSON_AT)
                && Posting.idPrefix(high, low) == NormalForm.id(bytes, JSON_AT).a() >>> 32;
    }
}
