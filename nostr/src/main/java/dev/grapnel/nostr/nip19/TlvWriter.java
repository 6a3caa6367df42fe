package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Collects parts, which callers give in the order most clients write: main value, relays, author, kind.
/// Remembers the first that does not fit, so that they need to look once only.
final class TlvWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Optional<String> problem = Optional.empty();

    TlvWriter bytes(TlvType type, byte[] value) {
        if (value.length > Tlv.VALUE_BYTES_MAX) {
            remember("the " + type.word() + " is longer than 255 bytes");
            return this;
        }
        out.write(type.code());
        out.write(value.length);
        out.writeBytes(value);
        return this;
    }

    TlvWriter text(TlvType type, String value) {
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        if (!new String(bytes, StandardCharsets.UTF_8).equals(value)) {
            // half of a surrogate pair, which became a question mark
            remember("the " + type.word() + " is not Unicode text");
        }
        return bytes(type, bytes);
    }

    TlvWriter texts(TlvType type, List<String> values) {
        values.forEach(value -> text(type, value));
        return this;
    }

    TlvWriter kind(int kind) {
        return bytes(
                TlvType.KIND, ByteBuffer.allocate(Integer.BYTES).putInt(kind).array());
    }

    Parsed<String> write(String prefix) {
        return problem.<Parsed<String>>map(Parsed::invalid).orElseGet(() -> Bech32.encode(prefix, out.toByteArray()));
    }

    private void remember(String found) {
        if (problem.isEmpty()) {
            problem = Optional.of(found);
        }
    }
}
