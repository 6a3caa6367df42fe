package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/// A relay on a real socket that answers as it is told to; [#HANG_UP] ends the connection.
final class ScriptedRelay implements AutoCloseable {
    static final String HANG_UP = "hang up";

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Loop loop = new Loop("scripted");

    ScriptedRelay(Function<String, List<String>> script) throws IOException {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        loop.listen(listener, () -> new Actor(script));
    }

    Target target() throws IOException {
        return Target.parse("ws://127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        loop.close();
    }

    private record Actor(Function<String, List<String>> script) implements Peer {
        @Override
        public void opened(Connection connection) {
            connection.send("[\"AUTH\",\"an offer\"]".getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            for (var answer : script.apply(new String(in, from, to - from, StandardCharsets.UTF_8))) {
                if (answer.equals(HANG_UP)) {
                    connection.close();
                } else {
                    connection.send(answer.getBytes(StandardCharsets.UTF_8));
                }
            }
        }

        @Override
        public void closed(Connection connection, String reason) {
            /* as scripted */
        }
    }
}
