package dev.grapnel.server.address;

import java.util.List;
import java.util.Optional;

/// The elements of a list header, the last first; several lines are one list.
///
/// A comma in a quoted string divides nothing. Quotes are matched from the right as well: matched from the
/// left, one open quote of a client would swallow what the proxy wrote behind it.
final class ElementsFromRight {
    private final List<String> lines;
    private int line;

    /// Behind the next element of the line, -1 if there is none.
    private int end = -1;

    ElementsFromRight(List<String> lines) {
        this.lines = lines;
        this.line = lines.size();
    }

    /// The next element without blanks around it, perhaps empty text; nothing after the last.
    Optional<String> findNext() {
        if (end < 0) {
            if (line == 0) {
                return Optional.empty();
            }
            line--;
            end = lines.get(line).length();
        }
        var text = lines.get(line);
        int start = startOfElement(text, end);
        var element = text.substring(start, end).strip();
        end = start - 1;
        return Optional.of(element);
    }

    private static int startOfElement(String text, int end) {
        boolean isQuoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted || isEscaped(text, i);
            } else if (c == ',' && !isQuoted) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean isEscaped(String text, int at) {
        int first = at;
        while (first > 0 && text.charAt(first - 1) == '\\') {
            first--;
        }
        return (at - first) % 2 == 1;
    }
}
