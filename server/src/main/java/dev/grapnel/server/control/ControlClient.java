package dev.grapnel.server.control;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.LineChannel.Line;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Asks a running server. One request each.
public final class ControlClient implements AutoCloseable {
    /// An event may have two megabytes, or what the operator allows.
    private static final int LINE_BYTES_MAX = 256 << 20;

    private final LineChannel channel;
    private final Path directory;

    private ControlClient(LineChannel channel, Path directory) {
        this.channel = channel;
        this.directory = directory;
    }

    /// Hears an answer line by line.
    public interface Receiver {
        /// A part of the answer.
        void line(Fields line);

        /// How far the server is.
        default void progress(Fields progress) {}
    }

    /// Connects to the server whose data is in a directory; nothing if none runs.
    ///
    /// @throws ToolFailure if one runs, or may, but cannot be asked
    public static Optional<ControlClient> connect(Path directory) {
        try {
            var socket = ControlSocket.find(directory);
            return socket.isEmpty() ? Optional.empty() : connect(socket.get(), directory);
        } catch (IOException e) {
            throw ToolFailure.of("look for a server in", directory, e);
        }
    }

    private static Optional<ControlClient> connect(Path socket, Path directory) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return Optional.of(new ControlClient(new LineChannel(channel), directory));
        } catch (ConnectException _) {
            channel.close();
            return Optional.empty(); // whoever made the socket was killed
        } catch (IOException e) {
            channel.close();
            if (!Files.isWritable(socket)) {
                throw new ToolFailure(
                        "this user may not ask the server in " + directory + ", only the one it runs as may", e);
            }
            throw ToolFailure.of("connect to", socket, e);
        }
    }

    /// Asks, and returns when the answer has come to its end.
    ///
    /// @throws ToolFailure with the server's sentence if it does not do what is asked, or if it goes away
    public void ask(ControlRequest request, Receiver receiver) {
        try {
            send(request);
            while (receive(receiver)) {
                // until the last line
            }
        } catch (IOException e) {
            throw new ToolFailure("the server in " + directory + " went away: " + e.getMessage(), e);
        }
    }

    /// The same, as long as the server never says nothing for so long.
    ///
    /// @throws ToolFailure also if it does: it may be stopped
    public void ask(ControlRequest request, Receiver receiver, Duration silenceMax) {
        var heard = new LinkedBlockingQueue<Boolean>();
        var isSilent = new AtomicBoolean();
        var watch = Thread.ofVirtual().name("control-watch").start(() -> {
            try {
                while (Optional.ofNullable(heard.poll(silenceMax.toMillis(), TimeUnit.MILLISECONDS))
                        .isPresent()) {
                    // it speaks
                }
                isSilent.set(true);
                close();
            } catch (InterruptedException _) {
                // the answer has come to its end
            }
        });
        try {
            ask(request, telling(receiver, () -> heard.add(true)));
        } catch (ToolFailure e) {
            throw isSilent.get()
                    ? new ToolFailure(
                            "the server in " + directory + " runs and has said nothing for " + silenceMax.toSeconds()
                                    + " s: it is stopped, or very busy; look at its log",
                            e)
                    : e;
        } finally {
            watch.interrupt();
        }
    }

    private static Receiver telling(Receiver receiver, Runnable heard) {
        return new Receiver() {
            @Override
            public void line(Fields line) {
                heard.run();
                receiver.line(line);
            }

            @Override
            public void progress(Fields progress) {
                heard.run();
                receiver.progress(progress);
            }
        };
    }

    /// Whoever sends a request away does not read it first. Then the answer is there already.
    private void send(ControlRequest request) throws IOException {
        try {
            channel.write(request.json());
        } catch (IOException e) {
            if (receive(_ -> {})) {
                throw e;
            }
        }
    }

    /// Whether there is more.
    private boolean receive(Receiver receiver) throws IOException {
        return switch (channel.read(LINE_BYTES_MAX)) {
            case Line.End() -> throw new ToolFailure("the server in " + directory + " stopped in the middle");
            case Line.TooLong() -> throw new ToolFailure("a line of the answer is too long");
            case Line.Whole(var bytes) -> receive(bytes, receiver);
        };
    }

    private static boolean receive(byte[] line, Receiver receiver) {
        if (!(JsonValue.parse(line) instanceof Parsed.Valid<JsonValue>(Fields fields))) {
            throw new ToolFailure("the answer cannot be read; is the server of another version?");
        }
        fields.findText("error").ifPresent(sentence -> {
            throw new ToolFailure(sentence);
        });
        fields.findFields("progress").ifPresent(receiver::progress);
        fields.findFields("line").ifPresent(receiver::line);
        return !fields.isTrue("ok");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // the system closes it with the process
        }
    }
}
