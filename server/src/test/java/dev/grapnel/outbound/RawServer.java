package dev.grapnel.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/// A server that does with every connection what a test wants, down to the bytes.
public final class RawServer implements AutoCloseable {
    /// What is done with a connection, which is closed afterwards.
    @FunctionalInterface
    public interface Script {
        void talk(Socket peer) throws Exception;
    }

    private final ServerSocket server;
    private final Script script;
    private final List<Socket> peers = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final Semaphore arrivals = new Semaphore(0);

    private RawServer(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread.ofVirtual().name("raw-server").start(this::accept);
    }

    /// Plain, on loopback.
    public static RawServer open(Script script) throws IOException {
        return open("127.0.0.1", 0, script);
    }

    /// Plain, anywhere.
    public static RawServer open(String address, int port, Script script) throws IOException {
        return new RawServer(new ServerSocket(port, 50, InetAddress.ofLiteral(address)), script);
    }

    /// With TLS, on loopback.
    public static RawServer open(SSLContext tls, Script script) throws IOException {
        var sockets = tls.getServerSocketFactory();
        return new RawServer(sockets.createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")), script);
    }

    /// Answers every request with these bytes.
    public static Script answering(String answer) {
        return peer -> {
            readHead(peer.getInputStream());
            peer.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        };
    }

    /// A whole answer with a length.
    public static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /// Another answer than a body.
    public static String redirect(String location) {
        return "HTTP/1.1 302 Found\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n";
    }

    public int port() {
        return server.getLocalPort();
    }

    /// Connections so far.
    public int accepted() {
        return peers.size();
    }

    /// Heads of requests that were read with [#take].
    public List<String> heads() {
        return List.copyOf(heads);
    }

    /// Reads the head of a request and remembers it.
    public String take(Socket peer) throws IOException {
        var head = readHead(peer.getInputStream());
        heads.add(head);
        return head;
    }

    /// Waits until somebody has connected.
    public void awaitArrival() throws InterruptedException {
        if (!arrivals.tryAcquire(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody came");
        }
    }

    /// Reads until the empty line.
    public static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return head.toString();
            }
            head.append((char) c);
        }
        return head.toString();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var peer = server.accept();
                peers.add(peer);
                Thread.ofVirtual().name("raw-peer").start(() -> talk(peer));
                arrivals.release();
            } catch (IOException _) {
                return; // closed, which is how a test ends
            }
        }
    }

    private void talk(Socket peer) {
        try (peer) {
            script.talk(peer);
        } catch (Exception _) {
            // Clients hang up in the middle: that is what tests are about.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (var peer : peers) {
                peer.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
