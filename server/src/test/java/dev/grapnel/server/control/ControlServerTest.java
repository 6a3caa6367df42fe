package dev.grapnel.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.control.JsonValue.Text;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Over the real socket.
@NullUnmarked
@Timeout(60)
final class ControlServerTest {
    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<ControlServer> servers = new ArrayList<>();

    /// Says what it was told.
    private static final class Echo implements ControlCommand {
        @Override
        public String name() {
            return "echo";
        }

        @Override
        public void run(ControlRequest request, ControlOutput output) throws IOException, ControlRefusal {
            var words = request.arguments().findText("words").orElseThrow(() -> new ControlRefusal("say something"));
            output.progress(new JsonWriter(16).raw("{\"done\":0}"));
            output.line(new JsonWriter(64).raw("{\"words\":").string(words).raw("}"));
        }
    }

    /// Says one thing and waits.
    private final class Patient implements ControlCommand {
        @Override
        public String name() {
            return "wait";
        }

        @Override
        public void run(ControlRequest request, ControlOutput output) throws IOException {
            output.line(new JsonWriter(16).raw("{}"));
            try {
                release.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Talks until nobody listens.
    private final class Talker implements ControlCommand {
        @Override
        public String name() {
            return "talk";
        }

        @Override
        public void run(ControlRequest request, ControlOutput output) throws IOException {
            try {
                while (true) {
                    output.line(new JsonWriter(16).raw("{}"));
                }
            } finally {
                ended.countDown();
            }
        }
    }

    private static final class Broken implements ControlCommand {
        @Override
        public String name() {
            return "break";
        }

        @Override
        public void run(ControlRequest request, ControlOutput output) {
            throw new IllegalStateException("as the test wants");
        }
    }

    /// Has to do with a disk that does not want to.
    private static final class Unlucky implements ControlCommand {
        @Override
        public String name() {
            return "fail";
        }

        @Override
        public void run(ControlRequest request, ControlOutput output) throws IOException {
            output.line(new JsonWriter(16).raw("{}"));
            throw new IOException("the file x cannot be read");
        }
    }

    private ControlServer open(Path data) throws IOException {
        var commands = List.of(new Echo(), new Patient(), new Talker(), new Broken(), new Unlucky());
        var server = ControlServer.open(data, commands, ControlLimits.DEFAULTS, nanos::get);
        servers.add(server);
        return server;
    }

    @AfterEach
    void close() {
        release.countDown();
        servers.forEach(ControlServer::close);
    }

    private static SocketChannel connect(ControlServer server) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(server.path()));
    }

