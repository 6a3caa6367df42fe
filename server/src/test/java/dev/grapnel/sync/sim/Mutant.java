package dev.grapnel.sync.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A deliberate fault in one line of the core, which the simulation must find.
///
/// @param rule the rule of the specification that it breaks
/// @param breaks what is wrong with it
/// @param file below the folder of the core's sources
/// @param old what it replaces; there once and no more
/// @param shownBy scenes that are tried, one after the other
record Mutant(String name, String rule, String breaks, String file, String old, String fresh, List<String> shownBy) {
    /// The sources of the core, as seen from where tests run.
    static final Path SOURCES = Path.of("src", "main", "java", "dev", "grapnel", "sync");

    Mutant {
        shownBy = List.copyOf(shownBy);
    }

    private Path source() {
        return SOURCES.resolve(file);
    }

    /// How often the text that it replaces is there.
    int places() throws IOException {
        var text = Files.readString(source());
        return (text.length() - text.replace(old, "").length()) / old.length();
    }

    /// Writes its source into a folder, with the fault.
    Path write(Path folder) throws IOException {
        if (places() != 1) {
            throw new IOException(name + ": the text it replaces is " + places() + " times in " + file);
        }
        var text = Files.readString(source()).replace(old, fresh);
        return Files.writeString(folder.resolve(source().getFileName().toString()), text);
    }

    @Override
    public String toString() {
        return name;
    }
}
