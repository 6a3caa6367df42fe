package dev.grapnel.store;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.NormalForm;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A served event as it lies in the store: its bytes are what is sent. Nothing is parsed before somebody
/// asks.
public final class StoredEvent {
    /// Stored events were checked against the limits of their day, which may have been other ones.
    private static final EventReader READER = new EventReader(
            new EventLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 64));

    private final long number;
    private final byte[] bytes;
    private final int from;

    /// Takes the array over; the JSON begins at `from` and goes to its end.
    public StoredEvent(long number, byte[] bytes, int from) {
        this.number = number;
        this.bytes = bytes;
        this.from = from;
    }

    /// Its commit number.
    public long number() {
        return number;
    }

    /// Its id.
    public EventId id() {
        return NormalForm.id(bytes, from);
    }

    /// Who signed it.
    public PublicKey author() {
        return NormalForm.author(bytes, from);
    }

    /// Unix seconds.
    public long createdAt() {
        return NormalForm.createdAt(bytes, from);
    }

    /// Its kind.
    public int kind() {
        return NormalForm.kind(bytes, from);
    }

    /// Its place in the order of versions.
    public Version version() {
        return new Version(createdAt(), id());
    }

    /// Bytes of the JSON.
    public int length() {
        return bytes.length - from;
    }

    /// The normalised JSON, not to be changed.
    public ByteBuffer json() {
        return ByteBuffer.wrap(bytes, from, length()).slice().asReadOnlyBuffer();
    }

    /// Writes the normalised JSON.
    public void writeJson(OutputStream out) throws IOException {
        out.write(bytes, from, length());
    }

    /// The normalised JSON as an array of the caller's own.
    public byte[] toJson() {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    /// The event.
    ///
    /// @throws IllegalStateException if the bytes are none, which the store's checksum makes impossible
    public Event read() {
        return switch (READER.read(bytes, from, bytes.length)) {
            case ParsedEvent.Valid(var event) -> event;
            case ParsedEvent.Defective(var _, var defect) -> throw unreadable(defect.toString());
            case ParsedEvent.Nameless(var defect) -> throw unreadable(defect.toString());
            case ParsedEvent.Unreadable(var reason) -> throw unreadable(reason);
        };
    }

    private IllegalStateException unreadable(String reason) {
        return new IllegalStateException("event number " + number + " is not what was stored: " + reason);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredEvent that
                && number == that.number
                && Arrays.equals(bytes, from, bytes.length, that.bytes, that.from, that.bytes.length);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    /// The normalised JSON as text.
    @Override
    public String toString() {
        return new String(bytes, from, length(), StandardCharsets.UTF_8);
    }
}
