package dev.grapnel.command;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What the program was started with, beside its arguments. Text for people goes through picocli; these streams
/// carry bytes.
///
/// @param in standard input
/// @param out standard output
/// @param isOutPipe whether the output is a pipe, so that a failure to write means that nobody reads any more
/// @param isErrTerminal whether a person watches the messages
/// @param environment variables by name
public record Invocation(
        InputStream in, OutputStream out, boolean isOutPipe, boolean isErrTerminal, Map<String, String> environment) {
    // Of the mode of a file, as POSIX has it.
    private static final int FILE_TYPE = 0xf000;
    private static final int FIFO = 0x1000;
    private static final int SOCKET = 0xc000;

    public Invocation {
        environment = Map.copyOf(environment);
    }

    /// That of this process.
    public static Invocation ofProcess() {
        return new Invocation(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                isPipe(Path.of("/dev/stdout")),
                isTerminal(Path.of("/dev/stderr")),
                System.getenv());
    }

    private static boolean isPipe(Path stream) {
        try {
            int type = (int) Files.getAttribute(stream, "unix:mode") & FILE_TYPE;
            return type == FIFO || type == SOCKET;
        } catch (IOException | UnsupportedOperationException _) {
            return false; // then failures are told
        }
    }

    /// On Linux the link leads to the device. Elsewhere it does not, but the JDK knows about the other two
    /// streams.
    private static boolean isTerminal(Path stream) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return Optional.ofNullable(System.console())
                    .filter(Console::isTerminal)
                    .isPresent();
        }
        try {
            var device = stream.toRealPath();
            return device.startsWith("/dev/pts") || device.toString().startsWith("/dev/tty");
        } catch (IOException _) {
            return false; // a pipe has no path
        }
    }
}
