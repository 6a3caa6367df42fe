package dev.grapnel.git.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What was fetched for an identifier gathers in one place, apart from every repository, and goes at once.
final class HuntingAreasTest {
    private static final Identifier TOOL = new Identifier("tool");
    private static final int STEPS_MAX = 40;

    @TempDir
    private Path directory;

    private GitProgram elsewhere;
    private Path data;

    @BeforeEach
    void prepare() throws IOException {
        elsewhere = new GitProgram(Files.createDirectories(directory.resolve("elsewhere")));
        elsewhere.run("init", "--quiet", "--bare");
        data = directory.resolve("data");
    }

    private boolean bring(Repositories repositories, Identifier identifier, Oid tip) throws IOException {
        try (var quarantine = repositories.hunting().receive(identifier, List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(elsewhere, quarantine.packDirectory(), tip);
            return quarantine.moveIn(false);
        }
    }

    private static boolean has(Repositories repositories, Identifier identifier, Oid id) throws IOException {
        var area = repositories.hunting().open(identifier);
        if (area.isEmpty()) {
            return false;
        }
        try (var objects = area.get();
                var reader = objects.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    private List<String> files(String area) throws IOException {
        return Listing.of(data.resolve(".grapnel").resolve(area));
    }

    /// P-663.
    @Test
    void packsOfSeveralFetchesGatherAndSurviveARestart() throws IOException {
        var one = elsewhere.commit("one");
        var other = elsewhere.commit("other");
        long bytes;
        try (var repositories = Home.open(data)) {
            assertTrue(bring(repositories, TOOL, one));
            assertTrue(bring(repositories, TOOL, other));
            bytes = repositories.hunting().bytes(TOOL);
        }
        try (var repositories = Home.open(data)) {
            assertEquals(List.of(TOOL), repositories.hunting().list());
            assertTrue(has(repositories, TOOL, one));
            assertTrue(has(repositories, TOOL, other));
            assertTrue(bytes > 0);
            assertEquals(bytes, repositories.hunting().bytes(TOOL));
            assertEquals(bytes, repositories.hunting().bytes());
            assertEquals(List.of(), repositories.list());
        }
    }

    @Test
    void packThatIsThereAlreadyCountsOnce() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            bring(repositories, TOOL, one);
            long bytes = repositories.hunting().bytes();
            bring(repositories, TOOL, one);
            assertEquals(bytes, repositories.hunting().bytes());
        }
    }

    /// Any identifier is a name of a directory that leads nowhere else.
    @Test
    void everyIdentifierHasAnAreaOfItsOwn() throws IOException {
        var identifiers =
                List.of("...", "-rf", "CON", "a:b", "A", "a", ".grapnel", " ", "\u00e9", "e\u0301", "x".repeat(200));
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            for (var text : identifiers) {
                assertTrue(bring(repositories, new Identifier(text), one), text);
            }
        }
        try (var repositories = Home.open(data)) {
            var expected = identifiers.stream().map(Identifier::new).sorted().toList();
            assertEquals(expected, repositories.hunting().list());
            for (var identifier : expected) {
                assertTrue(has(repositories, identifier, one), identifier.text());
            }
        }
    }

