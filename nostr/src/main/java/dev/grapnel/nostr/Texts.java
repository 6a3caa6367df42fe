package dev.grapnel.nostr;

/// Text that can be written.
public final class Texts {
    private Texts() {}

    /// Whether the text has a UTF-8 form: none of its surrogates stands alone.
    public static boolean isUtf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
