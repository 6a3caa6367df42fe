package dev.grapnel.server.ops;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Small files in which the kernel tells numbers. They may be missing, unreadable or of another shape: then
/// there is no number, which is NaN here.
record KernelFile(Path path) {
    boolean exists() {
        return Files.isReadable(path);
    }

    /// Its lines; none if it cannot be read.
    List<String> lines() {
        try {
            return Files.readAllLines(path, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return List.of(); // told as a figure that is missing
        }
    }

    /// The number that is all of it.
    double number() {
        var lines = lines();
        return lines.isEmpty() ? Double.NaN : parse(lines.getFirst());
    }

    /// The number behind a word at the beginning of a line.
    double numberBehind(String word) {
        return lines().stream()
                .filter(line -> line.startsWith(word))
                .findFirst()
                .map(line -> parse(line.substring(word.length()).strip().split("\\s+", 2)[0]))
                .orElse(Double.NaN);
    }

    static double parse(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : Double.NaN;
    }
}