    private static void send(SocketChannel channel, String text) throws IOException {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static List<String> readAll(SocketChannel channel) throws IOException {
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static List<String> ask(ControlServer server, String request) throws IOException {
        try (var channel = connect(server)) {
            send(channel, request);
            return readAll(channel);
        }
    }

    private static String echo(Path data, String words) {
        var heard = new StringBuilder();
        try (var client = ControlClient.connect(data).orElseThrow()) {
            client.ask(
                    new ControlRequest("echo", Map.of("words", new Text(words))),
                    line -> heard.append(line.findText("words").orElseThrow()));
        }
        return heard.toString();
    }

    private static String modeOf(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void theAnswerIsLinesAndTheLastSaysHowItEnded() throws IOException {
        assertEquals(
                List.of("{\"progress\":{\"done\":0}}", "{\"line\":{\"words\":\"ä\\n\"}}", "{\"ok\":true}"),
                ask(open(directory), "{\"command\":\"echo\",\"arguments\":{\"words\":\"ä\\n\"}}\n"));
    }

    /// It is stopped in the middle.
    @Test
    void whoSaysNothingIsNotWaitedForForEver() throws IOException {
        open(directory);
        var heard = new ArrayList<Object>();
        try (var client = ControlClient.connect(directory).orElseThrow()) {
            var failure = assertThrows(
                    ToolFailure.class,
                    () -> client.ask(new ControlRequest("wait", Map.of()), heard::add, Duration.ofSeconds(1)));
            assertTrue(failure.getMessage().contains("has said nothing for 1 s"), failure.getMessage());
        }
        assertEquals(1, heard.size());
        release.countDown();
    }

    @Test
    void nobodyButTheOwnerMayUseTheSocket() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        var server = open(directory);
        assertEquals(directory.toRealPath().resolve("control.sock"), server.path());
        assertEquals("rw-------", modeOf(server.path()));
        assertFalse(Files.exists(directory.resolve("control.new")));
    }

    @Test
    void theSocketIsGoneOnceTheServerIs() throws IOException {
        open(directory).close();
        try (var left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
        assertTrue(ControlClient.connect(directory).isEmpty());
    }

    @Test
    void whatAKilledServerLeftIsReplaced() throws IOException {
        var stale = directory.resolve("control.sock");
        var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        killed.bind(UnixDomainSocketAddress.of(stale));
        killed.close(); // the file stays, as it does after a kill
        Files.createDirectory(directory.resolve("control.new"));
        Files.createFile(directory.resolve("control.new").resolve("s"));
        assertTrue(ControlClient.connect(directory).isEmpty());
        open(directory);
        assertEquals("again", echo(directory, "again"));
    }

    @Test
    void theSocketOfALiveServerIsNotTaken() throws IOException {
        var first = open(directory);
        var problem = assertThrows(IOException.class, () -> open(directory));
        assertEquals("another server answers at " + first.path(), problem.getMessage());
        assertEquals("still here", echo(directory, "still here"));
    }

    @Test
    void aSocketThatTookThePlaceOfOursIsLeftAlone() throws IOException {
        var first = open(directory);
        Files.delete(first.path());
        open(directory);
        first.close();
        assertEquals("mine", echo(directory, "mine"));
    }

    @Test
    void behindALongPathTheSocketIsInAPrivateDirectory() throws IOException {
        var deep = Files.createDirectories(directory.resolve("x".repeat(60)).resolve("y".repeat(60)));
        var server = open(deep);
        var own = server.path().getParent();
        assertEquals("rwx------", modeOf(own));
        assertEquals("rw-------", modeOf(server.path()));
        assertEquals("from afar", echo(deep, "from afar"));
        server.close();
        assertFalse(Files.exists(own));
        assertFalse(Files.exists(deep.resolve("control.path")));
    }

    @Test
    void whatAKilledServerLeftAmongTemporaryFilesIsRemoved() throws IOException {
        var deep = Files.createDirectories(directory.resolve("x".repeat(60)).resolve("y".repeat(60)));
        var server = open(deep);
        var own = server.path().getParent();
        var pointer = Files.readString(deep.resolve("control.path"));
        server.close();
        Files.createDirectory(own);
        Files.createFile(server.path());
        Files.writeString(deep.resolve("control.path"), pointer);

        var second = open(deep);
        assertFalse(Files.exists(own));
        assertEquals("here", echo(deep, "here"));
        assertEquals(second.path() + "\n", Files.readString(deep.resolve("control.path")));
    }

    @Test
    void aPointerThatNoServerWroteIsNotFollowed() throws IOException {
        var strange = Files.createDirectory(directory.resolve("strange"));
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(strange.resolve("s")));
            Files.writeString(directory.resolve("control.path"), strange.resolve("s") + "\n");
            assertTrue(ControlClient.connect(directory).isEmpty());
            open(directory);
            assertFalse(Files.exists(directory.resolve("control.path")));
            assertTrue(Files.exists(strange.resolve("s")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/s", "s", "grapnel-gone/s", "\0", "\n\n"})
    void aPointerThatLeadsNowhereIsNoObstacle(String text) throws IOException {
        Files.writeString(directory.resolve("control.path"), text);
        assertTrue(ControlClient.connect(directory).isEmpty());
        open(directory);
        assertEquals("here", echo(directory, "here"));
    }

    @Test
    void aPointerThatIsNoTextIsNoObstacle() throws IOException {
        Files.write(directory.resolve("control.path"), new byte[] {(byte) 0xff, (byte) 0xfe});
        open(directory);
        assertEquals("here", echo(directory, "here"));
    }

    @Test
    void manyAreAnsweredAtOnceAndOneMoreIsToldToComeBack() throws IOException {
        var server = open(directory);
        var clients = new ArrayList<SocketChannel>();
        for (int i = 0; i < ControlLimits.DEFAULTS.connectionsMax(); i++) {
            var client = connect(server);
            send(client, "{\"command\":\"wait\"}\n");
            assertTrue(client.read(ByteBuffer.allocate(1)) > 0);
            clients.add(client);
        }
        var full = assertThrows(ToolFailure.class, () -> echo(directory, "me too"));
        assertEquals(
                "the server answers 8 requests already, which is the most; try again in a moment", full.getMessage());
        clients.removeLast().close();
        release.countDown();
        for (var client : clients) {
            assertEquals("{\"ok\":true}", readAll(client).getLast());
        }
        assertEquals("now", eventually("now"));
    }

    /// Places are free a moment after their last line.
    private String eventually(String words) {
        while (true) {
            try {
                return echo(directory, words);
            } catch (ToolFailure full) {
                assertTrue(full.getMessage().contains("try again"), full.getMessage());
            }
        }
    }

    @Test
    void aRequestThatIsTooLongIsRefused() throws IOException {
        var server = open(directory);
        int most = ControlLimits.DEFAULTS.requestBytesMax();
        var answer = List.of("{\"error\":\"the request is too long: 65536 bytes are the most\"}");
        assertEquals(answer, ask(server, "x".repeat(most + 1)));

        var problem = assertThrows(ToolFailure.class, () -> echo(directory, "x".repeat(4 << 20)));
        assertEquals("the request is too long: 65536 bytes are the most", problem.getMessage());

        var frame = "{\"command\":\"echo\",\"arguments\":{\"words\":\"\"}}";
        var words = "x".repeat(most - frame.length());
        assertEquals(words, echo(directory, words));
    }

    @Test
    void whatIsNoRequestIsAnsweredWithAReason() throws IOException {
        var server = open(directory);
        assertEquals(List.of("{\"error\":\"the request cannot be read: it is no JSON object\"}"), ask(server, "[1]\n"));
        assertEquals(List.of("{\"error\":\"the request cannot be read: it names no command\"}"), ask(server, "{}\n"));
        assertTrue(ask(server, "GET / HTTP/1.1\n").getFirst().startsWith("{\"error\":\"the request cannot be read: "));
        assertEquals(List.of("{\"error\":\"say something\"}"), ask(server, "{\"command\":\"echo\"}\n"));
        assertEquals(
                List.of(
                        "{\"error\":\"this server knows no command 'fly', but echo, wait, talk, break, fail; is it of another"
                                + " version?\"}"),
                ask(server, "{\"command\":\"fly\"}\n"));
        assertEquals(
                List.of("{\"error\":\"the server failed to answer; its log says more\"}"),
                ask(server, "{\"command\":\"break\"}\n"));
    }

    @Test
    void anAnswerThatFailsInTheMiddleSaysWhy() throws IOException {
        assertEquals(
                List.of("{\"line\":{}}", "{\"error\":\"the server could not go on: the file x cannot be read\"}"),
                ask(open(directory), "{\"command\":\"fail\"}\n"));
    }

    @Test
    void aCommandEndsWhenItsClientHasGone() throws Exception {
        var server = open(directory);
        try (var client = connect(server)) {
            send(client, "{\"command\":\"talk\"}\n");
            assertTrue(client.read(ByteBuffer.allocate(64)) > 0);
        }
        assertTrue(ended.await(30, TimeUnit.SECONDS));
    }

    @Test
    void whoAsksForNothingIsSentAwayInTheEnd() throws IOException {
        var server = open(directory);
        try (var silent = connect(server);
                var client = connect(server)) {
            send(client, "{\"command\":\"wait\"}\n");
            assertTrue(client.read(ByteBuffer.allocate(64)) > 0); // by now both are known to the server
            nanos.addAndGet(ControlLimits.DEFAULTS.requestWait().toNanos() - 1);
            server.look();
            silent.configureBlocking(false);
            assertEquals(0, silent.read(ByteBuffer.allocate(1)));
            nanos.addAndGet(1);
            server.look();
            silent.configureBlocking(true);
            assertEquals(-1, silent.read(ByteBuffer.allocate(1)));
            nanos.addAndGet(Duration.ofDays(1).toNanos());
            server.look(); // a command may work for as long as it likes
            release.countDown();
            assertEquals("{\"ok\":true}", readAll(client).getLast());
        }
    }

    @Test
    void whoDoesNotReadIsSentAwayInTheEnd() throws Exception {
        var server = open(directory);
        try (var client = connect(server)) {
            send(client, "{\"command\":\"talk\"}\n");
            while (!ended.await(10, TimeUnit.MILLISECONDS)) {
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                server.look();
            }
            assertTrue(readAll(client).size() > 1);
        }
    }

    @Test
    void aStoppingServerEndsItsAnswers() throws Exception {
        var server = open(directory);
        try (var client = ControlClient.connect(directory).orElseThrow()) {
            var stopper = Thread.ofVirtual().unstarted(server::close);
            var problem = assertThrows(
                    ToolFailure.class, () -> client.ask(new ControlRequest("talk", Map.of()), _ -> start(stopper)));
            assertTrue(problem.getMessage().startsWith("the server in " + directory), problem.getMessage());
            stopper.join();
        }
        assertTrue(ended.await(30, TimeUnit.SECONDS));
    }

    private static void start(Thread thread) {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }
}
