package dev.grapnel.command;

import static dev.grapnel.server.HuntSite.ANN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.HuntSite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `grapnel hunt`, asked of a server that runs.
@Timeout(120)
final class HuntCommandTest {
    private static final Oid NOWHERE = Oid.parse("7".repeat(40)).require();
    private static final String OFF =
            "this server does not hunt: it was started with --hunt-enabled=false, so only" + " pushes bring data";

    @TempDir
    Path directory;

    private static Terminal terminal(HuntSite site) {
        return new Terminal(site.here().resolve("relay"));
    }

    private static void says(Terminal.Outcome outcome, String... lines) {
        assertEquals(List.of(lines), outcome.lines(), outcome.err());
        assertEquals(0, outcome.code());
    }

    private static void refuses(Terminal.Outcome outcome, String words) {
        assertEquals(1, outcome.code(), outcome.out());
        assertTrue(outcome.err().contains(words), outcome.err());
    }

    /// A state whose data nobody has waits.
    private static void hold(HuntSite site, String identifier) throws Exception {
        site.server().sync(site.announcement(ANN, identifier, site.url(identifier)));
        site.server().sync(site.state(ANN, identifier, NOWHERE));
        site.await(() -> site.hunt(identifier).isPresent());
    }

    @Test
    void withoutAServerItSaysHowToNameOne() {
        var terminal = new Terminal(directory.resolve("relay"));
        for (var command : List.of("list", "limits")) {
            refuses(terminal.run("hunt", command), "no server runs with the data in " + directory.resolve("relay"));
        }
        refuses(terminal.run("hunt", "now", "x"), "no server runs with the data in");
    }

    @Test
    void itTellsWhatIsMissingAndWhereItWasLookedForAndTriesAtOnce() throws Exception {
        try (var site = new HuntSite(directory)) {
            var terminal = terminal(site);
            says(terminal.run("hunt", "list"), "0 identifiers hunted for");
            says(terminal.run("hunt", "now", "x"), "nothing of x is missing here, and no event waits under that name");
            refuses(terminal.run("hunt", "now", "a/b"), "no repository is called that: ");
            hold(site, "x");
            says(
                    terminal.run("hunt", "list"),
                    "x: 0 objects missing, next try at 2026-01-01T00:00:00.500Z (0 attempts in vain)",
                    "  no address was asked yet",
                    "1 identifier hunted for");
            says(terminal.run("hunt", "now", "x"), "hunting for x begins");
            site.await(() -> site.hunt("x").filter(hunt -> hunt.attempts() == 1).isPresent());
            var list = new String[] {
                "x: 1 object missing, next try at 2026-01-01T00:00:20Z (1 attempt in vain)",
                "  " + site.url("x")
                        + ": does not have the repository, or does not give it to everybody at 2026-01-01T00:00:00Z",
                "1 identifier hunted for"
            };
            says(terminal.run("hunt", "list"), list);
            says(terminal.run("hunt", "list", "x"), list);
            says(terminal.run("hunt", "list", "y"), "0 identifiers hunted for");
            var json = terminal.run("hunt", "list", "--json").lines();
            assertEquals(1, json.size());
            assertTrue(json.getFirst().contains("\"firstMissing\":[\"" + NOWHERE + "\"]"), json.toString());
        }
    }

    /// P-902.
    @Test
    void aServerThatDoesNotHuntSaysSo() throws IOException {
        try (var site = new HuntSite(directory, "HUNT_ENABLED", "false")) {
            site.server().sync(site.announcement(ANN, "x", site.url("x")));
            site.server().sync(site.state(ANN, "x", NOWHERE));
            site.server().pass(Duration.ofMinutes(10));
            var terminal = terminal(site);
            refuses(terminal.run("hunt", "list"), OFF);
            refuses(terminal.run("hunt", "now", "x"), OFF);
            assertEquals(0, site.host().requests());
            assertEquals(0, terminal.run("hunt", "limits").code());
        }
    }

    /// P-900: what waited for a permit has one at once.
    @Test
    void limitsChangeAtOnce() throws Exception {
        try (var site = new HuntSite(directory, "SYNC_DOMAIN_RATE_LIMIT", "1")) {
            var terminal = terminal(site);
            says(
                    terminal.run("hunt", "limits"),
                    "fetches from one domain at once: 5",
                    "visits of one domain in a minute: 1",
                    "fetches at once: 32",
                    "connections to one address: 10",
                    "other numbers for: no domain");
            hold(site, "x");
            hold(site, "y");
            site.server().pass(Duration.ofMillis(500));
            site.await(() -> answers(site) == 1 && waiting(site) == 1);
            refuses(terminal.run("hunt", "limits", "--domain-rate-limit", "0"), "a limit is a number from 1");
            refuses(terminal.run("hunt", "limits", "--domain-override", "nonsense"), "limits of a domain: ");
            says(
                    terminal.run("hunt", "limits", "--domain-override", "127.0.0.1:2,60", "--max-concurrent", "4"),
                    "fetches from one domain at once: 5",
                    "visits of one domain in a minute: 1",
                    "fetches at once: 4",
                    "connections to one address: 10",
                    "other numbers for: 127.0.0.1:2,60",
                    "changed until the next start");
            site.await(() -> answers(site) == 2 && waiting(site) == 0);
        }
    }

    private static long answers(HuntSite site) {
        return List.of("x", "y").stream()
                .flatMap(name -> site.hunt(name).stream())
                .mapToLong(hunt -> hunt.answers().size())
                .sum();
    }

    private static long waiting(HuntSite site) {
        return List.of("x", "y").stream()
                .flatMap(name -> site.hunt(name).stream())
                .mapToLong(hunt -> hunt.waitingAt().size())
                .sum();
    }
}
