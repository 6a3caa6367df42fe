package dev.grapnel.nostr.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Runs every fuzz target over its seeds, among them each input that once made it fail.
class FuzzRegressionTest {
    private static final Path SEEDS = Path.of("src/test/resources/fuzz");

    private static final Map<String, Consumer<byte[]>> TARGETS = Map.of(
            "ClientMessage", ClientMessageFuzz::fuzzerTestOneInput,
            "Event", EventFuzz::fuzzerTestOneInput,
            "Filter", FilterFuzz::fuzzerTestOneInput,
            "Negentropy", NegentropyFuzz::fuzzerTestOneInput,
            "Nip19", Nip19Fuzz::fuzzerTestOneInput,
            "RelayMessage", RelayMessageFuzz::fuzzerTestOneInput,
            "Repository", RepositoryFuzz::fuzzerTestOneInput);

    @Test
    void everyFolderHasItsTarget() throws IOException {
        try (var folders = Files.list(SEEDS)) {
            var names = new TreeSet<String>();
            folders.forEach(folder -> names.add(String.valueOf(folder.getFileName())));
            assertEquals(new TreeSet<>(TARGETS.keySet()), names);
        }
    }

    @TestFactory
    Stream<DynamicTest> targetsStandTheirSeeds() {
        return TARGETS.entrySet().stream()
                .flatMap(entry -> seedsOf(entry.getKey())
                        .map(seed -> DynamicTest.dynamicTest(
                                entry.getKey() + " " + seed.getFileName(),
                                () -> entry.getValue().accept(Files.readAllBytes(seed)))));
    }

    private static Stream<Path> seedsOf(String target) {
        try (var seeds = Files.list(SEEDS.resolve(target))) {
            return seeds.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