    /// Row 143, in part.
    @Test
    void deletedAreaIsGoneAtOnce() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            bring(repositories, TOOL, one);
            assertTrue(repositories.hunting().delete(TOOL));
            assertFalse(repositories.hunting().delete(TOOL));
            assertEquals(List.of(), repositories.hunting().list());
            assertEquals(0, repositories.hunting().bytes());
            assertTrue(repositories.hunting().open(TOOL).isEmpty());
            assertEquals(List.of(), files("hunting"));
            assertEquals(List.of(), files("doomed"));
        }
    }

    @Test
    void whatIsReceivedForADeletedAreaGoesNowhere() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            var hunting = repositories.hunting();
            try (var quarantine = hunting.receive(TOOL, List.of(), HuntingLimits.DEFAULTS)) {
                hunting.delete(TOOL);
                Home.pack(elsewhere, quarantine.packDirectory(), one);
                assertFalse(quarantine.moveIn(false));
            }
            assertEquals(0, hunting.bytes());
            assertEquals(List.of(), hunting.list());
            assertEquals(List.of(), files("quarantine"));
        }
    }

    /// Row 164: what is on its way counts.
    @Test
    void transferEndsAtTheLimitOfTheArea() throws IOException {
        var limits = new HuntingLimits(100, 1000);
        try (var repositories = Home.open(data)) {
            var hunting = repositories.hunting();
            try (var quarantine = hunting.receive(TOOL, List.of(), limits);
                    var second = hunting.receive(TOOL, List.of(), limits);
                    var half = quarantine.watching(new ByteArrayInputStream(new byte[60]));
                    var rest = second.watching(new ByteArrayInputStream(new byte[60]))) {
                assertEquals(60, half.readAllBytes().length);
                var full = assertThrows(NoRoom.class, rest::readAllBytes);
                assertEquals(NoRoom.Where.AREA, full.where());
                assertEquals("the hunting area would exceed 100 bytes", full.getMessage());
                assertEquals(60, hunting.bytes(TOOL));
            }
            assertEquals(0, hunting.bytes());
        }
    }

    /// Row 164.
    @Test
    void transferEndsAtTheLimitOfAllAreas() throws IOException {
        var limits = new HuntingLimits(100, 150);
        try (var repositories = Home.open(data)) {
            var hunting = repositories.hunting();
            try (var quarantine = hunting.receive(TOOL, List.of(), limits);
                    var other = hunting.receive(new Identifier("other"), List.of(), limits);
                    var first = quarantine.watching(new ByteArrayInputStream(new byte[100]));
                    var second = other.watching(new ByteArrayInputStream(new byte[100]))) {
                assertEquals(100, first.readAllBytes().length);
                var full = assertThrows(NoRoom.class, second::readAllBytes);
                assertEquals(NoRoom.Where.TOTAL, full.where());
                assertThrows(NoRoom.class, () -> hunting.receive(TOOL, List.of(), limits));
            }
        }
    }

    @Test
    void halfOfAPackIsGoneAfterTheNextStart() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            bring(repositories, TOOL, one);
        }
        var area = data.resolve(".grapnel/hunting").resolve(files("hunting").getFirst());
        for (var name : Listing.of(area.resolve("pack"))) {
            if (name.endsWith(".idx")) {
                Files.delete(area.resolve("pack").resolve(name));
            }
        }
        try (var repositories = Home.open(data)) {
            assertEquals(0, repositories.hunting().bytes());
            assertEquals(List.of(), Listing.of(area.resolve("pack")));
        }
    }

    @Test
    void areaThatNamesNoIdentifierIsGoneAfterTheNextStart() throws IOException {
        var nobodys = Files.createDirectories(data.resolve(".grapnel/hunting/0000/pack"));
        Files.writeString(nobodys.resolve("file"), "x");
        try (var repositories = Home.open(data)) {
            assertEquals(List.of(), repositories.hunting().list());
            assertEquals(List.of(), files("hunting"));
        }
    }

    /// P-666: wherever the process ends, the pack is there as a whole or not at all.
    @ParameterizedTest
    @EnumSource(DyingDisk.Death.class)
    void nothingHalfWrittenIsSeenAfterAKill(DyingDisk.Death death) throws IOException {
        var one = elsewhere.commit("one");
        boolean isDead = true;
        for (int steps = 0; isDead; steps++) {
            assertTrue(steps < STEPS_MAX);
            data = directory.resolve("data-" + steps);
            Home.open(data).close();
            var disk = new DyingDisk(steps, death);
            try (var repositories = Home.open(data, disk)) {
                bring(repositories, TOOL, one);
            } catch (IOException _) {
                assertTrue(disk.isDead());
            }
            isDead = disk.isDead();
            try (var repositories = Home.open(data)) {
                assertEquals(
                        has(repositories, TOOL, one), repositories.hunting().bytes() > 0, "step " + steps);
                assertTrue(bring(repositories, TOOL, one));
                assertTrue(has(repositories, TOOL, one));
            }
        }
    }

    private Path reading() throws IOException {
        try (var areas = Files.list(data.resolve(".grapnel/hunting"))) {
            return areas.findFirst().orElseThrow().resolve("reading");
        }
    }

    /// What ends one process must not end the next one.
    @Test
    void areaOverWhichTheLastProcessEndedIsGoneAfterTheNextStart() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            assertTrue(bring(repositories, TOOL, one));
            assertTrue(has(repositories, TOOL, one));
            assertFalse(Files.exists(reading()), "it came while this process runs");
        }
        byte[] mark;
        Path place;
        try (var repositories = Home.open(data)) {
            assertFalse(Files.exists(reading()), "nobody reads it yet");
            assertTrue(has(repositories, TOOL, one));
            place = reading();
            mark = Files.readAllBytes(place);
        }
        assertFalse(Files.exists(place), "that process ended as it should");
        Files.write(place, mark);
        try (var repositories = Home.open(data)) {
            assertEquals(List.of(), repositories.hunting().list());
            assertEquals(0, repositories.hunting().bytes());
            assertEquals(List.of(), files("hunting"));
            assertTrue(bring(repositories, TOOL, one));
            assertTrue(has(repositories, TOOL, one));
        }
    }

    @Test
    void areaThatWasReadOnceIsReadWithoutAMark() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            assertTrue(bring(repositories, TOOL, one));
        }
        try (var repositories = Home.open(data)) {
            assertTrue(has(repositories, TOOL, one));
            repositories.hunting().tried(TOOL);
            assertFalse(Files.exists(reading()));
            assertTrue(has(repositories, TOOL, one));
            assertFalse(Files.exists(reading()));
        }
    }

    @Test
    void areaThatCannotBeReadDoesNotStopAStart() throws IOException {
        var one = elsewhere.commit("one");
        try (var repositories = Home.open(data)) {
            assertTrue(bring(repositories, TOOL, one));
        }
        var label = reading().resolveSibling("identifier");
        Files.delete(label);
        Files.createDirectory(label);
        try (var repositories = Home.open(data)) {
            assertEquals(List.of(), repositories.hunting().list());
            assertTrue(bring(repositories, TOOL, one));
            assertTrue(has(repositories, TOOL, one));
        }
    }
}
