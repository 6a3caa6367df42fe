package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.ScriptedNames;
import dev.grapnel.purgatory.hunt.Answer;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Where published addresses lead a real server, and where they do not: somebody listens there and sees nobody come.
@Timeout(180)
final class HuntAddressTest {
    private static final int CAROL = 3;
    private static final Duration BACKOFF = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private final List<HuntingGround> grounds = new ArrayList<>();

    @AfterEach
    void close() {
        grounds.forEach(HuntingGround::close);
    }

    private HuntingGround open(String... settings) throws IOException {
        var ground = new HuntingGround(directory, settings);
        grounds.add(ground);
        return ground;
    }

    /// What must never be connected to, all of it leading to somebody who listens if it leads anywhere.
    private static List<String> forbidden(int port) {
        var here = ":" + port + "/x.git";
        return List.of(
                "http://127.0.0.1" + here,
                "http://127.1" + here,
                "http://2130706433" + here,
                "http://0x7f000001" + here,
                "http://0177.0.0.1" + here,
                "http://[::1]" + here,
                "http://[::ffff:127.0.0.1]" + here,
                "http://0.0.0.0" + here,
                "http://10.0.0.1" + here,
                "http://100.64.0.1" + here,
                "http://169.254.169.254/latest/x.git",
                "http://private.example" + here,
                "http://mixed.example" + here);
    }

    /// What is not even looked up: by what it says, and by the name.
    private static List<List<String>> unasked(int port) {
        var here = ":" + port + "/x.git";
        return List.of(
                List.of(
                        "file:///x.git",
                        "/x.git",
                        "ssh://127.0.0.1" + here,
                        "git@127.0.0.1:x.git",
                        "git://127.0.0.1" + here,
                        "ext::sh -c 'curl 127.0.0.1" + here + "'",
                        "-oProxyCommand=curl" + here,
                        "http://carol:secret@asked.example:" + port + "/user.git",
                        "http://asked.example:" + port + "/query.git?query",
                        "http://asked.example:" + port + "/fragment.git#fragment",
                        "http://asked.example:22/x.git"),
                List.of(
                        "http://localhost" + here,
                        "http://a.localhost" + here,
                        "http://single" + here,
                        "http://a.local" + here,
                        "http://a.localdomain" + here,
                        "http://a.internal" + here,
                        "http://a.home.arpa" + here,
                        "http://a.test" + here,
                        "http://a.invalid" + here));
    }

    /// Rows 160, 161, 236 and 170: nobody comes, whether announcement or pull request names the address; once exactly
    /// that address is open, somebody does, and the rest stays closed.
    @Test
    void addressesThatAreNotPublicAreConnectedToOnlyWhenOpened() throws Exception {
        var ground = open();
        var tip = ground.filled("x");
        var idea = ground.filled("idea");
        var host = ground.host();
        var others = listeners(ground, host.port());
        scriptNames(ground.names);
        var lists = new ArrayList<>(unasked(host.port()));
        lists.add(forbidden(host.port()));
        ground.server().serve(ground.announcement("proposed"));
        var waiting = new ArrayList<Event>();
        for (int i = 0; i < lists.size(); i++) {
            var urls = lists.get(i).toArray(String[]::new);
            waiting.add(ground.hear("list" + i, tip, urls));
            var proposal = ground.proposal(CAROL + i, "proposed", idea, urls);
            ground.hear(proposal, "proposed");
            waiting.add(proposal);
        }
        ground.hunted("list0");
        for (int attempt = 1; attempt <= 3; attempt++) {
            for (var name : List.of("list0", "list1", "list2", "proposed")) {
                ground.hunted(name, attempt);
            }
            ground.pass(BACKOFF.multipliedBy(2));
        }
        assertEquals(0, host.connections() + connections(others));
        assertEquals(
                Set.of("private.example", "mixed.example"),
                ground.names.asked().stream()
                        .filter(name -> name.matches(".*[g-z].*"))
                        .collect(Collectors.toSet()),
                "no other name is looked up");
        for (int i = 0; i < lists.size(); i++) {
            assertRefused(ground, "list" + i, distinct(lists.get(i)));
        }
        assertTrue(waiting.stream().allMatch(ground.server()::isHeld));

        ground.restart("ADDRESS_ALLOW", "127.0.0.1/32");
        ground.await(() -> ground.picture("list2").isPresent());
        ground.pass(Duration.ofSeconds(1));
        ground.awaitServed(waiting.get(4));
        assertTrue(host.connections() > 0, "the listener sees who comes");
        assertEquals(0, connections(others), "what is not listed stays closed");
    }

    /// An IPv4 address that is written as one of IPv6 is another spelling of the same, not another address.
    private static int distinct(List<String> urls) {
        return (int) urls.stream().filter(url -> !url.contains("[::ffff:")).count();
    }

    /// Those who would see somebody come. A machine without IPv6 has nobody to listen there.
    private static List<TroubledHost> listeners(HuntingGround ground, int port) throws IOException {
        var all = new ArrayList<>(List.of(ground.host("127.0.0.2", port)));
        try {
            all.add(ground.host("::1", port));
        } catch (SocketException _) {
            // nor anybody who could come
        }
        return all;
    }

    private static int connections(List<TroubledHost> hosts) {
        return hosts.stream().mapToInt(TroubledHost::connections).sum();
    }

    private static void scriptNames(ScriptedNames names) {
        names.answer("private.example", "127.0.0.1")
                .answer("mixed.example", "127.0.0.1", "1.1.1.1")
                .answer("asked.example", "127.0.0.1")
                .answer("127.1", "127.0.0.1")
                .answer("2130706433", "127.0.0.1")
                .answer("0x7f000001", "127.0.0.1")
                .answer("0177.0.0.1", "127.0.0.1");
    }

    private static void assertRefused(HuntingGround ground, String identifier, int count) {
        var answers = ground.picture(identifier).orElseThrow().answers();
        assertEquals(count, answers.size(), answers.toString());
        assertTrue(
                answers.stream()
                        .allMatch(answer -> List.of("is never connected to", "was not asked")
                                        .contains(answer.words())
                                && !answer.reason().isEmpty()),
                answers.toString());
    }

    /// Row 170: the switch of the existing server opens private networks, but not where clouds keep their secrets.
    @Test
    void switchOfTheExistingServerOpensLoopbackButNotLinkLocal() throws Exception {
        HuntingGround ground;
        try (var log = LogWatch.on("dev.grapnel.server.Hunting")) {
            ground = open("SYNC_ALLOW_NON_GLOBAL_TARGETS", "true");
            assertEquals(1, log.lines("address.non_global_allowed", 1).size());
        }
        var tip = ground.filled("x");
        var host = ground.host();
        var metadata = "http://169.254.169.254/x.git";
        var url = "http://127.0.0.1:" + host.port() + "/x.git";
        host.says("x", ScriptedServer.status(404));
        var state = ground.hear("x", tip, metadata, url);
        ground.hunted("x");
        assertEquals(
                List.of("refused", "not_there"),
                ground.picture("x").orElseThrow().answers().stream()
                        .map(Answer::result)
                        .toList());
        host.behaves("x");
        ground.pass(BACKOFF);
        ground.awaitServed(state);
    }
}
