package dev.grapnel.server.web;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// An answer as it came over the wire.
///
/// @param lines status line and headers
record Answer(List<String> lines, String body) {
    Answer {
        lines = List.copyOf(lines);
    }

    /// Reads one answer and leaves what follows.
    ///
    /// @param isBodyless whether none follows whatever the headers say
    static Answer read(InputStream in, boolean isBodyless) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("ended behind: " + head);
            }
            head.write(next);
        }
        var lines = head.toString(StandardCharsets.ISO_8859_1).strip().lines().toList();
        var empty = new Answer(lines, "");
        int length = isBodyless
                ? 0
                : empty.find("Content-Length").map(Integer::parseInt).orElse(0);
        return new Answer(lines, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    int status() {
        return Integer.parseInt(lines.getFirst().split(" ", -1)[1]);
    }

    Optional<String> find(String header) {
        var all = all(header);
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(" | ", all));
    }

    List<String> all(String header) {
        return lines.stream()
                .skip(1)
                .filter(line -> line.regionMatches(true, 0, header + ":", 0, header.length() + 1))
                .map(line -> line.substring(header.length() + 1).strip())
                .toList();
    }

    /// All headers but the time.
    List<String> headers() {
        return lines.stream()
                .skip(1)
                .filter(line -> !line.startsWith("Date:"))
                .sorted()
                .toList();
    }
}
