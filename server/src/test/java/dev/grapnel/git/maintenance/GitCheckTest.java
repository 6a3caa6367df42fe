package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
final class GitCheckTest {
    @TempDir
    private Path temporary;

    private final AtomicLong objects = new AtomicLong();
    private PushedRepository repository;

    @BeforeEach
    void make() throws IOException {
        repository = new PushedRepository(temporary, 20, 5);
        repository.push(10);
        repository.push(10);
    }

    private List<String> check() throws IOException {
        return GitCheck.run(repository.directory(), Instant.now().plus(Duration.ofHours(2)), objects::set).stream()
                .map(Finding::sentence)
                .toList();
    }

    private Path smallest(String extension) throws IOException {
        var pack = new PackDirectory(Disk.REAL, repository.directory())
                .list().stream()
                        .min(java.util.Comparator.comparingLong(StoredPack::bytes))
                        .orElseThrow();
        return repository.packs().resolve(pack.name() + extension);
    }

    @Test
    void soundRepositoryHasNoFindings() throws Exception {
        assertEquals(List.of(), check());
        assertEquals(repository.reachable().size(), objects.get());
    }

    @Test
    void somethingElseIsNoRepository() throws Exception {
        Files.delete(repository.directory().resolve("HEAD"));
        assertEquals(List.of("it is no git repository: HEAD or the directory of objects is missing"), check());
    }

    @Test
    void damagedPackIsFound() throws Exception {
        var file = smallest(".pack");
        var bytes = Files.readAllBytes(file);
        bytes[bytes.length - 25] ^= 1;
        Files.delete(file);
        Files.write(file, bytes);
        var findings = check();
        assertTrue(findings.getFirst().endsWith(".pack does not fit its checksum"), findings.toString());
    }

    @Test
    void missingObjectsAreFound() throws Exception {
        Files.delete(smallest(".idx"));
        var findings = check();
        assertTrue(findings.stream().anyMatch(text -> text.contains("is missing")), findings.toString());
    }

    @Test
    void refThatLeadsNowhereIsFound() throws Exception {
        var nothing = "0123456789012345678901234567890123456789";
        Files.writeString(
                repository.directory().resolve("packed-refs"),
                nothing + " refs/heads/nowhere\nnonsense\n",
                StandardOpenOption.APPEND);
        var findings = check();
        assertEquals("the ref nonsense is no line of an id and a name", findings.getFirst());
    }

    @Test
    void refWithoutObjectIsFound() throws Exception {
        var nothing = "0123456789012345678901234567890123456789";
        Files.writeString(
                repository.directory().resolve("packed-refs"),
                nothing + " refs/heads/nowhere\n",
                StandardOpenOption.APPEND);
        assertEquals(List.of("the ref refs/heads/nowhere leads to " + nothing + ", which is missing"), check());
    }

    @Test
    void leftoversAreFound() throws Exception {
        Files.createFile(repository.packs().resolve("tmp_pack_x"));
        Files.createFile(repository.directory().resolve("packed-refs.lock"));
        assertEquals(
                List.of(
                        "the file packed-refs.lock was left behind by something that did not finish",
                        "the file objects/pack/tmp_pack_x was left behind by something that did not finish"),
                check());
    }
}
