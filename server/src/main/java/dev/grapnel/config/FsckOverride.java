package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/// Another severity for something that can be wrong with git objects.
///
/// @param defect as git calls it, in lower case
public record FsckOverride(String defect, Severity severity) {
    /// What a defect leads to.
    public enum Severity {
        ERROR,
        WARN,
        IGNORE
    }

    static final ValueType<FsckOverride> TYPE = ValueTypes.parsed(
            "<defect=severity>",
            "defects, each with error, warn or ignore, such as zeroPaddedFilemode=warn",
            FsckOverride::parse,
            FsckOverride::toString);

    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9]{1,64})=([A-Za-z]+)");

    /// Reads `defect=severity`, both in any case.
    public static Parsed<FsckOverride> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            return Parsed.invalid("it is not of the form defect=severity");
        }
        return Arrays.stream(Severity.values())
                .filter(severity -> severity.name().equalsIgnoreCase(match.group(2)))
                .findFirst()
                .map(severity -> Parsed.valid(new FsckOverride(match.group(1).toLowerCase(Locale.ROOT), severity)))
                .orElseGet(() -> Parsed.invalid("the severity is none of error, warn and ignore"));
    }

    @Override
    public String toString() {
        return defect + "=" + severity.name().toLowerCase(Locale.ROOT);
    }
}
