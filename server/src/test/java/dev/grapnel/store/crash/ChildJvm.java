package dev.grapnel.store.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts a class of the tests in a JVM of its own.
final class ChildJvm {
    private static final List<String> FLAGS = List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-XX:-UsePerfData",
            "-Xmx512m");

    private ChildJvm() {}

    /// How long it is going to live.
    enum Life {
        SHORT,
        LONG
    }

    /// @param errors file that its standard error goes to
    static Process start(Class<?> main, Life life, Path errors, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        if (life == Life.SHORT) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
    }
}
