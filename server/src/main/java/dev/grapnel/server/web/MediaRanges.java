package dev.grapnel.server.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads an `Accept` header: a list of media ranges with parameters.
final class MediaRanges {
    private MediaRanges() {}

    /// Whether a media type is named, in any case, and not with `q=0`. A star names nothing: who takes anything
    /// gets the page.
    static boolean name(String header, String mediaType) {
        return split(header, ',').stream()
                .map(range -> split(range, ';'))
                .anyMatch(parts -> parts.getFirst().equalsIgnoreCase(mediaType)
                        && parts.stream().skip(1).noneMatch(MediaRanges::excludes));
    }

    private static boolean excludes(String parameter) {
        return parameter.replace(" ", "").toLowerCase(Locale.ROOT).matches("q=0(\\.0*)?");
    }

    /// Splits outside of quoted strings, where either separator may stand.
    private static List<String> split(String text, char separator) {
        var parts = new ArrayList<String>();
        boolean isQuoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isQuoted && c == '\\') {
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == separator && !isQuoted) {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(text.substring(from).strip());
        return parts;
    }
}
