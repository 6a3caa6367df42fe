package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import java.nio.charset.StandardCharsets;

/// What reading messages has in common in both directions: an outer array, a command, elements, and an end
/// that shows whether all of it was JSON.
final class MessageScan {
    private final JsonScanner scanner;
    private final byte[] in;

    MessageScan(byte[] in, int from, int to, int depthMax) {
        this.in = in;
        this.scanner = new JsonScanner(in, from, to, depthMax);
    }

    JsonScanner scanner() {
        return scanner;
    }

    byte[] in() {
        return in;
    }

    JsonToken next() {
        return scanner.next();
    }

    /// The current string, which may hold half of a surrogate pair: then the message is refused at its end
    /// anyway, and any text will do.
    String text() {
        return scanner.hasLoneSurrogate() ? "" : scanner.text();
    }

    /// The bytes of the current string of hex digits.
    Parsed<Bytes> hex() {
        if (!scanner.isEscaped()) {
            return Hex.parseAnyCase(in, scanner.textFrom(), scanner.textTo());
        }
        var ascii = text().getBytes(StandardCharsets.UTF_8);
        return Hex.parseAnyCase(ascii, 0, ascii.length);
    }

    /// Reads on to the end of the message, starting with this token of it. False if it is not JSON as a
    /// whole, or holds text that is no UTF-8.
    boolean finish(JsonToken current) {
        var token = current;
        while (token != JsonToken.END_ARRAY) {
            if (!scanner.skip(token)) {
                return false;
            }
            token = scanner.next();
        }
        return finish();
    }

    /// The closing bracket has been read: is that all?
    boolean finish() {
        return scanner.next() == JsonToken.END && !scanner.takeLoneSurrogate();
    }

    /// Why the message is not JSON.
    String failure() {
        return scanner.failure().isEmpty() ? "a string holds half of a surrogate pair" : scanner.failure();
    }
}
