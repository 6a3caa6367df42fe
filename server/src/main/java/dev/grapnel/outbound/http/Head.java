package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Status and headers of an answer.
public record Head(int status, List<Header> headers) {
    private static final int BYTES_MAX = 64 << 10;
    private static final int HEADERS_MAX = 128;

    /// The server speaks another protocol from here on.
    public static final int SWITCHING = 101;

    /// Interim answers before the one that counts.
    private static final int INTERIM_MAX = 8;

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /// How the body's end is found.
    sealed interface Framing {
        /// There is none.
        record Nothing() implements Framing {}

        /// By its length.
        record Length(long bytes) implements Framing {}

        /// By a chunk without bytes.
        record Chunks() implements Framing {}

        /// By the end of the connection.
        record UntilClose() implements Framing {}
    }

    public Head {
        headers = List.copyOf(headers);
    }

    /// Reads the head of the answer that counts.
    static Head read(InputStream in) throws IOException {
        var head = readSwitching(in);
        if (head.status() == SWITCHING) {
            throw broken("it changed the protocol without being asked to");
        }
        return head;
    }

    /// The same where the protocol may change.
    public static Head readSwitching(InputStream in) throws IOException {
        var lines = new Lines(in, "the head of an answer", BYTES_MAX);
        for (int i = 0; i < INTERIM_MAX; i++) {
            var head = readOne(lines);
            if (head.status() >= 200 || head.status() == SWITCHING) {
                return head;
            }
        }
        throw broken("there are too many interim answers");
    }

    private static Head readOne(Lines lines) throws IOException {
        var status = STATUS_LINE.matcher(lines.next());
        if (!status.matches()) {
            throw broken("the answer does not begin with a status of HTTP/1");
        }
        return new Head(Integer.parseInt(status.group(1)), readHeaders(lines));
    }

    static List<Header> readHeaders(Lines lines) throws IOException {
        var headers = new ArrayList<Header>();
        for (var line = lines.next(); !line.isEmpty(); line = lines.next()) {
            if (headers.size() == HEADERS_MAX) {
                throw broken("there are more than " + HEADERS_MAX + " header fields");
            }
            headers.add(parse(line));
        }
        return headers;
    }

    private static Header parse(String line) throws OutboundException {
        int colon = line.indexOf(':');
        var name = colon < 0 ? "" : line.substring(0, colon);
        var value = line.substring(colon + 1).strip();
        if (!Header.isName(name) || !Header.isValue(value)) {
            throw broken("there is a malformed header field");
        }
        return new Header(name, value);
    }

    /// The value of a header that must not differ if it comes twice.
    public Optional<String> find(String name) throws OutboundException {
        var values = headers.stream()
                .filter(header -> header.isCalled(name))
                .map(Header::value)
                .distinct()
                .toList();
        if (values.size() > 1) {
            throw broken("a header field comes with several values");
        }
        return values.stream().findFirst();
    }

    /// Where the body ends. Where programs could disagree the answer is refused.
    Framing framing() throws OutboundException {
        var encoding = find("Transfer-Encoding");
        var length = find("Content-Length");
        if (status == 204 || status == 304) {
            return new Framing.Nothing();
        }
        if (encoding.isPresent()) {
            if (length.isPresent() || !encoding.get().equalsIgnoreCase("chunked")) {
                throw broken("it cannot be told where the answer ends");
            }
            return new Framing.Chunks();
        }
        if (length.isEmpty()) {
            return new Framing.UntilClose();
        }
        if (!LENGTH.matcher(length.get()).matches()) {
            throw broken("the length of the answer is no number");
        }
        return new Framing.Length(Long.parseLong(length.get()));
    }

    /// Whether the body is compressed.
    boolean isGzip() throws OutboundException {
        var encoding = find("Content-Encoding").orElse("identity").toLowerCase(Locale.ROOT);
        return switch (encoding) {
            case "identity", "" -> false;
            case "gzip", "x-gzip" -> true;
            default -> throw broken("the answer is compressed in a way that was not asked for");
        };
    }

    static OutboundException broken(String reason) {
        return new OutboundException(new Failure.Protocol(reason));
    }

    /// Lines of text, a byte a character, limited together.
    static final class Lines {
        private final InputStream in;
        private final String what;
        private final int max;
        private int left;

        Lines(InputStream in, String what, int max) {
            this.in = in;
            this.what = what;
            this.max = max;
            this.left = max;
        }

        /// The next line without its end.
        ///
        /// @throws OutboundException if the stream ends before the line does
        String next() throws IOException {
            var line = new StringBuilder();
            while (true) {
                int c = in.read();
                if (c < 0) {
                    throw new OutboundException(new Failure.Broken());
                }
                if (left-- == 0) {
                    throw new OutboundException(new Failure.TooLarge(what, max));
                }
                if (c == '\n') {
                    int end = line.length() - 1;
                    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
                }
                line.append((char) c);
            }
        }
    }
}
