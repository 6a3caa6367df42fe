package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The path and the query of a URL, as they also stand in an HTTP request (service 2.4).
///
/// @param segments what stands between slashes, split before each was decoded once. An empty path has none,
///     `/` has one that is empty, and a slash at the end makes an empty last one
/// @param query raw text behind the question mark; empty if there is none
/// @param hasQuery whether there is a question mark
public record RequestTarget(List<String> segments, String query, boolean hasQuery) {
    public RequestTarget {
        segments = List.copyOf(segments);
    }

    /// Reads an empty text, or one that begins with a slash or a question mark.
    public static Parsed<RequestTarget> parse(String text) {
        var defect = UrlText.findDefect(text);
        if (defect.isPresent()) {
            return Parsed.invalid(defect.get());
        }
        if (text.indexOf('#') >= 0) {
            return Parsed.invalid("a fragment is not part of a request");
        }
        int mark = text.indexOf('?');
        var path = mark < 0 ? text : text.substring(0, mark);
        var query = mark < 0 ? "" : text.substring(mark + 1);
        return decode(path).map(segments -> new RequestTarget(segments, query, mark >= 0));
    }

    /// The segments that are not empty: what a reader sees who takes several slashes for one.
    public List<String> nonEmptySegments() {
        return segments.stream().filter(segment -> !segment.isEmpty()).toList();
    }

    /// The segments without the empty last one that a slash at the end makes.
    public List<String> segmentsWithoutLastSlash() {
        boolean slash = !segments.isEmpty() && segments.getLast().isEmpty();
        return slash ? segments.subList(0, segments.size() - 1) : segments;
    }

    /// Whether path and query are the same, one slash at the end of the path more or less.
    public boolean matches(RequestTarget other) {
        return query.equals(other.query) && segmentsWithoutLastSlash().equals(other.segmentsWithoutLastSlash());
    }

    /// The text in normal form: every segment escaped alike.
    @Override
    public String toString() {
        return writePath(segments) + (hasQuery ? "?" + query : "");
    }

    static String writePath(List<String> segments) {
        return segments.stream()
                .map(segment -> "/" + PercentEncoding.encode(segment))
                .collect(Collectors.joining());
    }

    private static Parsed<List<String>> decode(String path) {
        if (path.isEmpty()) {
            return Parsed.valid(List.of());
        }
        if (path.charAt(0) != '/') {
            return Parsed.invalid("a path begins with a slash");
        }
        var segments = new ArrayList<String>();
        for (var raw : path.substring(1).split("/", -1)) {
            switch (PercentEncoding.decode(raw)) {
                case Parsed.Valid<String>(var segment) -> segments.add(segment);
                case Parsed.Invalid<String>(var reason) -> {
                    return Parsed.invalid(reason);
                }
            }
        }
        return Parsed.valid(segments);
    }
}
