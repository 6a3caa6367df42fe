package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.server.control.ControlLimits;
import dev.grapnel.server.control.ControlServer;
import dev.grapnel.server.control.SyncListAnswer;
import dev.grapnel.server.control.SyncNowAnswer;
import dev.grapnel.server.control.SyncShowAnswer;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.MadeUpSync;
import dev.grapnel.sync.SyncPicture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `grapnel sync`, asked of a server whose sync is made up.
@Timeout(60)
final class SyncCommandTest {
    @TempDir
    Path directory;

    private final List<ControlServer> servers = new ArrayList<>();
    private final List<Optional<RemoteUrl>> compared = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(ControlServer::close);
    }

    private Terminal serve(SyncView view) throws IOException {
        servers.add(ControlServer.open(
                directory,
                List.of(new SyncListAnswer(view), new SyncShowAnswer(view), new SyncNowAnswer(view)),
                ControlLimits.DEFAULTS,
                System::nanoTime));
        return new Terminal(directory);
    }

    private Terminal serve(SyncPicture.Relay... relays) throws IOException {
        return serve(new SyncView() {
            @Override
            public boolean isOn() {
                return true;
            }

            @Override
            public Optional<SyncPicture> picture() {
                return Optional.of(MadeUpSync.picture(relays));
            }

            @Override
            public int compareNow(Optional<RemoteUrl> one) {
                compared.add(one);
                return (int) List.of(relays).stream()
                        .filter(relay -> one.isEmpty() || one.get().equals(relay.url()))
                        .filter(relay -> relay.link().state().isUp())
                        .count();
            }

            @Override
            public long inboundBytes() {
                return 0;
            }
        });
    }

    private static void says(Terminal.Outcome outcome, String... lines) {
        assertEquals(List.of(lines), outcome.lines(), outcome.err());
        assertEquals(0, outcome.code());
    }

    private static void refuses(Terminal.Outcome outcome, String words) {
        assertEquals(1, outcome.code(), outcome.out());
        assertTrue(outcome.err().contains(words), outcome.err());
    }

    @Test
    void listIsATableWithThoseToLookAtFirst() throws IOException {
        var terminal = serve(
                MadeUpSync.well("wss://a.example"),
                MadeUpSync.ill("wss://z.example", "sent events with wrong signatures"));
        says(
                terminal.run("sync", "list"),
                "RELAY                                STATE                   HEALTH          REPOS        LAG  LIVE"
                        + " WAITING  TROUBLE",
                "wss://z.example                      disconnected            degraded            1        7 s     0"
                        + "       0  it sent events with wrong signatures, 12 times, last 3 min ago",
                "wss://a.example                      connected               healthy             4        7 s    24"
                        + "       0",
                "2 relays followed, 1 to look at");
        var json = terminal.run("sync", "list", "--json").lines();
        assertEquals(2, json.size());
        assertTrue(json.getFirst().startsWith("{\"relay\":\"wss://z.example\",\"state\":\"disconnected\""));
    }

    @Test
    void showTellsEverything() throws IOException {
        var terminal = serve(MadeUpSync.busy("wss://boot.example"), MadeUpSync.ill("wss://z.example", "was lost"));
        says(
                terminal.run("sync", "show", "z.example"),
                "wss://z.example: disconnected, degraded",
                "  repositories   1 in full, 1 that still wait",
                "  complete until 7 s ago",
                "  next try       in 1 min 20 s, after failing",
                "  failures       5 in a row, 3 connections since the start",
                "  left because   it fell silent",
                "  awaited        0 batches, 0 to be tried again; 0 events to be judged",
                "  streamed       0 filters of up to 100 values",
                "  not streamed   nothing",
                "  subscriptions  0 live, 0 for what is stored, 0 comparing; at most 20",
                "  requests       up to 0.25 a second",
                "  found out      at most 12 subscriptions at once, until 2026-01-02T04:04:05Z",
                "  trouble        it was lost, 12 times, last 3 min ago");
        says(
                terminal.run("sync", "show", "wss://BOOT.example/"),
                "wss://boot.example: connected with failures, rate limited (bootstrap)",
                "  repositories   6 in full, 3 that still wait",
                "  complete until 7 s ago",
                "  failures       0 in a row, 3 connections since the start",
                "  awaited        4 batches, 2 to be tried again, the oldest for 1 min 15 s; 17 events to be judged",
                "  streamed       24 filters of up to 100 values",
                "  not streamed   answers in threads, and quotations (150 values), last looked for 5 min ago",
                "  subscriptions  3 live, 8 for what is stored, 1 comparing; at most 20",
                "  requests       up to 2 a second, none for 1 min 5 s more");
        assertTrue(terminal.run("sync", "show", "--json", "z.example").out().startsWith("{\"relay\":\"wss://z"));
    }

    @Test
    void theOnlyRelayOfThatNameIsMeantWhateverItsScheme() throws IOException {
        var terminal = serve(MadeUpSync.well("ws://127.0.0.1:21102"), MadeUpSync.well("wss://a.example"));
        assertTrue(terminal.run("sync", "show", "127.0.0.1:21102").out().startsWith("ws://127.0.0.1:21102: "));
    }

    @Test
    void relaysOfWhichNotAllIsShownHaveDifferentNames() throws IOException {
        var path = "x".repeat(200);
        var relays = List.of(
                MadeUpSync.well("wss://a.example/?key=one"),
                MadeUpSync.well("wss://a.example/?key=two"),
                MadeUpSync.well("wss://a.example/" + path + "1"),
                MadeUpSync.well("wss://a.example/" + path + "2"));
        var terminal = serve(relays.toArray(SyncPicture.Relay[]::new));
        assertEquals(4, relays.stream().map(SyncPicture.Relay::name).distinct().count());
        for (var relay : relays) {
            assertTrue(terminal.run("sync", "show", relay.name()).out().startsWith(relay.name() + ": "));
            assertTrue(!relay.name().contains("key"));
        }
    }

    /// Failures are remembered over a restart, what they were is not.
    @Test
    void whatFailedBeforeTheLastStartIsTold() throws IOException {
        var terminal = serve(MadeUpSync.ill("wss://z.example"));
        assertTrue(terminal.run("sync", "list").out().contains("  it failed before the last start\n"));
        assertTrue(terminal.run("sync", "show", "z.example").out().contains("trouble        it failed before"));
    }

    @Test
    void nowComparesAllOrOne() throws IOException {
        var terminal = serve(MadeUpSync.well("wss://a.example"), MadeUpSync.ill("wss://z.example"));
        says(
                terminal.run("sync", "now"),
                "comparing with 1 relay soon, of 2 that are followed; those that are not connected follow when they are");
        says(terminal.run("sync", "now", "a.example"), "comparing with wss://a.example soon");
        says(
                terminal.run("sync", "now", "z.example"),
                "calling wss://z.example now; grapnel sync show tells what comes of it");
        assertEquals(
                List.of(
                        Optional.empty(),
                        Optional.of(MadeUpSync.url("wss://a.example")),
                        Optional.of(MadeUpSync.url("wss://z.example"))),
                compared);
    }

    @Test
    void anUnknownRelayIsAnErrorThatNamesThoseThatResembleIt() throws IOException {
        var terminal = serve(
                MadeUpSync.well("wss://relay.damus.example"),
                MadeUpSync.well("ws://127.0.0.1:7335"),
                MadeUpSync.well("wss://git.example/base"));
        refuses(
                terminal.run("sync", "show", "wss://relay.damsu.example"),
                "no relay wss://relay.damsu.example is followed (1 are not followed yet: new ones come in by and by, at most --sync-max-relays);"
                        + " one of these, perhaps: wss://relay.damus.example");
        refuses(terminal.run("sync", "now", "127.0.0.1:733"), "one of these, perhaps: ws://127.0.0.1:7335");
        refuses(terminal.run("sync", "show", "git.example"), "one of these, perhaps: wss://git.example/base");
        refuses(
                terminal.run("sync", "now", "nothing.like.it\u001b[2J"),
                "no relay nothing.like.it\\u001b[2J is followed (1 are not followed yet: new ones come in by and by, at most --sync-max-relays);"
                        + " grapnel sync list shows those that are");
        assertEquals(List.of(), compared);
    }

    @Test
    void aServerThatFollowsNobodySaysSo() throws IOException {
        var terminal = serve(SyncView.OFF);
        for (var arguments : List.of(List.of("list"), List.of("show", "x.example"), List.of("now"))) {
            var command = new ArrayList<>(List.of("sync"));
            command.addAll(arguments);
            refuses(terminal.run(command.toArray(String[]::new)), "this server follows no other relays");
        }
    }

    @Test
    void withoutAServerItSaysHowToNameOne() {
        refuses(new Terminal(directory).run("sync", "list"), "no server runs with the data in " + directory);
    }
}
