package dev.grapnel.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the words of a command line, with words for those that mean nothing.
final class Arguments {
    private Arguments() {}

    /// @throws TypeConversionException if no file can have that name
    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("no file can be called '" + text + "': " + reason(e));
        }
    }

    /// The JVM knows a file by no name that the locale has no letters for.
    private static String reason(InvalidPathException problem) {
        return problem.getInput().chars().allMatch(letter -> letter < 0x80)
                ? problem.getReason()
                : "the locale has only the letters of " + System.getProperty("sun.jnu.encoding")
                        + "; set LC_ALL=C.UTF-8, or another that ends in UTF-8";
    }

    /// Reads a word of a closed set, in letters of any case.
    static <E extends Enum<E>> ITypeConverter<E> oneOf(Class<E> words) {
        return text -> Arrays.stream(words.getEnumConstants())
                .filter(word -> word.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(
                        () -> new TypeConversionException("it is one of " + listOf(words) + ", not '" + text + "'"));
    }

    private static <E extends Enum<E>> String listOf(Class<E> words) {
        return Arrays.stream(words.getEnumConstants())
                .map(word -> word.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
