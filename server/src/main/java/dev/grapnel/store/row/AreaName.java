package dev.grapnel.store.row;

import java.util.regex.Pattern;

/// What a staging area is called. It becomes the name of a directory, so it is plain.
public record AreaName(String text) {
    private static final Pattern PLAIN = Pattern.compile("[0-9a-z][0-9a-z-]{0,99}");

    /// @throws IllegalArgumentException if this is anything but up to 100 lower-case letters, digits and
    ///     hyphens
    public AreaName {
        if (!PLAIN.matcher(text).matches()) {
            throw new IllegalArgumentException("a staging area is named by lower-case letters, digits and hyphens");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
