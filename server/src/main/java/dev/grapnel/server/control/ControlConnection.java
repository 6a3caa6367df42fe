package dev.grapnel.server.control;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.control.LineChannel.Line;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request and its answer.
///
/// The last line is `{"ok":true}` or `{"error":…}`, all others are `{"line":…}` or `{"progress":…}`.
final class ControlConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);

    private final LineChannel channel;
    private final Map<String, ControlCommand> commands;
    private final ControlLimits limits;
    private final LongSupplier nanoTime;
    private volatile boolean isWaiting;
    private volatile long waitsUntil;
    private volatile boolean isClosed;
    private boolean isLost;

    ControlConnection(
            LineChannel channel, Map<String, ControlCommand> commands, ControlLimits limits, LongSupplier nanoTime) {
        this.channel = channel;
        this.commands = commands;
        this.limits = limits;
        this.nanoTime = nanoTime;
        await(limits.requestWait());
    }

    /// Something that waits for the other end.
    private interface Transfer<T> {
        T run() throws IOException;
    }

    void run() {
        try {
            switch (read()) {
                case Line.End() -> LOG.debug("control connection without a request");
                case Line.TooLong() ->
                    end("the request is too long: " + limits.requestBytesMax() + " bytes are the most");
                case Line.Whole(var bytes) -> answer(bytes);
            }
        } catch (IOException e) {
            LOG.debug("control connection ended early reason={}", e.getMessage());
        } finally {
            close();
        }
    }

    private void answer(byte[] line) throws IOException {
        switch (ControlRequest.parse(line)) {
            case Parsed.Invalid<ControlRequest>(var reason) -> end("the request cannot be read: " + reason);
            case Parsed.Valid<ControlRequest>(var request) -> answer(request);
        }
    }

    private void answer(ControlRequest request) throws IOException {
        var command = commands.get(request.command());
        if (command == null) {
            end("this server knows no command '" + request.command() + "', but " + String.join(", ", commands.keySet())
                    + "; is it of another version?");
            return;
        }
        LOG.debug("control command name={}", command.name());
        try {
            command.run(request, new Answer());
            send(new JsonWriter(64).raw("{\"ok\":true"));
        } catch (ControlRefusal | StoreRefusal | StoreFailure | StoreDamage e) {
            end(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // a fault of ours: it must not end the thread without a word
            LOG.error("control command failed name={}", command.name(), e);
            end("the server failed to answer; its log says more");
        } catch (IOException e) {
            if (isLost || isClosed) {
                throw e; // nobody is there who could be told
            }
            LOG.warn("control command failed name={} reason={}", command.name(), e.toString());
            end("the server could not go on: " + e.getMessage());
        }
    }

    private void end(String sentence) throws IOException {
        send(new JsonWriter(256).raw("{\"error\":").string(withoutHalves(sentence)));
    }

    /// What a stranger's text may hold, and JSON may not.
    private static String withoutHalves(String text) {
        return text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private Line read() throws IOException {
        return waiting(limits.requestWait(), () -> channel.read(limits.requestBytesMax()));
    }

    private void send(JsonWriter json) throws IOException {
        waiting(limits.stallMax(), () -> {
            channel.write(json.raw("}"));
            return true;
        });
    }

    private <T> T waiting(Duration most, Transfer<T> transfer) throws IOException {
        await(most);
        try {
            return transfer.run();
        } catch (IOException e) {
            isLost = true;
            throw e;
        } finally {
            isWaiting = false;
        }
    }

    private void await(Duration most) {
        waitsUntil = nanoTime.getAsLong() + most.toNanos();
        isWaiting = true;
    }

    /// Closes if the other end has kept it waiting for too long.
    void look() {
        if (isWaiting && nanoTime.getAsLong() - waitsUntil >= 0) {
            LOG.info("control connection closed, as nothing came or was read for long");
            close();
        }
    }

    /// Ends the command at its next word.
    void close() {
        isClosed = true;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("control connection not closed reason={}", e.getMessage());
        }
    }

    private final class Answer implements ControlOutput {
        @Override
        public void line(JsonWriter json) throws IOException {
            send(new JsonWriter(json.length() + 16).raw("{\"line\":").raw(json.toBytes()));
        }

        @Override
        public void progress(JsonWriter json) throws IOException {
            send(new JsonWriter(json.length() + 16).raw("{\"progress\":").raw(json.toBytes()));
        }

        @Override
        public void requireWanted() throws IOException {
            if (isClosed) {
                throw new IOException("the connection was closed");
            }
        }
    }
}
