package dev.grapnel.purgatory.legacy;

import static dev.grapnel.purgatory.legacy.OldFile.COMMIT;
import static dev.grapnel.purgatory.legacy.OldFile.SAVED;
import static dev.grapnel.purgatory.legacy.OldFile.announcement;
import static dev.grapnel.purgatory.legacy.OldFile.entry;
import static dev.grapnel.purgatory.legacy.OldFile.proposal;
import static dev.grapnel.purgatory.legacy.OldFile.state;
import static dev.grapnel.purgatory.legacy.OldFile.time;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.StoreFixture;
import dev.grapnel.store.memory.KeptMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that are damaged as a whole, and good ones with bad entries (purgatory P-703, P-712; catalogue 149, 151).
@NullUnmarked
final class BadFileTest {
    private static final Event GOOD = state(0, "good", "");
    private static final String HEAD = "\"version\":1,\"saved_at\":" + time(SAVED);

    @TempDir
    private Path directory;

    private ImportBench bench;

    @BeforeEach
    void open() {
        bench = new ImportBench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void assertRefused(String json, String reason) {
        var sentence = bench.put(json).refused();
        assertTrue(sentence.contains(reason), sentence);
    }

    /// Beside a good entry, one that is set aside for this reason.
    private void assertSetAside(OldMap map, String key, String json, String reason) throws IOException {
        var before = bench.rows().size();
        var good = state(0, "good", "number " + before);
        var counts = bench.put(
                        new OldFile().state(good, 600).entry(map, key, json).json())
                .imported();
        assertEquals(1, counts.of(Fate.INVALID), reason);
        assertEquals(1, counts.of(Fate.RESTORED), reason);
        assertEquals(before + 1, bench.rows().size());
        assertEquals(
                "purgatory.import_invalid map=" + map + " key=" + key + " reason=" + reason,
                bench.logged(Level.WARN).getLast());
        var aside = Files.readString(bench.beside(".invalid"));
        assertTrue(aside.contains("\"key\":\"" + key + "\""), aside);
        assertTrue(aside.endsWith(",\"entry\":" + json.replace('\n', ' ') + "}\n"), aside);
    }

    @Test
    void fileCutOffAnywhereIsLeftAlone() throws IOException {
        byte[] whole;
        try (var in = Objects.requireNonNull(BadFileTest.class.getResourceAsStream("version-3.json"))) {
            whole = in.readAllBytes();
        }
        for (int length = 0; length < whole.length; length++) {
            bench.put(Arrays.copyOf(whole, length)).refused();
        }
        assertFalse(Files.exists(bench.beside(".invalid")));
        assertEquals(List.of(), bench.rows());
    }

    @Test
    void whatIsNoFileOfThatServerIsLeftAlone() {
        assertRefused("", "a { was expected near byte 0");
        assertRefused("[]", "a { was expected near byte 0");
        assertRefused("hello", "a { was expected near byte 0");
        assertRefused("\0\0\0\0", "a { was expected near byte 0");
        assertRefused("{}", "it has no version, so it is another kind of file");
        assertRefused("{\"version\":1}", "it does not say when it was saved");
        assertRefused("{\"version\":1,\"saved_at\":17}", "its saved_at is not a time");
        assertRefused("{\"version\":1,\"saved_at\":{\"secs_since_epoch\":-1,\"nanos_since_epoch\":0}}", "not a time");
        assertRefused("{\"version\":\"1\",\"saved_at\":" + time(1) + "}", "its version is not a number");
        assertRefused("{" + HEAD + "} {}", "text follows the closing bracket");
        assertRefused("{" + HEAD + ",}", "a name in quotes was expected");
        assertRefused("{" + HEAD + " \"x\":1}", "a comma or closing bracket was expected");
        assertRefused("{" + HEAD + ",\"x\" 1}", "a colon was expected");
        assertRefused("{" + HEAD + ",\"x\":}", "a value was expected");
        assertRefused("{" + HEAD + ",\"x\":[1,{]}]}", "a bracket closes what it did not open");
        assertRefused("{" + HEAD + ",\"\\ud800\":1}", "a name is no text");
        assertRefused("{" + HEAD + ",\"state_events\":null}", "a { was expected");
        assertRefused("{" + HEAD + ",\"state_events\":{\"a\":{}}}", "a [ was expected");
        assertRefused("{" + HEAD + ",\"pr_events\":{\"a\":[1,]}}", "a value was expected");
        assertRefused("{" + HEAD + ",\"pr_events\":{\"a\":nul}}", "a value was expected");
        assertRefused("{" + HEAD + ",\"pr_events\":{\"a\":{\"b\":\"\\x\"}}}", "an escape is unknown");
    }

    @Test
    void bytesThatAreNoTextAreLeftAlone() {
        var json = new OldFile().state(GOOD, 600).json().getBytes(StandardCharsets.UTF_8);
        json[json.length - 20] = (byte) 0xff;
        bench.put(json).refused();
    }

    @Test
    void directoryInItsPlaceIsLeftAlone() throws IOException {
        Files.createDirectory(bench.file);
        var refused = (ImportOutcome.Refused) bench.run();
        assertTrue(refused.reason().contains("because it is not a file"), refused.reason());
        assertTrue(Files.isDirectory(bench.file));
    }

    @Test
    void otherVersionIsRefusedAndBothAreNamed() {
        for (var version : List.of("0", "2", "99999999999999999999")) {
            var shown = version.length() > 18 ? Long.toString(Long.MAX_VALUE) : version;
            var json = new OldFile()
                    .head("\"saved_at\":" + time(SAVED))
                    .state(GOOD, 600)
                    .json();
            assertRefused(
                    json.substring(0, json.length() - 1) + ",\"version\":" + version + "}",
                    "it has version " + shown + ", and only version 1 is known");
        }
    }

    @Test
    void orderOfFieldsDoesNotMatter() {
        var json = new OldFile().head("\"x\":0").state(GOOD, 600).json();
        bench.put(json.substring(0, json.length() - 1) + "," + HEAD + "}");
        assertEquals(1, bench.imported().of(Fate.RESTORED));
        assertEquals(
                Instant.ofEpochSecond(SAVED + 600),
                bench.store.findHeld(GOOD.id()).orElseThrow().expiresAt());
    }

    @Test
    void unknownFieldsAreIgnored() {
        var unknown = "\"new\":{\"a\":[1,-2.5e7,true,null,\"}]\\\"\"],\"b\":{}},";
        var json = new OldFile().state(GOOD, 600).json();
        json = json.replace("{\"version\"", "{" + unknown + "\"version\"")
                .replace("{\"event\"", "{" + unknown + "\"event\"")
                .replace("{\"secs", "{\"micros_since_epoch\":[1],\"secs");
        bench.put(json + " \n\t\r ");
        assertEquals(1, bench.imported().of(Fate.RESTORED));
    }

    @Test
    void longValueOfUnknownFieldIsPassedOver() {
        var json = new OldFile().state(GOOD, 600).json();
        bench.put(json.replace("{\"version\"", "{\"new\":\"" + "x".repeat(17 << 20) + "\",\"version\""));
        assertEquals(1, bench.imported().of(Fate.RESTORED));
    }

    @Test
    void fieldGivenTwiceSpoilsWhatItIsIn() throws IOException {
        assertRefused("{" + HEAD + ",\"version\":1}", "it has version twice");
        assertRefused("{" + HEAD + ",\"saved_at\":" + time(1) + "}", "it has saved_at twice");
        assertRefused("{" + HEAD + ",\"pr_events\":{},\"pr_events\":{}}", "it has pr_events twice");
        var twice = entry(GOOD, "600,\"expires_at_offset_secs\":700");
        assertSetAside(OldMap.STATES, "good", twice, "a field is given twice");
        assertSetAside(
                OldMap.EXPIRED,
                "c".repeat(64),
                "{\"secs_since_epoch\":1,\"secs_since_epoch\":2,\"nanos_since_epoch\":0}",
                "a field is given twice");
    }

    @Test
    void keyGivenTwiceIsTwoEntries() {
        var one = state(0, "good", "one");
        var other = state(0, "good", "other");
        var json = new OldFile().state(one, 600).json();
        bench.put(json.replace("]}}", "],\"good\":[" + entry(other, "600") + "]}}"));
        assertEquals(2, bench.imported().of(OldStore.STATE, Fate.RESTORED));
        assertEquals(2, bench.rows().size());
    }

    @Test
    void nestingIsBounded() {
        var deep = "[".repeat(1_000_000);
        assertRefused("{" + HEAD + ",\"new\":" + deep, "nested deeper than 32 levels");
        assertRefused("{" + HEAD + ",\"pr_events\":{\"a\":" + deep, "nested deeper than 32 levels");
        assertRefused("{" + HEAD + ",\"new\":" + "[".repeat(33) + "]".repeat(33) + "}", "nested deeper than 32 levels");
        bench.put("{" + HEAD + ",\"new\":" + "[".repeat(32) + "]".repeat(32) + "}");
        assertEquals(Map.of(), bench.imported().entries());
    }

    @Test
    void longNameSpoilsTheFile() {
        assertRefused(
                "{" + HEAD + ",\"pr_events\":{\"" + "a".repeat(65_537) + "\":1}}", "a name is longer than 65536 bytes");
    }

    @Test
    void entryThatIsFarTooLongIsSetAsideWithoutBeingKept() throws IOException {
        bench.put(new OldFile()
                .entry(OldMap.STATES, "long", "{\"event\":\"" + "x".repeat(16 << 20) + "\"}")
                .state(GOOD, 600)
                .json());
        var counts = bench.imported();
        assertEquals(Map.of(OldStore.STATE, Map.of(Fate.RESTORED, 1, Fate.INVALID, 1)), counts.entries());
        assertEquals("""
                {"map":"state_events","key":"long","reason":"it is longer than 16 MiB, which no event can be"}
                """, Files.readString(bench.beside(".invalid")));
    }

    @Test
    void absurdOffsetsEndWithTheLongestTimeAnythingWaits() {
        for (var offset : List.of("1801", "9223372036854775807", "18446744073709551615", "1" + "0".repeat(400))) {
            var event = state(0, "far", offset);
            bench.put(new OldFile()
                    .entry(
                            OldMap.STATES,
                            "far",
                            entry(event, offset).replace("\"created_at_offset_secs\":0", """
                            "created_at_offset_secs":%s""".formatted(offset)))
                    .json());
            assertEquals(1, bench.imported().of(Fate.RESTORED));
            var row = bench.store.findHeld(event.id()).orElseThrow();
            var latest = Math.min(NOW + 1800, offset.equals("1801") ? SAVED + 1801 : Long.MAX_VALUE);
            assertEquals(Instant.ofEpochSecond(latest), row.expiresAt());
            assertEquals(Instant.ofEpochSecond(NOW), row.heldSince());
        }
    }

    @Test
    void absurdTimesAreNoTroubleEither() {
        var far = "{\"secs_since_epoch\":18446744073709551615,\"nanos_since_epoch\":18446744073709551615}";
        bench.put(new OldFile()
                .head("\"version\":1,\"saved_at\":" + far)
                .state(GOOD, 600)
                .expired("c".repeat(64), far)
                .expired("d".repeat(64), "{\"secs_since_epoch\":0,\"nanos_since_epoch\":4294967295}")
                .json());
        var counts = bench.imported();
        assertEquals(2, counts.of(Fate.RESTORED));
        assertEquals(1, counts.of(Fate.FORGOTTEN));
    }

    @Test
    void offsetThatIsNoneIsSetAside() throws IOException {
        for (var offset : List.of("-1", "1.5", "1e3", "\"600\"", "null", "[]")) {
            assertSetAside(
                    OldMap.STATES,
                    "good",
                    entry(GOOD, offset),
                    "its expires_at_offset_secs is not a whole number from 0 on");
        }
        assertSetAside(
                OldMap.STATES,
                "good",
                "{\"event\":" + GOOD + ",\"created_at_offset_secs\":0}",
                "it has no expires_at_offset_secs");
    }

    @Test
    void wrongSignatureIsSetAside() throws IOException {
        var signature = GOOD.signature().toString();
        var other = state(1, "good", "").signature().toString();
        var reason = "the signature of its event is wrong";
        assertSetAside(OldMap.STATES, "good", entry(GOOD, "600").replace(signature, other), reason);
        var announced = announcement(0, "good");
        assertSetAside(
                OldMap.ANNOUNCEMENTS,
                announced.author() + ":good",
                entry(announced, "600").replace(announced.signature().toString(), other),
                reason);
        var proposed = proposal(0, "");
        assertSetAside(
                OldMap.PROPOSALS,
                proposed.id().toString(),
                entry(proposed, "600").replace(proposed.signature().toString(), other),
                reason);
    }

    @Test
    void wrongIdIsSetAside() throws IOException {
        var json = entry(GOOD, "600").replace(GOOD.id().toString(), "0".repeat(64));
        assertSetAside(
                OldMap.STATES,
                "good",
                json,
                "its event is not valid: id is not the hash of the event, which is " + GOOD.id());
    }

    @Test
    void wrongKindIsSetAside() throws IOException {
        var announced = announcement(0, "good");
        assertSetAside(OldMap.STATES, "good", entry(announced, "600"), "kind 30617 where 30618 belongs");
        assertSetAside(
                OldMap.ANNOUNCEMENTS, GOOD.author() + ":good", entry(GOOD, "600"), "kind 30618 where 30617 belongs");
        var note = StoreSamples.event(0, 1, SAVED, List.of(List.of("c", COMMIT)), "");
        assertSetAside(OldMap.PROPOSALS, note.id().toString(), entry(note, "600"), "kind 1 is not a pull request");
    }

    @Test
    void wrongKeyIsSetAside() throws IOException {
        var reason = "its key is not that of the event";
        assertSetAside(OldMap.STATES, "other", entry(GOOD, "600"), reason);
        var announced = announcement(0, "good");
        assertSetAside(OldMap.ANNOUNCEMENTS, announced.author() + ":other", entry(announced, "600"), reason);
        assertSetAside(OldMap.ANNOUNCEMENTS, StoreSamples.author(1) + ":good", entry(announced, "600"), reason);
        assertSetAside(OldMap.PROPOSALS, "0".repeat(64), entry(proposal(0, ""), "600"), reason);
        assertSetAside(
                OldMap.STATES,
                "good",
                entry(GOOD, "600,\"author\":\"" + StoreSamples.author(1) + "\""),
                "its author is not that of the event");
        assertSetAside(
                OldMap.ANNOUNCEMENTS,
                announced.author() + ":good",
                entry(announced, "600,\"owner\":\"" + StoreSamples.author(1) + "\""),
                "its owner is not that of the event");
        assertSetAside(
                OldMap.STATES,
                "good",
                entry(GOOD, "600,\"identifier\":\"other\""),
                "its identifier is not that of the event");
    }

    @Test
    void entryOfWrongFormIsSetAside() throws IOException {
        assertSetAside(OldMap.STATES, "good", "[\n]", "it is not a JSON object");
        assertSetAside(OldMap.STATES, "good", entry(GOOD, "600").replace(GOOD.toString(), "null"), "it has no event");
        assertSetAside(
                OldMap.STATES,
                "good",
                entry(GOOD, "600").replace(GOOD.toString(), "17"),
                "its event is not a JSON object");
        assertSetAside(
                OldMap.STATES, "good", entry(GOOD, "600,\"source\":\"Post\""), "its source is neither Direct nor Sync");
        assertSetAside(OldMap.STATES, "good", entry(GOOD, "600,\"source\":null"), "its source is no text");
        assertSetAside(OldMap.EXPIRED, "c".repeat(64), "1700000000", "it is not a time");
        assertSetAside(OldMap.EXPIRED, "c".repeat(63), time(SAVED), "its key is not 64 lower-case hex digits");
        var pushed = "{\"commit\":\"%s\",\"created_at_offset_secs\":0,\"expires_at_offset_secs\":9%s}";
        assertSetAside(
                OldMap.PROPOSALS,
                "b".repeat(64),
                pushed.formatted("abc", ""),
                "its commit is not 40 lower-case hex digits");
        assertSetAside(
                OldMap.PROPOSALS,
                "placeholder",
                pushed.formatted(COMMIT, ""),
                "its key is not 64 lower-case hex digits");
        assertSetAside(
                OldMap.PROPOSALS,
                "b".repeat(64),
                pushed.formatted(COMMIT, ",\"standard_refs\":{}"),
                "its standard_refs are not a list");
    }

    @Test
    void repositoryThatCannotBeSpoilsThePushOnly() {
        bench.uploads = ImportBench.areasForAll();
        var event = proposal(0, "");
        var refs = ",\"commit\":\"%s\",\"prs_scope\":{\"submitter\":\"x\",\"identifier\":\"tools\"},\"standard_refs\":"
                        .formatted(COMMIT)
                + "[{\"owner\":\"%s\",\"identifier\":\"a/b\",\"commit\":\"%s\"}]"
                        .formatted(StoreSamples.author(0), COMMIT);
        bench.put(new OldFile()
                .entry(OldMap.PROPOSALS, event.id().toString(), entry(event, "600" + refs))
                .entry(
                        OldMap.PROPOSALS,
                        "b".repeat(64),
                        "{\"created_at_offset_secs\":0,\"expires_at_offset_secs\":9" + refs + "}")
                .json());
        var counts = bench.imported();
        assertEquals(1, counts.of(OldStore.PROPOSAL, Fate.RESTORED));
        assertEquals(2, counts.uploadsDropped());
        assertEquals(1, counts.of(OldStore.PLACEHOLDER, Fate.WITHOUT_AREA));
    }

    @Test
    void onlyTheFirstBadEntriesAreToldOneByOne() throws IOException {
        var file = new OldFile().state(GOOD, 600);
        for (int i = 0; i < 30; i++) {
            file.entry(OldMap.PROPOSALS, "k".repeat(i == 0 ? 200 : 1) + i, "{}");
        }
        bench.put(file.json());
        assertEquals(30, bench.imported().of(OldStore.PROPOSAL, Fate.INVALID));
        var warnings = bench.logged(Level.WARN);
        assertEquals(21, warnings.size());
        assertTrue(warnings.getFirst().contains("key=" + "k".repeat(100) + "… "), warnings.getFirst());
        assertEquals("purgatory.import_invalid more=10 file=" + bench.beside(".invalid"), warnings.getLast());
        assertEquals(30, Files.readAllLines(bench.beside(".invalid")).size());
    }

    @Test
    void fileThatChangesMeanwhileIsLeftAlone() {
        var event = proposal(0, "");
        var json = "{\"event\":%s,\"created_at_offset_secs\":0,\"expires_at_offset_secs\":9,\"standard_refs\":"
                        .formatted(event)
                + "[{\"owner\":\"%s\",\"identifier\":\"tools\",\"commit\":\"%s\"}]}"
                        .formatted(StoreSamples.author(0), COMMIT);
        var file = new OldFile()
                .entry(OldMap.PROPOSALS, event.id().toString(), json)
                .json();
        var forged = file.replace(event.signature().toString(), GOOD.signature().toString());
        bench.put(file);
        bench.uploads = _ -> {
            bench.put(forged);
            return Optional.empty();
        };
        var refused = (ImportOutcome.Refused) bench.run();
        assertTrue(refused.reason().contains("it changed while it was read"), refused.reason());
        assertEquals(List.of(), bench.rows());
        assertTrue(Files.exists(bench.file));
    }

    @Test
    void storeThatCannotTakeItLeavesTheFileWhereItIs() {
        try (var full = new ImportBench(directory, new StoreFixture(new KeptMemory(1)))) {
            full.store.serve(StoreFixture.note(0, NOW, "1"));
            full.store.store().close();
            var refused = (ImportOutcome.Refused)
                    full.put(new OldFile().state(GOOD, 600).json()).run();
            assertTrue(refused.reason().contains("the store did not take it"), refused.reason());
            assertTrue(Files.exists(full.file));
            full.store.reopen();
            assertEquals(List.of(), full.rows());
        }
    }
}
