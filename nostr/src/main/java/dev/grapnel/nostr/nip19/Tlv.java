package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/// The parts of the longer texts: a byte for the type, one for the length, the value, and so on.
///
/// Types without a meaning here are skipped (NIP-19). Of a part that may stand once the first counts, and the
/// others are not even looked at. `find…` may find nothing, the plain name refuses text without that part.
record Tlv(List<Part> parts) {
    /// Largest value of one part.
    static final int VALUE_BYTES_MAX = 255;

    private static final int KIND_MAX = 65_535;

    record Part(int type, Bytes value) {}

    static Parsed<Tlv> read(byte[] data) {
        var parts = new ArrayList<Part>();
        int at = 0;
        while (at < data.length) {
            int value = at + 2;
            int end = value > data.length ? value : value + (data[at + 1] & 0xff);
            if (end > data.length) {
                return Parsed.invalid("ends inside a part");
            }
            parts.add(new Part(data[at] & 0xff, Bytes.copyOf(data, value, end)));
            at = end;
        }
        return Parsed.valid(new Tlv(List.copyOf(parts)));
    }

    static int requireKind(int kind) {
        if (kind < 0 || kind > KIND_MAX) {
            throw new IllegalArgumentException("a kind is between 0 and 65535, not " + kind);
        }
        return kind;
    }

    Parsed<PublicKey> key(TlvType type) {
        return findKey(type).then(found -> required(type, found));
    }

    Parsed<Optional<PublicKey>> findKey(TlvType type) {
        return findOfLength(type, Word256.BYTES, bytes -> PublicKey.of(bytes, 0));
    }

    Parsed<EventId> id(TlvType type) {
        return findOfLength(type, Word256.BYTES, bytes -> EventId.of(bytes, 0)).then(found -> required(type, found));
    }

    Parsed<String> text(TlvType type) {
        return required(type, findFirst(type)).then(value -> textOf(type, value));
    }

    Parsed<Integer> kind() {
        return findKindNumber().then(found -> required(TlvType.KIND, found));
    }

    Parsed<OptionalInt> findKind() {
        return findKindNumber().map(found -> found.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    Parsed<List<String>> relays() {
        var relays = new ArrayList<String>();
        for (var part : parts) {
            if (part.type() == TlvType.RELAY.code()) {
                switch (textOf(TlvType.RELAY, part.value())) {
                    case Parsed.Valid<String>(var relay) -> relays.add(relay);
                    case Parsed.Invalid<String>(var reason) -> {
                        return Parsed.invalid(reason);
                    }
                }
            }
        }
        return Parsed.valid(List.copyOf(relays));
    }

    private Parsed<Optional<Integer>> findKindNumber() {
        return findOfLength(TlvType.KIND, Integer.BYTES, Tlv::unsignedOf)
                .then(found -> found.filter(kind -> kind > KIND_MAX).isPresent()
                        ? Parsed.invalid("the kind is above 65535")
                        : Parsed.valid(found.map(Long::intValue)));
    }

    private <T> Parsed<Optional<T>> findOfLength(TlvType type, int length, Function<byte[], T> reader) {
        var found = findFirst(type).map(Bytes::toArray);
        return found.isPresent() && found.get().length != length
                ? Parsed.invalid("the " + type.word() + " does not have " + length + " bytes")
                : Parsed.valid(found.map(reader));
    }

    private Optional<Bytes> findFirst(TlvType type) {
        return parts.stream()
                .filter(part -> part.type() == type.code())
                .map(Part::value)
                .findFirst();
    }

    private static <T> Parsed<T> required(TlvType type, Optional<T> found) {
        return found.map(Parsed::valid).orElseGet(() -> Parsed.invalid("the " + type.word() + " is missing"));
    }

    private static long unsignedOf(byte[] fourBytes) {
        return Integer.toUnsignedLong(ByteBuffer.wrap(fourBytes).getInt());
    }

    private static Parsed<String> textOf(TlvType type, Bytes value) {
        try {
            return Parsed.valid(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.toArray()))
                    .toString());
        } catch (CharacterCodingException _) {
            return Parsed.invalid("the " + type.word() + " is not UTF-8");
        }
    }
}
