package dev.grapnel.git.pack;

import org.jspecify.annotations.Nullable;

/// What is wrong with a `.gitattributes` file: so large, or with lines so long, that clients choke on it.
final class AttributesFile {
    /// Larger ones git does not read.
    static final long BYTES_MAX = 100L << 20;

    private static final int LINE_MAX = 2048;

    private int line;
    private @Nullable String flaw;

    AttributesFile(long size) {
        if (size > BYTES_MAX) {
            flaw = ".gitattributes is larger than 100 MiB";
        }
    }

    /// The next piece of it.
    void update(byte[] bytes, int length) {
        for (int i = 0; i < length && flaw == null; i++) {
            line = bytes[i] == '\n' ? 0 : line + 1;
            if (line >= LINE_MAX) {
                flaw = ".gitattributes has a line of more than " + (LINE_MAX - 1) + " bytes";
            }
        }
    }

    @Nullable
    String flaw() {
        return flaw;
    }
}
