package dev.grapnel.command;

import static dev.grapnel.command.Samples.DATE;
import static dev.grapnel.command.Samples.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.command.Terminal.Outcome;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.RelayUnderTest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.tool.Forgery;
import dev.grapnel.store.tool.OpenStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands that ask a running server, over the real socket.
@NullUnmarked
@Timeout(120)
final class OperatorCommandTest {
    private static final String PUSHER = "192.0.2.77";
    private static final Oid COMMIT = Oid.parse("12".repeat(20)).require();

    /// An override of the direction of writing, and what a terminal takes for a command.
    private static final String NASTY = "harm\u202e\u001b[31mless";

    private static final Event ANNOUNCEMENT = tagged(0, Kinds.ANNOUNCEMENT, List.of(List.of("d", "one")));
    private static final Event SOFT = tagged(0, Kinds.ANNOUNCEMENT, List.of(List.of("d", "two")));
    private static final Event REFERENCE = tagged(0, Kinds.ANNOUNCEMENT, List.of(List.of("d", "three")));
    private static final Event STATE = tagged(1, Kinds.STATE, List.of(List.of("d", "one")));
    private static final Event PROPOSAL = tagged(
            2,
            Kinds.PULL_REQUEST,
            List.of(List.of("a", "30617:" + StoreSamples.author(0) + ":one"), List.of("c", COMMIT.toString())));
    private static final EventId PUSHED = EventId.parse("ab".repeat(32)).require();
    private static final EventId EXPIRED = EventId.parse("ef".repeat(32)).require();

    @TempDir
    private Path temporary;

