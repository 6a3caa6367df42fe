package dev.grapnel.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Spoils a store that nobody has open.
final class Damage {
    private static final int PAGE = 4_096;

    private Damage() {}

    /// Changes one letter of a text wherever it is written.
    ///
    /// @return how often it was found
    static int changeText(Path directory, String text) throws IOException {
        var file = directory.resolve("data.mdb");
        var bytes = Files.readAllBytes(file);
        int found = 0;
        for (int at = find(bytes, text, 0); at >= 0; at = find(bytes, text, at + 1)) {
            bytes[at] ^= 1;
            found++;
        }
        Files.write(file, bytes);
        return found;
    }

    /// Overwrites the pages on which a text is written.
    static void wipePage(Path directory, String text) throws IOException {
        var file = directory.resolve("data.mdb");
        var bytes = Files.readAllBytes(file);
        for (int at = find(bytes, text, 0); at >= 0; at = find(bytes, text, at + 1)) {
            int page = at / PAGE * PAGE;
            for (int i = page; i < page + PAGE; i++) {
                bytes[i] = 0;
            }
        }
        Files.write(file, bytes);
    }

    /// Whether a text stands somewhere in the file, if there is one.
    static boolean isWritten(Path directory, String text) throws IOException {
        var file = directory.resolve("data.mdb");
        return Files.exists(file) && find(Files.readAllBytes(file), text, 0) >= 0;
    }

    private static int find(byte[] bytes, String text, int from) {
        var wanted = text.getBytes(StandardCharsets.UTF_8);
        for (int at = from; at <= bytes.length - wanted.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }
}
