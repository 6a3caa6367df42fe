package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A relay that does nothing: it acknowledges whatever it is sent, answers questions with the same events over
/// and over, and hands every event to every subscription. No relay can be faster with the same client, so what
/// the tool measures here is its own limit.
final class EchoRelay implements AutoCloseable {
    private static final byte[] OK = "[\"OK\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OK_END = "\",true,\"\"]".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EOSE = "[\"EOSE\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EOSE_END = "\"]".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EVENT = "[\"EVENT\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = "\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]".getBytes(StandardCharsets.US_ASCII);
    private static final int BACKLOG = 4096;
    private static final int ID_DIGITS = 64;

    private final ServerSocketChannel listener;
    private final Loop loop;
    private final List<byte[]> canned;
    private final Map<Subscription, byte[]> subscriptions = new LinkedHashMap<>();

    /// Listens on the loopback.
    ///
    /// @param port 0 for any
    EchoRelay(int port) throws IOException {
        canned = new Bulletins(1, List.of(), 1000, 1, InstantSource.system(), new SplittableRandom(1))
                .post(100)
                .events();
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        loop = new Loop("echo");
        loop.listen(listener, Echo::new);
    }

    int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        loop.close();
    }

    private record Subscription(Connection connection, String id) {}

    private final class Echo implements Peer {
        private final AnswerScan scan = new AnswerScan();

        @Override
        public void opened(Connection connection) {
            /* speaks when it is spoken to */
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            // A client's EVENT has its event where a relay's has a subscription.
            switch (in[from + 2]) {
                case 'E' -> publish(connection, in, from, to);
                case 'R' -> request(connection, in, from, to);
                case 'C' -> {
                    scan.read(in, from, to);
                    subscriptions.remove(new Subscription(connection, scan.text()));
                }
                default -> throw new IllegalStateException("an echo knows EVENT, REQ and CLOSE only");
            }
        }

        private void publish(Connection connection, byte[] in, int from, int to) {
            int id = idAt(in, from, to);
            connection.send(OK, Arrays.copyOfRange(in, id, id + ID_DIGITS), OK_END);
            if (!subscriptions.isEmpty()) {
                var event = Arrays.copyOfRange(in, from + "[\"EVENT\",".length(), to - 1);
                subscriptions.forEach((subscription, subscriptionId) ->
                        subscription.connection.send(EVENT, subscriptionId, BETWEEN, event, END));
            }
        }

        private void request(Connection connection, byte[] in, int from, int to) {
            scan.read(in, from, to);
            var id = Arrays.copyOfRange(in, scan.textFrom(), scan.textTo());
            int filter = scan.textTo();
            if (find(in, filter, to, "\"#t\"") >= 0) {
                subscriptions.put(new Subscription(connection, scan.text()), id);
            } else {
                int count = find(in, filter, to, "\"ids\"") >= 0 ? 1 : limit(in, filter, to);
                for (int i = 0; i < count; i++) {
                    connection.send(EVENT, id, BETWEEN, canned.get(i % canned.size()), END);
                }
            }
            connection.send(EOSE, id, EOSE_END);
        }

        @Override
        public void closed(Connection connection, String reason) {
            subscriptions.keySet().removeIf(subscription -> subscription.connection == connection);
        }
    }

    private static int limit(byte[] in, int from, int to) {
        int at = find(in, from, to, "\"limit\":");
        int limit = 0;
        for (at += "\"limit\":".length();
                at >= "\"limit\":".length() && at < to && in[at] >= '0' && in[at] <= '9';
                at++) {
            limit = 10 * limit + in[at] - '0';
        }
        return limit;
    }

    private static int idAt(byte[] in, int from, int to) {
        int at = find(in, from, to, "\"id\":\"");
        return at < 0 ? from : at + "\"id\":\"".length();
    }

    private static int find(byte[] in, int from, int to, String key) {
        for (int at = from; at <= to - key.length(); at++) {
            int same = 0;
            while (same < key.length() && in[at + same] == key.charAt(same)) {
                same++;
            }
            if (same == key.length()) {
                return at;
            }
        }
        return -1;
    }
}
