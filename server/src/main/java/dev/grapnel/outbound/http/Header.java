package dev.grapnel.outbound.http;

/// A field of a request or an answer.
///
/// @param name compared without regard to case
/// @param value without blanks around it
public record Header(String name, String value) {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    /// @throws IllegalArgumentException if this would be no field
    public Header {
        if (!isName(name) || !isValue(value)) {
            throw new IllegalArgumentException("not a header field");
        }
    }

    static boolean isName(String text) {
        return !text.isEmpty() && text.chars().allMatch(Header::isTokenCharacter);
    }

    static boolean isValue(String text) {
        return text.strip().equals(text)
                && text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= 0xff && !Character.isISOControl(c)));
    }

    boolean isCalled(String other) {
        return name.equalsIgnoreCase(other);
    }

    private static boolean isTokenCharacter(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }
}
