package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.util.function.Function;

/// A sort of values.
///
/// @param word what stands for a value in help, such as `<n>`
/// @param description what is allowed, as a phrase
/// @param parser reads trimmed text; a reason is a phrase that follows the setting's name
/// @param writer gives text that the parser reads back
/// @param isFlag whether the name alone means `true`
/// @param separator what stands between the entries of a list; empty if it is none
public record ValueType<T>(
        String word,
        String description,
        Function<String, Parsed<T>> parser,
        Function<T, String> writer,
        boolean isFlag,
        String separator) {
    static final String NO_LIST = "";

    static <T> ValueType<T> of(
            String word, String description, Function<String, Parsed<T>> parser, Function<T, String> writer) {
        return new ValueType<>(word, description, parser, writer, false, NO_LIST);
    }

    /// Whether it has entries, which may be given one by one.
    public boolean isList() {
        return !separator.isEmpty();
    }

    /// Reads a value.
    public Parsed<T> parse(String text) {
        return parser.apply(text);
    }

    /// Writes a value.
    public String write(T value) {
        return writer.apply(value);
    }
}
