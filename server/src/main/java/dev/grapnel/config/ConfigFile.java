package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Lines of the form `NAME=value`, as other programs that read variables from a file know them: blank lines and
/// those that begin with `#` say nothing, `export` may stand in front, a value may stand in quotes.
public final class ConfigFile {
    private static final Pattern LINE = Pattern.compile("(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=(.*)");

    private ConfigFile() {}

    /// Reads a whole file. A name that is given twice has its last value.
    public static Parsed<Map<String, String>> parse(String text) {
        var values = new LinkedHashMap<String, String>();
        int number = 0;
        for (var line : text.split("\n", -1)) {
            number++;
            var stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            var match = LINE.matcher(stripped);
            if (!match.matches()) {
                return Parsed.invalid("line " + number + " is not of the form NAME=value");
            }
            values.put(match.group(1), unquoted(match.group(2).strip()));
        }
        return Parsed.valid(values);
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }
}
