package dev.grapnel.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.server.git.GitClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/// A push that goes on only when told.
final class HalfPush implements AutoCloseable {
    private final Socket socket;
    private final byte[] pack;
    private int sent;

    /// Sends the commands and nothing of the pack.
    ///
    /// @param address of the client, as a proxy tells it; empty for none
    HalfPush(String url, String address, String ref, String commit, byte[] pack) throws IOException {
        this(url, address, ref, "0".repeat(40), commit, pack);
    }

    /// The same for a ref that is there.
    HalfPush(String url, String address, String ref, String before, String commit, byte[] pack) throws IOException {
        var uri = URI.create(url);
        var line = before + " " + commit + " " + ref + "\0report-status side-band-64k";
        var commands = "%04x%s0000".formatted(line.length() + 4, line).getBytes(UTF_8);
        var head = "POST " + uri.getPath() + "/git-receive-pack HTTP/1.1\r\nHost: " + uri.getAuthority()
                + "\r\nContent-Type: application/x-git-receive-pack-request\r\nConnection: close\r\nContent-Length: "
                + (commands.length + pack.length) + "\r\n"
                + (address.isEmpty() ? "" : "X-Forwarded-For: " + address + "\r\n") + "\r\n";
        this.pack = pack.clone();
        this.socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(head.getBytes(UTF_8));
        socket.getOutputStream().write(commands);
        socket.getOutputStream().flush();
    }

    /// Everything a commit has that another lacks.
    static byte[] pack(PushStory story, String commit, String without) throws IOException {
        return pack(story.git(), story.work(), commit, without);
    }

    static byte[] pack(GitClient git, Path work, String commit, String without) throws IOException {
        var list = (commit + "\n" + (without.isEmpty() ? "" : "^" + without + "\n")).getBytes(UTF_8);
        git.run(work, list, "pack-objects", "--quiet", "--revs", "half").orFail();
        try (var found = Files.newDirectoryStream(work, "half-*.pack")) {
            var bytes = new ByteArrayOutputStream();
            for (Path path : found) {
                Files.copy(path, bytes);
                Files.delete(path);
            }
            return bytes.toByteArray();
        }
    }

    /// Sends some more.
    HalfPush send(int bytes) throws IOException {
        int count = Math.min(bytes, pack.length - sent);
        socket.getOutputStream().write(pack, sent, count);
        socket.getOutputStream().flush();
        sent += count;
        return this;
    }

    /// Sends the rest and reads the answer.
    String finish() throws IOException {
        send(pack.length);
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    /// Goes away.
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