    private final Instant now = Instant.now();
    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(temporary.resolve("relay"));
    }

    private static Event tagged(int author, int kind, List<List<String>> tags) {
        return StoreSamples.event(author, kind, DATE, tags, NASTY);
    }

    private Instant in(int minutes) {
        return now.plus(Duration.ofMinutes(minutes)).plusSeconds(30);
    }

    private static Upload upload(String area) {
        return new Upload(
                new RepositoryAddress(StoreSamples.author(0), new Identifier("one")),
                Upload.Endpoint.REPOSITORY,
                new AreaName(area),
                false,
                PUSHER);
    }

    /// Works on the store while no server has it.
    private void store(Consumer<StoreTransaction> work) {
        try (var opened = OpenStore.forWriting(
                terminal.directory, LmdbConfig.DEFAULTS, StoreRules.DEFAULTS, InstantSource.system(), _ -> {})) {
            opened.store()
                    .write(Urgency.WAITING, 0, transaction -> {
                        work.accept(transaction);
                        return true;
                    })
                    .join();
        }
    }

    /// One row of each sort.
    private void storeRows() {
        store(transaction -> {
            transaction.save(note(5, DATE, "served"));
            transaction.hold(new HeldAnnouncement(ANNOUNCEMENT, now, in(30), Source.DIRECT, Phase.ACTIVE));
            transaction.hold(new HeldAnnouncement(SOFT, now, in(60), Source.SYNC, Phase.SOFT_EXPIRED));
            transaction.hold(new HeldAnnouncement(REFERENCE, now, in(0), Source.SYNC, Phase.REFERENCE));
            transaction.hold(new HeldState(STATE, now, in(20), Source.SYNC));
            transaction.hold(new HeldProposal(PROPOSAL, now, in(10), Source.DIRECT, List.of(upload("area-1"))));
            transaction.put(new Placeholder(PUSHED, COMMIT, now, in(15), List.of(upload("area-2"))));
            var dormant = new Dormant(
                    List.of(new Identifier("one")),
                    StoreSamples.author(1),
                    DATE,
                    List.of(COMMIT),
                    List.of("https://example.org/" + NASTY),
                    Optional.of("wss://relay.example.org"));
            transaction.put(new ExpiredEvent(EXPIRED, Kinds.STATE, now, now, 1, false, Optional.of(dormant)));
            transaction.put(Repair.due(new RepositoryAddress(StoreSamples.author(0), new Identifier("one")), now));
            transaction.save(StoreSamples.event(7, Kinds.DELETION, DATE, List.of(List.of("e", PUSHED.toHex())), ""));
        });
    }

    private RelayUnderTest serve() {
        return RelayUnderTest.startIn(temporary);
    }

    private Outcome run(String... arguments) {
        var outcome = terminal.run(arguments);
        assertEquals("", outcome.err());
        assertEquals(0, outcome.code());
        return outcome;
    }

    private static Fields json(String line) {
        return (Fields) JsonValue.parse(line.getBytes(StandardCharsets.UTF_8)).require();
    }

    private static String idOf(String line) {
        return json(line).findText("id").orElseThrow();
    }

    private List<String> listed(String... options) {
        var arguments = new String[options.length + 3];
        arguments[0] = "purgatory";
        arguments[1] = "list";
        arguments[2] = "--json";
        System.arraycopy(options, 0, arguments, 3, options.length);
        return run(arguments).lines().stream().map(OperatorCommandTest::idOf).toList();
    }

    private static List<String> ids(EventId... ids) {
        return List.of(ids).stream().map(EventId::toHex).toList();
    }

    @Test
    void withoutAServerTheDirectoryIsNamed() {
        for (var command : List.of("status", "purgatory list", "purgatory show 12345678", "purgatory drop 12345678")) {
            var outcome = terminal.run(command.split(" "));
            assertEquals(1, outcome.code());
            assertEquals("", outcome.out());
            assertEquals(
                    "grapnel: no server runs with the data in " + terminal.directory + "; name its directory with"
                            + " --relay-data-path, or its configuration file with --config (one that keeps its events"
                            + " in memory can be asked only if it was started with that flag, too)\n",
                    outcome.err());
        }
    }

    /// As the server that was started there finds it.
    @Test
    void theServerIsFoundByTheConfigurationFileOfTheWorkingDirectory() throws Exception {
        storeRows();
        Files.writeString(temporary.resolve(".env"), "NGIT_RELAY_DATA_PATH=relay\n");
        try (var _ = serve()) {
            for (var command : List.of("status", "purgatory list", "verify-events")) {
                var process = new ProcessBuilder(terminal.command(command.split(" ")))
                        .directory(temporary.toFile())
                        .redirectErrorStream(true);
                process.environment().keySet().removeIf(name -> name.endsWith("_RELAY_DATA_PATH"));
                var started = process.start();
                var said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, started.waitFor(), said);
            }
        }
    }

    @Test
    void theServerIsFoundByAConfigurationFileThatIsNamed() throws Exception {
        var file = Files.writeString(
                temporary.resolve("settings"), "GRAPNEL_RELAY_DATA_PATH=" + temporary.resolve("relay") + "\n");
        var elsewhere = temporary.resolve("elsewhere").toString();
        try (var _ = serve()) {
            assertEquals(
                    0,
                    terminal.runWith(Map.of(), "status", "--config", file.toString())
                            .code());
            var variables = Map.of("NGIT_RELAY_DATA_PATH", elsewhere);
            assertTrue(terminal.runWith(variables, "status", "--config", file.toString())
                    .err()
                    .contains("no server runs with the data in " + elsewhere));
        }
        var missing = terminal.runWith(Map.of(), "status", "--config", elsewhere);
        assertEquals(1, missing.code());
        assertTrue(missing.err().contains(elsewhere), missing.err());
    }

    @Test
    void theSubcommandMustBeNamed() {
        var outcome = terminal.run("purgatory");
        assertEquals(2, outcome.code());
        assertTrue(outcome.err().contains("missing: one of list, show, drop"), outcome.err());
    }

    @Test
    void statusTellsWhatThereIs() throws Exception {
        storeRows();
        try (var server = serve();
                var _ = server.connect()) {
            var lines = run("status").lines();
            assertTrue(lines.getFirst().matches("Grapnel 0\\.0\\.0-test, up 0:\\d\\d, healthy"), lines.getFirst());
            assertEquals(
                    List.of(
                            "address       ws://127.0.0.1:" + server.port() + " on port " + server.port(),
                            "connections   1",
                            "events        1 served, commit number 1",
                            "repositories  0",
                            "held          1 announcement (1 more without repository, 1 for reference), 1 state, 1 pull"
                                    + " request, 1 placeholder",
                            "remembered    1 expired event, of which 1 dormant",
                            "gates         1",
                            "to repair     1 repository",
                            "trash         0 records"),
                    lines.subList(1, lines.size() - 1));
            assertTrue(lines.getLast().matches("disk free     [\\d.]+ [MGTP]iB"), lines.getLast());

            var status = json(run("status", "--json").out());
            assertEquals(Optional.of("0.0.0-test"), status.findText("version"));
            assertEquals(OptionalLong.of(server.port()), status.findNumber("port"));
            assertEquals(
                    "{\"announcement\":1,\"announcement_soft\":1,\"reference\":1,\"state\":1,\"pr\":1,\"placeholder\":1}",
                    status.findFields("held").orElseThrow().json());
            assertTrue(status.findNumber("diskFreeBytes").orElseThrow() > 0);
            assertEquals(List.of(), status.items("health"));
        }
    }

    @Test
    void theListBeginsWithWhatLeavesFirst() {
        storeRows();
        try (var _ = serve()) {
            assertEquals(
                    ids(PROPOSAL.id(), PUSHED, STATE.id(), ANNOUNCEMENT.id(), SOFT.id(), REFERENCE.id()), listed());
            assertEquals(ids(PROPOSAL.id(), PUSHED), listed("--limit", "2"));
            assertEquals(ids(ANNOUNCEMENT.id(), SOFT.id(), REFERENCE.id()), listed("--kind", "announcement"));
            assertEquals(ids(EXPIRED), listed("--kind", "expired"));
            assertEquals(ids(PROPOSAL.id(), PUSHED, STATE.id(), ANNOUNCEMENT.id()), listed("--identifier", "one"));
            assertEquals(
                    ids(STATE.id()), listed("--author", StoreSamples.author(1).toHex()));
            assertEquals(ids(PROPOSAL.id()), listed("--author", new Npub(StoreSamples.author(2)).text()));
            assertEquals(List.of(), listed("--kind", "state", "--identifier", "two"));
        }
    }

    @Test
    void theListIsReadable() {
        storeRows();
        try (var _ = serve()) {
            var lines = run("purgatory", "list").lines();
            assertEquals("6 in all", lines.getLast());
            var since = now.toString().substring(0, 19);
            var npub = new Npub(StoreSamples.author(2)).text().substring(0, 12);
            assertTrue(
                    lines.get(1)
                            .matches("pr           " + PROPOSAL.id().toHex().substring(0, 12) + " " + npub
                                    + " direct " + since + " +(10|9):\\d\\d  one +commit 121212121212, which was"
                                    + " pushed, in a repository it names"),
                    lines.get(1));
            assertTrue(lines.get(2).startsWith("placeholder  abababababab -            direct "), lines.get(2));
            assertTrue(lines.get(2).endsWith("its event; commit 121212121212 is here"), lines.get(2));
            assertTrue(lines.get(3).endsWith("git objects that its refs name"), lines.get(3));
            assertTrue(lines.get(4).endsWith("content of its repository"), lines.get(4));
            assertTrue(lines.get(5).endsWith("a state that revives it; its repository is deleted"), lines.get(5));
            assertTrue(lines.get(6).contains(" -  three "), lines.get(6));
            assertEquals(
                    "1 of 6; --limit shows more",
                    run("purgatory", "list", "--limit=1").lines().getLast());
            assertEquals(
                    "nothing of that sort\n",
                    run("purgatory", "list", "--identifier", "none").out());
        }
    }

    @Test
    void optionsThatMeanNothingAreToldInASentence() {
        try (var _ = serve()) {
            var kind = terminal.run("purgatory", "list", "--kind", "fish");
            assertEquals(2, kind.code());
            assertTrue(
                    kind.err().contains("it is one of announcement, state, pr, placeholder, expired, not 'fish'"),
                    kind.err());
            assertEquals(
                    new Outcome(1, "", "grapnel: an author is an npub or 64 hex digits, not 'bob'\n"),
                    terminal.run("purgatory", "list", "--author", "bob"));
            assertEquals(
                    new Outcome(1, "", "grapnel: the limit is a number from 1 to 10000\n"),
                    terminal.run("purgatory", "list", "--limit", "0"));
        }
    }

    @Test
    void showTellsEverythingButThePusher() {
        storeRows();
        try (var _ = serve()) {
            var shown = run("purgatory", "show", PROPOSAL.id().toHex().substring(0, 8));
            assertTrue(shown.out().contains("commit         " + COMMIT), shown.out());
            assertTrue(shown.out().contains("\"area\":\"area-1\""), shown.out());
            assertTrue(shown.out().contains("waits for      commit 1212"), shown.out());
            assertFalse(shown.out().contains(PUSHER), shown.out());
            var json = json(
                    run("purgatory", "show", "--json", PROPOSAL.id().toHex()).out());
            assertEquals(
                    PROPOSAL.toString().replace("\u202e", "\\u202e"),
                    json.findFields("event").orElseThrow().json());
            assertEquals(Optional.of(in(10).truncatedTo(ChronoUnit.MILLIS).toString()), json.findText("expiresAt"));

            assertTrue(run("purgatory", "show", "abababab").out().contains("\"area\":\"area-2\""));
            assertTrue(run("purgatory", "show", "EFEFEFEF").out().contains("missing        " + COMMIT));
            assertTrue(run("purgatory", "show", SOFT.id().toHex()).out().contains("phase          soft_expired"));
        }
    }

    @Test
    void whatStrangersWroteCannotMoveTheCursor() {
        storeRows();
        try (var _ = serve()) {
            for (var id : List.of(ANNOUNCEMENT.id(), EXPIRED)) {
                var out = run("purgatory", "show", id.toHex()).out();
                assertTrue(out.contains("harm\\u202e"), out);
                assertTrue(out.chars().noneMatch(c -> c == '\u202e' || (c < ' ' && c != '\n')), out);
            }
        }
    }

    /// All that an identifier may hold: quotes, the one-character form of an escape, ends of lines, overrides of
    /// the direction of writing, half of nothing.
    private static final List<String> HOSTILE = List.of(
            "he said \"x\",\"id\":\"y\"}",
            "'$(reboot)' `reboot`; reboot",
            "red\u009b31m and \u0090dcs\u009c",
            "two\u0085lines\u2028or\u2029three",
            "\u202egnirts\u2066\u200b\ufeff",
            "tag\udb40\udc41 \ud83e\udd80");

    private static void assertHarmless(String out) {
        assertTrue(
                out.codePoints()
                        .allMatch(c -> c == '\n'
                                || switch (Character.getType(c)) {
                                    case Character.CONTROL,
                                            Character.FORMAT,
                                            Character.LINE_SEPARATOR,
                                            Character.PARAGRAPH_SEPARATOR,
                                            Character.SURROGATE -> false;
                                    default -> true;
                                }),
                out);
    }

    @Test
    void hostileIdentifiersAreOneHarmlessLineAndReadBackAsTheyAre() {
        for (var identifier : HOSTILE) {
            var event = tagged(HOSTILE.indexOf(identifier), Kinds.STATE, List.of(List.of("d", identifier)));
            store(transaction -> transaction.hold(new HeldState(event, now, in(20), Source.SYNC)));
        }
        try (var _ = serve()) {
            var list = run("purgatory", "list");
            assertEquals(HOSTILE.size() + 2, list.lines().size(), list.out());
            assertHarmless(list.out());
            for (var identifier : HOSTILE) {
                var json = run("purgatory", "list", "--json", "--identifier", identifier);
                assertEquals(1, json.lines().size(), json.out());
                assertHarmless(json.out());
                var entry = json(json.out());
                assertEquals(List.of(new JsonValue.Text(identifier)), entry.items("identifiers"));

                var id = entry.findText("id").orElseThrow();
                assertHarmless(run("purgatory", "show", id).out());
                var shown = run("purgatory", "show", "--json", id);
                assertHarmless(shown.out());
                assertEquals(
                        List.of(new JsonValue.Text(identifier)),
                        json(shown.out()).items("identifiers"));
                assertEquals(
                        NASTY,
                        json(shown.out())
                                .findFields("event")
                                .orElseThrow()
                                .findText("content")
                                .orElseThrow());
            }
        }
    }

    @Test
    void aLongEventIsShownToItsEnd() {
        var event = StoreSamples.event(3, Kinds.STATE, DATE, List.of(List.of("d", "long")), "🦀\u202e".repeat(20_000));
        store(transaction -> transaction.hold(new HeldState(event, now, in(20), Source.SYNC)));
        try (var _ = serve()) {
            var out = run("purgatory", "show", event.id().toHex()).out();
            assertTrue(out.endsWith(event.toString().replace("\u202e", "\\u202e") + "\n"));
        }
    }

    @Test
    void aNameThatFitsNothingOrTooMuchIsRefused() {
        storeRows();
        store(transaction -> transaction.put(new Placeholder(
                EventId.parse("ab".repeat(16) + "cd".repeat(16)).require(),
                COMMIT,
                now,
                in(15),
                List.of(upload("area-3")))));
        try (var _ = serve()) {
            for (var command : List.of("show", "drop")) {
                assertEquals(
                        new Outcome(1, "", "grapnel: an event is named by its id, or its first digits, 8 at least\n"),
                        terminal.run("purgatory", command, "abab"));
                assertEquals(
                        new Outcome(1, "", "grapnel: nothing is held under 11111111\n"),
                        terminal.run("purgatory", command, "11111111"));
                var several = terminal.run("purgatory", command, "abababab");
                assertEquals(1, several.code());
                assertTrue(
                        several.err().startsWith("grapnel: several ids begin with abababab: " + PUSHED + ", abab")
                                && several.err().endsWith("; name more digits\n"),
                        several.err());
            }
        }
    }

    @Test
    void aDroppedEventIsGone() {
        storeRows();
        try (var _ = serve()) {
            var dropped = run("purgatory", "drop", STATE.id().toHex()).out();
            assertTrue(
                    dropped.startsWith("dropped this event:\nkind           state\nid             " + STATE.id()),
                    dropped);
            assertFalse(listed().contains(STATE.id().toHex()));
            assertEquals(
                    new Outcome(1, "", "grapnel: nothing is held under " + STATE.id() + "\n"),
                    terminal.run("purgatory", "drop", STATE.id().toHex()));
            assertEquals(
                    PROPOSAL.id().toHex(),
                    idOf(run("purgatory", "drop", "--json", PROPOSAL.id().toHex())
                            .out()));
        }
    }

    @Test
    void onlyEventsCanBeDropped() {
        storeRows();
        try (var _ = serve()) {
            var placeholder = terminal.run("purgatory", "drop", PUSHED.toHex());
            assertEquals(1, placeholder.code());
            assertTrue(
                    placeholder.err().contains("only a commit that was pushed for it, which leaves at "),
                    placeholder.err());
            assertEquals(
                    new Outcome(1, "", "grapnel: no event is held under " + EXPIRED + ": it has left already\n"),
                    terminal.run("purgatory", "drop", EXPIRED.toHex()));
            assertEquals(6, listed().size());
        }
    }

    /// A served and a held event that nobody signed.
    private void storeForgeries() {
        store(transaction -> {
            transaction.save(note(5, DATE, "good"));
            transaction.save(Forgery.of(note(6, DATE, "bad")));
            transaction.hold(new HeldState(Forgery.of(STATE), now, in(20), Source.SYNC));
        });
    }

    private void findAndRemoveForgeries() {
        var found = terminal.run("verify-events");
        assertEquals(1, found.code());
        assertEquals(
                List.of(note(6, DATE, "bad").id().toHex(), STATE.id().toHex()),
                found.lines().stream().map(OperatorCommandTest::idOf).toList());
        assertEquals(
                "grapnel: verified 2 served events, 1 held and 0 gates: 2 faults, --execute removes them\n",
                found.err());

        var removed = terminal.run("event-integrity-check", "--execute");
        assertEquals(1, removed.code());
        assertTrue(
                removed.lines().stream().allMatch(line -> json(line).isTrue("removed"))
                        && removed.lines().size() == 2,
                removed.out());
        assertEquals("grapnel: verified 2 served events, 1 held and 0 gates: 2 faults, 2 removed\n", removed.err());
        assertEquals(
                new Outcome(0, "", "grapnel: verified 1 served event, 0 held and 0 gates: no faults\n"),
                terminal.run("verify-events"));
    }

    @Test
    void forgedEventsAreFoundAndRemovedWhileServing() throws Exception {
        storeForgeries();
        try (var server = serve();
                var client = server.connect()) {
            findAndRemoveForgeries();
            assertEquals(List.of(note(5, DATE, "good")), client.events("{\"kinds\":[1]}"));
        }
    }

    @Test
    void forgedEventsAreFoundAndRemovedWhileNobodyServes() {
        storeForgeries();
        findAndRemoveForgeries();
    }

    @Test
    void aMissingStoreIsNotMadeInOrderToBeVerified() {
        for (var options : List.of("verify-events", "verify-events --execute")) {
            assertEquals(
                    new Outcome(
                            1,
                            "",
                            "grapnel: there is no store in " + terminal.directory
                                    + ", as there is no such directory\n"),
                    terminal.run(options.split(" ")));
        }
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void aServerInMemoryIsAskedThroughADirectoryOfItsOwn() {
        var place = temporary.resolve("place");
        try (var _ = RelayUnderTest.start("RELAY_DATA_PATH", place.toString())) {
            var status = json(run("status", "--json", "--relay-data-path", place.toString())
                    .out());
            assertEquals(OptionalLong.empty(), status.findNumber("diskFreeBytes"));
        }
        assertEquals(
                1, terminal.run("status", "--relay-data-path", place.toString()).code());
    }
}
