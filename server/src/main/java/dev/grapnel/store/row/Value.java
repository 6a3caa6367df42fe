package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The bytes of one field, and every way to read them. What does not fit is refused by an
/// [IllegalArgumentException] with a phrase.
final class Value {
    /// Limits of today must not damage rows of yesterday, so there are none but a depth no event reaches.
    private static final EventReader EVENTS = new EventReader(
            new EventLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 8));

    private final ByteBuffer bytes;

    Value(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    Bytes bytes() {
        return Bytes.wrap(toArray());
    }

    String text() {
        return textOf(bytes.duplicate());
    }

    Identifier identifier() {
        return new Identifier(text());
    }

    RefName ref() {
        return new RefName(text());
    }

    AreaName area() {
        return new AreaName(text());
    }

    long number() {
        var rest = bytes.duplicate();
        long number = Varint.read(rest);
        if (rest.hasRemaining()) {
            throw new IllegalArgumentException("more than a number");
        }
        return number;
    }

    /// A number that is not negative and not large.
    int count() {
        long number = number();
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("too large");
        }
        return (int) number;
    }

    boolean flag() {
        long number = number();
        if (number > 1 || number < 0) {
            throw new IllegalArgumentException("neither 0 nor 1");
        }
        return number == 1;
    }

    Instant time() {
        return Instant.ofEpochMilli(number());
    }

    /// One of these constants.
    <E extends Coded> E oneOf(List<E> constants) {
        long code = number();
        return constants.stream()
                .filter(constant -> constant.code() == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown code " + code));
    }

    EventId id() {
        return EventId.of(exactly(Word256.BYTES), 0);
    }

    PublicKey key() {
        return PublicKey.of(exactly(Word256.BYTES), 0);
    }

    Oid oid() {
        return oidOf(ByteBuffer.wrap(exactly(FieldWriter.OID_BYTES)));
    }

    Map.Entry<RefName, Oid> refWithValue() {
        var rest = bytes.duplicate();
        if (rest.remaining() < FieldWriter.OID_BYTES) {
            throw new IllegalArgumentException("ends inside an object id");
        }
        var oid = oidOf(rest);
        return Map.entry(new RefName(textOf(rest)), oid);
    }

    /// An event whose id is its hash; the signature is not looked at.
    Event event() {
        return switch (EVENTS.read(toArray())) {
            case ParsedEvent.Valid(var event) -> event;
            case ParsedEvent.Defective(var _, var defect) -> throw new IllegalArgumentException(defect.text());
            case ParsedEvent.Nameless(var defect) -> throw new IllegalArgumentException(defect.text());
            case ParsedEvent.Unreadable(var reason) -> throw new IllegalArgumentException(reason);
        };
    }

    /// Fields inside this field.
    Fields group() {
        return Fields.read(bytes.duplicate());
    }

    private byte[] toArray() {
        var array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }

    private byte[] exactly(int length) {
        if (bytes.remaining() != length) {
            throw new IllegalArgumentException("not " + length + " bytes");
        }
        return toArray();
    }

    private static Oid oidOf(ByteBuffer in) {
        return new Oid(in.getLong(), in.getLong(), in.getInt());
    }

    private static String textOf(ByteBuffer in) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }
}
