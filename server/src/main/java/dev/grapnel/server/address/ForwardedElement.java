package dev.grapnel.server.address;

import java.util.ArrayList;
import java.util.Optional;

/// One element of `Forwarded` (RFC 7239): what one proxy said, as in `for="[2001:db8::1]:4711";proto=https`.
final class ForwardedElement {
    private ForwardedElement() {}

    /// The address behind `for`; nothing if it is missing, there twice, hidden or unknown.
    static Optional<ClientAddress> findClient(String element) {
        var clients = new ArrayList<String>();
        for (int start = 0; start <= element.length(); ) {
            int end = endOfPair(element, start);
            var pair = element.substring(start, end).strip();
            if (pair.regionMatches(true, 0, "for=", 0, 4)) {
                clients.add(pair.substring(4));
            }
            start = end + 1;
        }
        return clients.size() == 1 ? ForwardedNode.find(clients.getFirst()) : Optional.empty();
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
