package dev.grapnel.nostr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/// A file of a fixture folder: an input, a line `----`, and what must come of it.
public record Fixture(String name, Bytes input, String expected) {
    private static final byte[] SEPARATOR = "\n----\n".getBytes(StandardCharsets.US_ASCII);

    /// All fixtures below a folder of the test resources, in the order of their names.
    public static Stream<Fixture> in(String folder) {
        var root = Path.of("src/test/resources", folder);
        try (var files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).sorted().map(file -> read(root, file)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Fixture read(Path root, Path file) {
        try {
            var all = Files.readAllBytes(file);
            int at = lastIndexOf(all, SEPARATOR);
            var expected =
                    new String(all, at + SEPARATOR.length, all.length - at - SEPARATOR.length, StandardCharsets.UTF_8);
            return new Fixture(root.relativize(file).toString(), Bytes.copyOf(all, 0, at), expected.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int lastIndexOf(byte[] all, byte[] part) {
        for (int at = all.length - part.length; at >= 0; at--) {
            if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new IllegalStateException("a fixture has a line ----");
    }

    @Override
    public String toString() {
        return name;
    }
}
