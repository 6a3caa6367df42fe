package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Identifiers that a file system takes for the same name never share a directory.
final class TwinNamesTest {
    @TempDir
    Path data;

    /// A file system that knows neither case nor forms of accents.
    private record Folding() implements EntryNames {
        @Override
        public boolean fold() {
            return true;
        }

        @Override
        public Optional<String> find(Path directory, String name) throws IOException {
            return Files.exists(directory)
                    ? Listing.of(directory).stream()
                            .filter(entry -> folded(entry).equals(folded(name)))
                            .findFirst()
                    : Optional.empty();
        }

        private static String folded(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
        }
    }

    private Repositories open() throws IOException {
        return Repositories.open(
                data, RepositoriesConfig.defaults(), InstantSource.system(), Disk.REAL, _ -> new Folding());
    }

    @Test
    void laterTwinGetsAnEscapedNameThatNoIdentifierHas() throws IOException {
        var twins = List.of("Tool", "tool", "TOOL", "caf\u00e9", "cafe\u0301", "tool.git");
        var places = new HashSet<Path>();
        try (var repositories = open()) {
            for (var identifier : twins) {
                try (var lease = repositories.create(Home.of(ALICE, identifier))) {
                    assertTrue(places.add(lease.directory()));
                    assertEquals("", Home.faults(lease));
                }
            }
        }
        assertEquals(
                3,
                places.stream()
                        .filter(place -> place.toString().matches(".*\\.git~[0-9a-f]{16}"))
                        .count());
        assertFound(twins, places);
    }

    private void assertFound(List<String> identifiers, Set<Path> places) throws IOException {
        try (var repositories = open()) {
            var found = new HashSet<Path>();
            var addresses = new HashSet<RepositoryAddress>();
            for (var identifier : identifiers) {
                addresses.add(Home.of(ALICE, identifier));
                try (var lease = repositories.find(Home.of(ALICE, identifier)).orElseThrow()) {
                    found.add(lease.directory());
                }
            }
            assertEquals(places, found);
            assertEquals(addresses, Set.copyOf(repositories.list()));
            assertTrue(repositories.find(Home.of(ALICE, "tOOL")).isEmpty());
        }
    }

    @Test
    void escapedTwinIsStillFoundOnFileSystemThatDoesNotFold() throws IOException {
        try (var repositories = open()) {
            repositories.create(Home.of(ALICE, "Tool")).close();
            repositories.create(Home.of(ALICE, "tool")).close();
        }
        try (var repositories = Home.open(data);
                var twin = repositories.find(Home.of(ALICE, "tool")).orElseThrow()) {
            assertTrue(String.valueOf(twin.directory().getFileName()).startsWith("tool.git~"));
            assertEquals(2, repositories.list().size());
        }
    }

    @Test
    void removingOneTwinLeavesTheOther() throws IOException {
        try (var repositories = open()) {
            repositories.create(Home.of(ALICE, "Tool")).close();
            repositories.create(Home.of(ALICE, "tool")).close();
            assertTrue(repositories.remove(Home.of(ALICE, "Tool")));
            assertFalse(repositories.remove(Home.of(ALICE, "Tool")));
            repositories.find(Home.of(ALICE, "tool")).orElseThrow().close();
            assertEquals(List.of(Home.of(ALICE, "tool")), repositories.list());
        }
    }

    @Test
    void directoryThatSaysNothingBelongsToItsName() throws IOException {
        var place = Files.createDirectories(Home.directory(data, ALICE).resolve("Theirs.git"));
        new GitProgram(place).run("init", "--bare", "--quiet", ".");
        try (var repositories = open()) {
            repositories.find(Home.of(ALICE, "Theirs")).orElseThrow().close();
            assertTrue(repositories.find(Home.of(ALICE, "theirs")).isEmpty());
            try (var twin = repositories.create(Home.of(ALICE, "theirs"))) {
                assertTrue(String.valueOf(twin.directory().getFileName()).startsWith("theirs.git~"));
            }
        }
    }

    @Test
    void foreignRepositoryThatLostItsPlaceToTwinIsRestoredBesideIt() throws IOException {
        var place = Files.createDirectories(Home.directory(data, ALICE).resolve("Theirs.git"));
        new GitProgram(place).run("init", "--bare", "--quiet", ".");
        try (var repositories = open()) {
            var trashed = repositories.trash(Home.of(ALICE, "Theirs")).orElseThrow();
            repositories.create(Home.of(ALICE, "theirs")).close();
            assertEquals(Restoration.DONE, repositories.restore(trashed));
            repositories.find(Home.of(ALICE, "Theirs")).orElseThrow().close();
            assertEquals(Set.of(Home.of(ALICE, "Theirs"), Home.of(ALICE, "theirs")), Set.copyOf(repositories.list()));
        }
    }

    @Test
    void fileSystemOfThisMachineIsProbed() throws IOException {
        var names = EntryNames.probe(data);
        assertEquals(List.of(), Listing.of(data));
        Files.createFile(data.resolve("X"));
        assertEquals(names.fold(), names.find(data, "x").isPresent());
        assertEquals(Optional.of("X"), names.find(data, "X"));
        assertEquals(Optional.of("X"), new EntryNames.OfFileSystem(true).find(data, "X"));
        assertEquals(Optional.empty(), new EntryNames.OfFileSystem(true).find(data, "y"));
    }
}
