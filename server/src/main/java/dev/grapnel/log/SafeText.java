package dev.grapnel.log;

/// Makes text of strangers harmless in a log or on a terminal: nothing in it begins a line, moves a cursor or
/// turns the direction of writing, and it is not longer than a line may be.
public final class SafeText {
    /// Characters of one text, at most.
    static final int LENGTH_MAX = 8_192;

    private SafeText() {}

    /// The text with escapes in place of what does not show as itself.
    public static String of(String text) {
        int end = Math.min(text.length(), LENGTH_MAX);
        if (end == text.length() && text.chars().allMatch(SafeText::isPlain)) {
            return text;
        }
        var out = new StringBuilder(end + 32);
        for (int i = 0; i < end; i++) {
            append(out, text, i);
        }
        return end == text.length()
                ? out.toString()
                : out.append("... (")
                        .append(text.length() - end)
                        .append(" more)")
                        .toString();
    }

    private static void append(StringBuilder out, String text, int at) {
        char c = text.charAt(at);
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (isPlain(c) || isPartOfPair(text, at)) {
                    out.append(c);
                } else {
                    out.append("\\u%04x".formatted((int) c));
                }
            }
        }
    }

    /// Whether a character is shown as itself wherever the log is read. Half a pair of surrogates is not, until
    /// its other half is seen.
    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static boolean isPartOfPair(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < Math.min(text.length(), LENGTH_MAX) && isGoodPair(c, text.charAt(at + 1))
                : at > 0 && isGoodPair(text.charAt(at - 1), c);
    }

    /// Beyond the first plane there are invisible characters too.
    private static boolean isGoodPair(char high, char low) {
        return Character.isSurrogatePair(high, low) && isPlain(Character.toCodePoint(high, low));
    }
}
