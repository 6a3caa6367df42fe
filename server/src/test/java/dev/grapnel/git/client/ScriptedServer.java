package dev.grapnel.git.client;

import dev.grapnel.git.wire.PacketWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server that says exactly what a test wants it to, byte for byte, whatever it is asked.
public final class ScriptedServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Script> scripts;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /// Answers one request, to which the connection belongs.
    public interface Script {
        void answer(OutputStream out) throws IOException;
    }

    /// @param scripts for one request after the other
    ScriptedServer(Script... scripts) throws IOException {
        this.scripts = new ArrayList<>(List.of(scripts));
        Thread.ofVirtual().name("scripted-server").start(this::serve);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/repo.git";
    }

    /// First lines of what was asked.
    List<String> requests() {
        return requests;
    }

    private void serve() {
        while (!socket.isClosed() && !scripts.isEmpty()) {
            try (var connection = socket.accept()) {
                requests.add(read(connection));
                var out = connection.getOutputStream();
                scripts.removeFirst().answer(out);
                out.flush();
            } catch (IOException _) {
                // the client has enough
            }
        }
    }

    private static String read(Socket connection) throws IOException {
        var in = connection.getInputStream();
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) in.read());
        }
        for (var line : head.toString().split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                in.readNBytes(Integer.parseInt(line.substring(15).strip()));
            }
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    /// Any answer.
    public static Script raw(String head, String body) {
        return out -> out.write((head.replace("\n", "\r\n") + "\r\n\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
    }

    public static Script status(int status, String... headers) {
        return raw("HTTP/1.1 " + status + " No\nContent-Length: 0\n" + String.join("\n", headers), "");
    }

    /// What git's protocol has for `info/refs`, up to the end of the connection.
    public static Script advertisement(Script body) {
        return answer("advertisement", body);
    }

    /// What git's protocol has for a request.
    public static Script result(Script body) {
        return answer("result", body);
    }

    private static Script answer(String what, Script body) {
        return out -> {
            raw("HTTP/1.1 200 OK\nConnection: close\nContent-Type: application/x-git-upload-pack-" + what, "")
                    .answer(out);
            body.answer(out);
        };
    }

    /// Lines; those that say `flush` or `delimiter` are that.
    public static Script lines(String... lines) {
        return out -> {
            var packets = new PacketWriter(out);
            for (var line : lines) {
                switch (line) {
                    case "flush" -> packets.flush();
                    case "delimiter" -> packets.delimiter();
                    default -> packets.line(line + "\n");
                }
            }
        };
    }

    public static Script both(Script first, Script then) {
        return out -> {
            first.answer(out);
            then.answer(out);
        };
    }

    /// Version 2, and one ref.
    public static Script greeting() {
        return advertisement(lines("version 2", "ls-refs", "fetch=shallow", "object-format=sha1", "flush"));
    }

    public static Script refs(Object... ids) {
        var lines = new ArrayList<String>();
        for (var id : ids) {
            lines.add(id + " refs/heads/b" + lines.size());
        }
        lines.add("flush");
        return result(lines(lines.toArray(String[]::new)));
    }

    /// A pack in bands, whole.
    public static Script pack(byte[] pack) {
        return result(both(lines("packfile"), both(band(1, pack), lines("flush"))));
    }

    /// Bytes in a band.
    public static Script band(int band, byte[] bytes) {
        return out -> {
            for (int from = 0; from < bytes.length; from += 1000) {
                int length = Math.min(1000, bytes.length - from);
                var packet = new ByteArrayOutputStream();
                packet.write(band);
                packet.write(bytes, from, length);
                new PacketWriter(out).packet(packet.toByteArray(), 0, packet.size());
            }
        };
    }

    static Script band(int band, String words) {
        return band(band, words.getBytes(StandardCharsets.UTF_8));
    }

    /// The same again and again, until the client has enough.
    public static Script endless(Script script) {
        return out -> {
            while (true) {
                script.answer(out);
            }
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
