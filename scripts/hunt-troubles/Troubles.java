import dev.grapnel.client.KeyFile;
import dev.grapnel.client.RelayConnection;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// A server that makes trouble for whoever hunts, and what must be published to have it hunted at. For
/// scripts/hunt-troubles.sh, with the jars of the program on the class path:
///
/// - `serve <port> <behind> <directory>` stands before a real server on 127.0.0.1 and behaves as the file `mood` in the
///   directory says, towards servers that hunt; for everybody else it is not there. It writes a line for each request
///   to `requests`. Ports of the same number on 127.0.0.2 and ::1 are for addresses to which nobody may connect: each
///   connection is a line in `trespassers`, and it is behaved there.
/// - `publish <relay> <key file> <identifier> <commit> <clone URL>...` signs an announcement and a state, publishes
///   both, and prints what the relay says.
private static final String GIT_ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-result\r\n"
        + "Connection: close\r\n\r\n";

void main(String[] arguments) throws Exception {
    var rest = List.of(arguments).subList(1, arguments.length);
    switch (arguments[0]) {
        case "serve" -> serve(Integer.parseInt(rest.get(0)), Integer.parseInt(rest.get(1)), Path.of(rest.get(2)));
        case "publish" -> publish(rest.get(0), rest.get(1), rest.get(2), rest.get(3), rest.subList(4, rest.size()));
        default -> throw new IllegalArgumentException("serve or publish");
    }
}

// ---- publishing

private static void publish(String relay, String keyFile, String identifier, String commit, List<String> urls) {
    var key = KeyFile.require(keyFile);
    long now = Instant.now().getEpochSecond();
    var clone = new ArrayList<>(List.of("clone"));
    clone.addAll(urls);
    var announcement = new EventDraft(
            now,
            Kinds.ANNOUNCEMENT,
            List.of(List.of("d", identifier), clone, List.of("relays", "wss://git.example.com")),
            "");
    var state = new EventDraft(
            now,
            Kinds.STATE,
            List.of(
                    List.of("d", identifier),
                    List.of("refs/heads/main", commit),
                    List.of("HEAD", "ref: refs/heads/main")),
            "");
    var none = Bytes.wrap(new byte[32]);
    try (var connection = RelayConnection.open(relay, Duration.ofSeconds(30))) {
        for (var draft : List.of(announcement, state)) {
            var answer = connection.publish(draft.sign(key, none));
            IO.println("    " + (answer.accepted() ? "taken: " : "refused: ") + answer.message());
        }
    }
}

// ---- the server

private static void serve(int port, int behind, Path directory) throws IOException {
    listen("127.0.0.2", port, behind, directory);
    try {
        listen("::1", port, behind, directory);
    } catch (SocketException e) {
        IO.println("this machine has no ::1, so nobody can come there: " + e.getMessage());
    }
    listen("127.0.0.1", port, behind, directory);
}

private static void listen(String address, int port, int behind, Path directory) throws IOException {
    var server = new ServerSocket(port, 50, InetAddress.ofLiteral(address));
    Thread.ofPlatform().start(() -> {
        while (true) {
            try {
                var peer = server.accept();
                if (!address.equals("127.0.0.1")) {
                    note(directory.resolve("trespassers"), address);
                }
                Thread.ofVirtual().start(() -> answer(peer, behind, directory));
            } catch (IOException e) {
                IO.println("it does not listen any more: " + e);
                return;
            }
        }
    });
}

private static void note(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
}

private static void answer(Socket peer, int behind, Path directory) {
    try (peer) {
        var in = peer.getInputStream();
        var head = readHead(in);
        boolean isHunter = head.toLowerCase(Locale.ROOT).contains("\r\nuser-agent: grapnel/");
        if (!isHunter) {
            tunnel(peer, head.getBytes(StandardCharsets.ISO_8859_1), behind);
            return;
        }
        note(directory.resolve("requests"), head.lines().findFirst().orElse(""));
        var body = in.readNBytes(lengthOf(head));
        var whole = new ByteArrayOutputStream();
        whole.write(head.getBytes(StandardCharsets.ISO_8859_1));
        whole.write(body);
        boolean isFetch = new String(body, StandardCharsets.ISO_8859_1).contains("command=fetch");
        var mood = peer.getLocalAddress().getHostAddress().equals("127.0.0.1")
                ? Files.readString(directory.resolve("mood")).strip()
                : "behave";
        misbehave(mood, isFetch, peer, whole.toByteArray(), head, behind);
    } catch (IOException _) {
        // whoever hunts may hang up at any time, and so may the server behind
    }
}

private static void misbehave(String mood, boolean isFetch, Socket peer, byte[] request, String head, int behind)
        throws IOException {
    var out = peer.getOutputStream();
    switch (mood) {
        case "busy" -> write(out, "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n");
        case "redirect" -> {
            var target = "//127.0.0.2:" + peer.getLocalPort() + head.split(" ", 3)[1];
            write(out, "HTTP/1.1 302 Found\r\nLocation: " + target + "\r\nContent-Length: 0\r\n\r\n");
        }
        case "die", "rubbish", "slow" -> {
            if (isFetch) {
                harm(mood, out, request, behind);
            } else {
                tunnel(peer, request, behind);
            }
        }
        default -> tunnel(peer, request, behind);
    }
}

private static void harm(String mood, OutputStream out, byte[] request, int behind) throws IOException {
    switch (mood) {
        case "die" -> {
            out.write(half(request, behind));
            out.flush();
            Runtime.getRuntime().halt(1);
        }
        case "rubbish" -> {
            var noise = new byte[1000];
            new Random(1).nextBytes(noise);
            var head = HexFormat.of().parseHex("5041434b00000002ffffffff"); // more objects than anybody takes
            System.arraycopy(head, 0, noise, 0, head.length);
            write(out, GIT_ANSWER + "000dpackfile\n" + "%04x".formatted(noise.length + 5) + "\1");
            out.write(noise);
            write(out, "0000");
        }
        default -> {
            write(out, GIT_ANSWER + "000dpackfile\n");
            while (true) {
                write(out, "0006\2."); // counting objects, for ever
                pause();
            }
        }
    }
}

private static void pause() {
    try {
        Thread.sleep(200);
    } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
    }
}

/// What the server behind answers, without its second half.
private static byte[] half(byte[] request, int behind) throws IOException {
    try (var server = new Socket(InetAddress.ofLiteral("127.0.0.1"), behind)) {
        server.getOutputStream().write(request);
        var whole = server.getInputStream().readAllBytes();
        return java.util.Arrays.copyOf(whole, whole.length / 2);
    }
}

private static void tunnel(Socket peer, byte[] begun, int behind) throws IOException {
    try (var server = new Socket(InetAddress.ofLiteral("127.0.0.1"), behind)) {
        server.getOutputStream().write(begun);
        Thread.ofVirtual().start(() -> {
            try {
                peer.getInputStream().transferTo(server.getOutputStream());
                server.shutdownOutput();
            } catch (IOException _) {
                // the other direction notices, too
            }
        });
        server.getInputStream().transferTo(peer.getOutputStream());
    }
}

private static String readHead(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
            throw new IOException("no request");
        }
        head.append((char) next);
    }
    return head.toString();
}

private static int lengthOf(String head) {
    return head.lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
}

private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
}
