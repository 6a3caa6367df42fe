package dev.grapnel.server;

import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.websocket.ScriptedPeer;
import dev.grapnel.websocket.Incoming;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/// A relay on a real socket that does what relays should not. It has no information document.
final class HostileRelay implements AutoCloseable {
    private static final Pattern MESSAGE = Pattern.compile("\\[\"([A-Z-]+)\",\"([^\"]+)\"");

    private final String address;
    private final RawServer server;
    private final List<Long> calls;

    /// What a client said.
    ///
    /// @param id of the subscription or comparison
    record Said(String verb, String id, String text) {}

    private HostileRelay(String address, RawServer server, List<Long> calls) {
        this.address = address;
        this.server = server;
        this.calls = calls;
    }

    /// Answers handshakes as it should, and lies from then on.
    static HostileRelay open(ScriptedPeer.Talk lie) throws IOException {
        return open("127.0.0.1", "", lie);
    }

    /// The same at an address of loopback.
    ///
    /// @param fields more of them for the answer to the handshake
    static HostileRelay open(String address, String fields, ScriptedPeer.Talk lie) throws IOException {
        var calls = new CopyOnWriteArrayList<Long>();
        var script = ScriptedPeer.talking(fields, peer -> {
            calls.add(System.nanoTime());
            apart(() -> lie.talk(peer));
        });
        return new HostileRelay(address, RawServer.open(address, 0, script), calls);
    }

    /// Answers not even the handshake as it should.
    static HostileRelay openRude(RawServer.Script lie) throws IOException {
        var calls = new CopyOnWriteArrayList<Long>();
        var server = RawServer.open(peer -> {
            if (RawServer.readHead(peer.getInputStream()).contains("Sec-WebSocket-Key")) {
                calls.add(System.nanoTime());
                apart(() -> lie.talk(peer));
            }
        });
        return new HostileRelay("127.0.0.1", server, calls);
    }

    private interface Deed {
        void run() throws Exception;
    }

    /// On a thread of the system: a flood on a virtual one would keep its carrier, which the server shares in a test.
    private static void apart(Deed deed) throws InterruptedException {
        Thread.ofPlatform()
                .daemon()
                .name("hostile-relay")
                .start(() -> {
                    try {
                        deed.run();
                    } catch (Exception _) {
                        // it was hung up on, which is what tests are about
                    }
                })
                .join();
    }

    String url() {
        return "ws://" + address + ":" + server.port();
    }

    /// When it was called, by the clock that only runs forward.
    List<Long> calls() {
        return List.copyOf(calls);
    }

    /// The next message of a client.
    static Said next(ScriptedPeer peer) throws IOException {
        while (true) {
            switch (peer.next()) {
                case Incoming.Text text -> {
                    var words = new String(text.bytes(), 0, text.length(), StandardCharsets.UTF_8);
                    var found = MESSAGE.matcher(words);
                    return found.find() ? new Said(found.group(1), found.group(2), words) : new Said("", "", words);
                }
                case Incoming.Close _ -> throw new EOFException();
                case Incoming other -> {
                    if (other instanceof Incoming.Fault) {
                        throw new EOFException();
                    }
                }
            }
        }
    }

    /// Waits for a message with this verb, and answers those before it as a relay that has nothing.
    static Said await(ScriptedPeer peer, String verb) throws IOException {
        for (var said = next(peer); ; said = next(peer)) {
            if (said.verb().equals(verb)) {
                return said;
            }
            answer(peer, said);
        }
    }

    /// Answers as a relay that has nothing and does not compare at the moment.
    static void answer(ScriptedPeer peer, Said said) throws IOException {
        switch (said.verb()) {
            case "REQ" -> peer.text("[\"EOSE\",\"" + said.id() + "\"]");
            case "NEG-OPEN" -> peer.text("[\"NEG-ERR\",\"" + said.id() + "\",\"error: not now\"]");
            default -> {} // nothing is to be said
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
