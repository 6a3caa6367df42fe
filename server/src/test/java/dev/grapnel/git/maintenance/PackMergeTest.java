package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.GitLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(300)
final class PackMergeTest {
    @TempDir
    private Path temporary;

    private PushedRepository repository;

    @BeforeEach
    void make() throws IOException {
        repository = new PushedRepository(temporary, 130, 1);
    }

    private NewPack mergeAll() throws IOException {
        var packs = new PackDirectory(Disk.REAL, repository.directory());
        // The oldest first, as then chains of deltas become as long as they can.
        var names = packs.list().stream()
                .sorted(Comparator.comparing(StoredPack::modified))
                .map(StoredPack::name)
                .toList();
        try (var opened = GitLibrary.open(repository.directory());
                var reader = opened.newObjectReader()) {
            var made = new PackMerge(Disk.REAL, Pace.FREE).merge(packs, names, reader);
            packs.install(made, Instant.EPOCH);
            packs.hide(names);
            for (var file : packs.strip(names)) {
                Files.delete(file);
            }
            return made;
        }
    }

    @Test
    void manySmallPacksBecomeOneThatGitFindsSound() throws IOException {
        repository.push(10);
        repository.pushOneByOne(120);
        var before = repository.reachable();
        var made = mergeAll();
        assertEquals(List.of(made.name() + ".idx", made.name() + ".pack"), repository.files());
        assertEquals(before.size(), made.objects());
        assertEquals(before, repository.reachable());
        repository.assertSound();
        assertTrue(longestChain(made) <= PackMerge.DEPTH_MAX);
    }

    @Test
    void packsOfVeryManyObjectsAreMerged() throws IOException {
        var git = temporary.resolve("many.git");
        new GitProgram(temporary).run("init", "-q", "--bare", "-b", "main", git.toString());
        for (int push = 0; push < 2; push++) {
            new GitProgram(git)
                    .pipe(manyFiles(push, 70_000), "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet");
        }
        var packs = new PackDirectory(Disk.REAL, git);
        var names = packs.list().stream().map(StoredPack::name).toList();
        assertEquals(2, names.size());
        try (var opened = GitLibrary.open(git);
                var reader = opened.newObjectReader()) {
            var made = new PackMerge(Disk.REAL, Pace.FREE).merge(packs, names, reader);
            packs.install(made, Instant.EPOCH);
            packs.hide(names);
            for (var file : packs.strip(names)) {
                Files.delete(file);
            }
            new GitProgram(packs.path()).run("verify-pack", made.name() + ".idx");
            new GitProgram(git).run("fsck", "--full");
        }
        assertEquals(2, packs.files().size());
    }

    private static byte[] manyFiles(int push, int count) {
        var script = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            var text = push + "/" + i;
            script.append("blob\nmark :")
                    .append(i)
                    .append("\ndata ")
                    .append(text.length())
                    .append("\n")
                    .append(text)
                    .append("\n");
        }
        script.append("commit refs/heads/main")
                .append(push)
                .append("\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n");
        for (int i = 1; i <= count; i++) {
            script.append("M 100644 :")
                    .append(i)
                    .append(" d")
                    .append(i % 100)
                    .append("/f")
                    .append(i)
                    .append("\n");
        }
        return script.append("done\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private long longestChain(NewPack made) {
        return Pattern.compile("chain length = (\\d+)")
                .matcher(new GitProgram(repository.packs()).run("verify-pack", "-s", made.name() + ".idx"))
                .results()
                .mapToLong(chain -> Long.parseLong(chain.group(1)))
                .max()
                .orElse(0);
    }

    @Test
    void damagedEntryIsNoticedAndNothingIsReplaced() throws IOException {
        repository.push(20);
        repository.push(5);
        var victim = new PackDirectory(Disk.REAL, repository.directory())
                .list().stream()
                        .max(Comparator.comparingLong(StoredPack::objects))
                        .orElseThrow();
        var file = repository.packs().resolve(victim.name() + ".pack");
        var copy = Files.readAllBytes(file);
        copy[copy.length / 2] ^= 1;
        Files.delete(file);
        try (var out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(copy));
        }
        Disk.REAL.setModified(file, Instant.EPOCH); // it comes first, so nothing of it can be had elsewhere
        var problem = assertThrows(BrokenPack.class, this::mergeAll);
        assertTrue(problem.getMessage().contains("pack-"), problem.getMessage());
        assertEquals(2, repository.packCount());
    }
}
