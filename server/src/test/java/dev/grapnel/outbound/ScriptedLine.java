package dev.grapnel.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/// A line whose ends a test holds, without a network.
public final class ScriptedLine {
    private ScriptedLine() {}

    /// What comes is read here, and what goes is written there.
    public static Line of(InputStream in, OutputStream out) throws IOException {
        var socket = new Held(in, out);
        var time = new ManualTime();
        var line = new Line(
                socket, socket, "127.0.0.1", () -> {}, Watch.begin(Outside.LIMITS, time, time, new Cancellation()));
        line.part();
        return line;
    }

    private static final class Held extends Socket {
        private final InputStream in;
        private final OutputStream out;

        private Held(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }
    }
}
