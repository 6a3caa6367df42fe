package dev.grapnel.server;

import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.git.client.ScriptedServer.Script;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.outbound.RawServer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/// A git server with moods: each of its repositories is answered for as a test tells, and like by git's own server
/// unless it tells something. It counts who comes.
final class TroubledHost implements AutoCloseable {
    private final int stockPort;
    private final InstantSource clock;
    private final Map<String, Mood> moods = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openMost = new AtomicInteger();
    private RawServer server;

    /// How requests for a repository are answered.
    @FunctionalInterface
    interface Mood {
        void answer(Asked asked, OutputStream out) throws IOException;
    }

    /// A request.
    ///
    /// @param at in the server's time
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Asked(Instant at, String head, byte[] body) {
        /// The first of a visit.
        boolean isFirst() {
            return head.startsWith("GET ");
        }

        /// For objects.
        boolean isFetch() {
            return new String(body, StandardCharsets.ISO_8859_1).contains("command=fetch");
        }

        /// As the request spells it.
        String path() {
            return head.split(" ", 3)[1];
        }

        Asked with(String otherHead) {
            return new Asked(at, otherHead, body);
        }

        String repository() {
            return path().substring(1).split("\\.git", 2)[0];
        }
    }

    private TroubledHost(int stockPort, InstantSource clock, Opening opening) throws IOException {
        this.stockPort = stockPort;
        this.clock = clock;
        this.server = opening.open(this::talk);
    }

    @FunctionalInterface
    private interface Opening {
        RawServer open(RawServer.Script script) throws IOException;
    }

    /// @param stockPort of the server that has the repositories
    static TroubledHost open(int stockPort, InstantSource clock) throws IOException {
        return new TroubledHost(stockPort, clock, RawServer::open);
    }

    /// At another address of this machine.
    static TroubledHost open(int stockPort, InstantSource clock, String address, int port) throws IOException {
        return new TroubledHost(stockPort, clock, script -> RawServer.open(address, port, script));
    }

    /// Encrypted.
    static TroubledHost open(int stockPort, InstantSource clock, SSLContext tls) throws IOException {
        return new TroubledHost(stockPort, clock, script -> RawServer.open(tls, script));
    }

    int port() {
        return server.port();
    }

    /// Everything that was asked so far, oldest first.
    List<Asked> asked() {
        return List.copyOf(asked);
    }

    /// Conversations that were begun.
    long visits() {
        return asked.stream().filter(Asked::isFirst).count();
    }

    /// Conversations about a repository.
    long visits(String repository) {
        return asked.stream()
                .filter(one -> one.isFirst() && one.repository().equals(repository))
                .count();
    }

    /// Connections so far, whatever came of them.
    int connections() {
        return server.accepted();
    }

    /// The most requests that waited for an answer at once.
    int openMost() {
        return openMost.get();
    }

    // ---- moods

    /// From now on.
    TroubledHost mood(String repository, Mood mood) {
        moods.put(repository, mood);
        return this;
    }

    /// As git's own server answers.
    TroubledHost behaves(String repository) {
        return mood(repository, this::behave);
    }

    /// Always this.
    TroubledHost says(String repository, Script script) {
        return mood(repository, (_, out) -> script.answer(out));
    }

    /// Says that it has a branch, and gives this when it is asked for it.
    TroubledHost gives(String repository, Oid tip, Script script) {
        return mood(repository, (one, out) -> {
            if (one.isFirst()) {
                ScriptedServer.greeting().answer(out);
            } else if (one.isFetch()) {
                script.answer(out);
            } else {
                ScriptedServer.refs(tip).answer(out);
            }
        });
    }

    /// Has one branch, by heart: no other program is asked.
    TroubledHost knows(String repository, Oid tip, byte[] pack) {
        return gives(repository, tip, ScriptedServer.pack(pack));
    }

    /// Breaks off in the middle of what it was asked for.
    TroubledHost breaksOff(String repository, int after) {
        return mood(repository, (one, out) -> {
            if (one.isFetch()) {
                pump(one, out, after);
            } else {
                behave(one, out);
            }
        });
    }

    /// As now, but with something before each answer.
    TroubledHost before(String repository, Consumer<Asked> first) {
        var mood = moods.getOrDefault(repository, this::behave);
        return mood(repository, (one, out) -> {
            first.accept(one);
            mood.answer(one, out);
        });
    }

    /// Goes away: nobody listens there any more.
    void die() {
        server.close();
    }

    /// Listens again where it did.
    void comeBack() throws IOException {
        server = RawServer.open("127.0.0.1", server.port(), this::talk);
    }

    private void talk(Socket peer) throws IOException {
        var one = read(peer);
        if (one.head().isEmpty()) {
            return; // it came and went
        }
        asked.add(one);
        openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
        var isAnswered = new AtomicBoolean();
        Runnable ended = () -> {
            if (isAnswered.compareAndSet(false, true)) {
                open.decrementAndGet();
            }
        };
        try {
            moods.getOrDefault(one.repository(), this::behave).answer(one, telling(peer.getOutputStream(), ended));
            peer.shutdownOutput();
        } finally {
            ended.run();
        }
    }

    /// Tells before the first byte, because whoever has the last one may come again before anybody notices.
    private static OutputStream telling(OutputStream out, Runnable first) {
        return new FilterOutputStream(out) {
            @Override
            public void write(int value) throws IOException {
                first.run();
                out.write(value);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                first.run();
                out.write(bytes, offset, length);
            }
        };
    }

    private Asked read(Socket peer) throws IOException {
        var in = peer.getInputStream();
        var head = RawServer.readHead(in);
        for (var line : head.split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                return new Asked(
                        clock.instant(),
                        head,
                        in.readNBytes(Integer.parseInt(line.substring(15).strip())));
            }
        }
        return new Asked(clock.instant(), head, new byte[0]);
    }

    void behave(Asked one, OutputStream out) throws IOException {
        pump(one, out, Long.MAX_VALUE);
    }

    private void pump(Asked one, OutputStream out, long most) throws IOException {
        try (var stock = new Socket(InetAddress.getLoopbackAddress(), stockPort)) {
            stock.getOutputStream().write(one.head().getBytes(StandardCharsets.ISO_8859_1));
            stock.getOutputStream().write(one.body());
            copy(stock.getInputStream(), out, most);
        }
    }

    private static void copy(InputStream in, OutputStream out, long most) throws IOException {
        var buffer = new byte[8192];
        long left = most;
        for (int count = in.read(buffer); count >= 0 && left > 0; count = in.read(buffer)) {
            out.write(buffer, 0, (int) Math.min(count, left));
            left -= count;
        }
        out.flush();
    }

    @Override
    public void close() {
        server.close();
    }
}
