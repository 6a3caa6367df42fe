package dev.grapnel.server.address;

import java.util.ArrayList;
import java.util.Optional;

/// One element of `Forwarded` (RFC 7239): what one proxy said, as in `for="[2001:db8::1]:4711";proto=https`.
final class ForwardedElement {
    private ForwardedElement() {}

    /// The address behind `for`; nothing if it is missing, there twice, hidden or unknown.
    static Optional<ClientAddress> findClient(String element) {
        return find(element, "for=").flatMap(ForwardedNode::find);
    }

    /// The word behind `proto` in what the nearest proxy said; nothing if it is missing or there twice.
    static Optional<String> findScheme(String value) {
        int comma = value.lastIndexOf(',');
        return find(value.substring(comma + 1), "proto=").map(word -> word.replace("\"", ""));
    }

    private static Optional<String> find(String element, String name) {
        var values = new ArrayList<String>();
        for (int start = 0; start <= element.length(); ) {
            int end = endOfPair(element, start);
            var pair = element.substring(start, end).strip();
            if (pair.regionMatches(true, 0, name, 0, name.length())) {
                values.add(pair.substring(name.length()));
            }
            start = end + 1;
        }
        return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    private static int endOfPair(String text, int start) {
        boolean isQuoted = false;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && isQuoted) {
                i++;
            } else if (c == ';' && !isQuoted) {
                return i;
            }
        }
        return text.length();
    }
}
