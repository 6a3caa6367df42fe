package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens repositories and writes down how that went.
final class SecondProcess {
    private SecondProcess() {}

    public static void main(String[] arguments) throws IOException {
        String outcome;
        try (var _ = Home.open(Path.of(arguments[0]))) {
            outcome = "opened";
        } catch (IOException e) {
            outcome = String.valueOf(e.getMessage());
        }
        Files.writeString(Path.of(arguments[1]), outcome);
    }
}
