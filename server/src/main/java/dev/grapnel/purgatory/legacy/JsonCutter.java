package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/// Cuts a JSON text of any length into names and values, so that no more than one value is in memory.
///
/// Callers walk the outer levels (`open`, `hasMore`, `name`) and take what is inside as bytes. The cutter finds
/// where a value ends by its brackets and quotes, then lets [JsonScanner] check the piece; only what is passed
/// over, or is longer than a piece may be, is not checked further.
final class JsonCutter {
    private static final int BUFFER = 1 << 16;
    private static final int DEPTH_MAX = 32;
    private static final int NAME_BYTES_MAX = 1 << 16;

    private final InputStream in;
    private final int valueBytesMax;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private long before;
    private boolean first;

    private byte[] piece = new byte[1 << 10];
    private int length;
    private int lengthMax;
    private boolean overlong;

    /// @param valueBytesMax longest value that is handed out
    JsonCutter(InputStream in, int valueBytesMax) {
        this.in = in;
        this.valueBytesMax = valueBytesMax;
    }

    /// Goes into the object or array that is next.
    ///
    /// @param bracket how it begins
    void open(char bracket) throws IOException {
        if (skipSpace() != bracket) {
            throw damaged("a " + bracket + " was expected");
        }
        at++;
        first = true;
    }

    /// Whether something is left in the current object or array. If not, it has been left.
    ///
    /// @param bracket how it ends
    boolean hasMore(char bracket) throws IOException {
        int c = skipSpace();
        boolean wasFirst = first;
        first = false;
        if (c == bracket) {
            at++;
            return false;
        }
        if (!wasFirst) {
            if (c != ',') {
                throw damaged(c < 0 ? "the text ends too early" : "a comma or closing bracket was expected");
            }
            at++;
        }
        return true;
    }

    /// The name that is next, and its colon.
    String name() throws IOException {
        if (skipSpace() != '"') {
            throw damaged("a name in quotes was expected");
        }
        begin(NAME_BYTES_MAX);
        string();
        if (overlong) {
            throw damaged("a name is longer than " + NAME_BYTES_MAX + " bytes");
        }
        var scanner = new JsonScanner(piece, 0, length, 1);
        if (scanner.next() != JsonToken.STRING || scanner.hasLoneSurrogate()) {
            throw damaged("a name is no text");
        }
        if (skipSpace() != ':') {
            throw damaged("a colon was expected");
        }
        at++;
        return scanner.text();
    }

    /// The value that is next: its bytes, known to be JSON, or nothing if there are too many of them.
    Optional<byte[]> value() throws IOException {
        begin(valueBytesMax);
        pass();
        if (overlong) {
            return Optional.empty();
        }
        var scanner = new JsonScanner(piece, 0, length, DEPTH_MAX);
        if (!scanner.skip(scanner.next()) || scanner.next() != JsonToken.END) {
            throw damaged(scanner.failure());
        }
        return Optional.of(Arrays.copyOf(piece, length));
    }

    /// Passes over the value that is next, however long it is.
    void skip() throws IOException {
        begin(0);
        pass();
    }

    /// @throws DamagedFile if anything but white space is left
    void end() throws IOException {
        if (skipSpace() >= 0) {
            throw damaged("text follows the closing bracket");
        }
    }

    private void begin(int most) {
        length = 0;
        lengthMax = most;
        overlong = false;
    }

    private void pass() throws IOException {
        switch (skipSpace()) {
            case '"' -> string();
            case '{', '[' -> brackets();
            default -> word();
        }
    }

    /// From an opening bracket to the one that closes it. Which kind is open at each level is one bit.
    private void brackets() throws IOException {
        long objects = 0;
        int depth = 0;
        do {
            int c = peek();
            if (c == '"') {
                string();
                continue;
            }
            take();
            switch (c) {
                case '{', '[' -> {
                    if (depth == DEPTH_MAX) {
                        throw damaged("nested deeper than " + DEPTH_MAX + " levels");
                    }
                    objects = objects << 1 | (c == '{' ? 1 : 0);
                    depth++;
                }
                case '}', ']' -> {
                    if ((objects & 1) != (c == '}' ? 1 : 0)) {
                        throw damaged("a bracket closes what it did not open");
                    }
                    objects >>>= 1;
                    depth--;
                }
                default -> {}
            }
        } while (depth > 0);
    }

    private void string() throws IOException {
        take();
        int c = take();
        while (c != '"') {
            if (c == '\\') {
                take();
            }
            c = take();
        }
    }

    /// A number, `true`, `false` or `null`.
    private void word() throws IOException {
        long from = position();
        for (int c = peek(); isPartOfWord(c); c = peek()) {
            take();
        }
        if (position() == from) {
            throw damaged(peek() < 0 ? "the text ends too early" : "a value was expected");
        }
    }

    private static boolean isPartOfWord(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'E';
    }

    /// The next byte, which becomes part of the piece.
    private int take() throws IOException {
        int c = peek();
        if (c < 0) {
            throw damaged("the text ends too early");
        }
        at++;
        if (length == lengthMax) {
            overlong = true;
        } else {
            if (length == piece.length) {
                piece = Arrays.copyOf(piece, Math.min(length * 2, Math.max(valueBytesMax, NAME_BYTES_MAX)));
            }
            piece[length++] = (byte) c;
        }
        return c;
    }

    private int skipSpace() throws IOException {
        int c = peek();
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            at++;
            c = peek();
        }
        return c;
    }

    private int peek() throws IOException {
        if (at == end) {
            before += end;
            at = 0;
            end = Math.max(0, in.read(buffer, 0, BUFFER));
        }
        return at < end ? buffer[at] & 0xff : -1;
    }

    private long position() {
        return before + at;
    }

    private DamagedFile damaged(String reason) {
        return new DamagedFile(reason, position());
    }
}
