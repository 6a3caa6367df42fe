package dev.grapnel.git.pool;

import static dev.grapnel.git.pool.PoolSite.BOB;
import static dev.grapnel.git.pool.PoolSite.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool.Source.Area;
import dev.grapnel.git.pool.LocalPool.Source.Hunted;
import dev.grapnel.git.pool.LocalPool.Source.Unrelated;
import dev.grapnel.git.repository.GitCaches;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.LogWatch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What strangers bring and nobody can read is absent for whoever needs it, and nothing for everybody else.
final class UnreadableObjectsTest {
    private static final Identifier TOOL = new Identifier("tool");
    private static final Hunted HUNTED = new Hunted(TOOL);
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private PoolSite site;
    private Oid good;
    private Oid large;

    @BeforeEach
    void prepare() throws IOException {
        site = PoolSite.at(directory);
        GitLibrary.configure(new GitCaches(MIB, MIB, MIB, 16));
        good = site.elsewhere.commit("good");
        large = large(good);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
        GitLibrary.configure(RepositoriesConfig.defaults().caches());
    }

    /// A commit that is too large to be looked through.
    private Oid large(Oid parent) {
        var text = "tree " + site.parse(parent + "^{tree}") + "\nparent " + parent
                + "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n" + "x".repeat(6 * MIB);
        return GitProgram.oid(site.elsewhere.feed(text, "hash-object", "-w", "-t", "commit", "--stdin"));
    }

    private void hunt(boolean isClosed, Oid tip, Oid... except) throws IOException {
        try (var quarantine = site.repositories.hunting().receive(TOOL, List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(site.elsewhere, quarantine.packDirectory(), tip, except);
            assertTrue(quarantine.moveIn(isClosed));
        }
    }

    private boolean isHunted(Oid id) throws IOException {
        var area = site.repositories.hunting().open(TOOL);
        if (area.isEmpty()) {
            return false;
        }
        try (var objects = area.get();
                var reader = objects.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    private List<Path> files(String end) throws IOException {
        try (var files = Files.walk(directory.resolve("git/.grapnel/hunting"))) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    @Test
    void commitThatIsTooLargeIsAbsentAndItsPackGoes() throws Exception {
        hunt(false, large);
        hunt(false, good);
        try (var log = LogWatch.on(Places.class.getName())) {
            try (var pool = site.pool(HUNTED)) {
                assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(List.of(large, good)));
                assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(List.of(large, good)));
            }
            var line = log.lines("hunting.unreadable", 1).getFirst();
            assertTrue(line.contains("identifier=tool") && line.contains("too large to look through"), line);
        }
        assertFalse(isHunted(large));
        assertTrue(isHunted(good));
        long left = 0;
        for (var file : files("")) {
            left += file.getFileName().toString().startsWith("pack-") ? Files.size(file) : 0;
        }
        assertEquals(left, site.repositories.hunting().bytes(TOOL));
    }

    /// A pack that is known to be whole is not read before it is copied from.
    @Test
    void largeCommitOfAWholePackCannotBeBroughtAndItsPackGoes() throws IOException {
        hunt(true, large);
        try (var pool = site.pool(HUNTED)) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(large));
            assertEquals(
                    large,
                    assertThrows(AbsentObject.class, () -> pool.bring(List.of(large), site.alice))
                            .object());
        }
        assertFalse(isHunted(large));
        try (var pool = site.pool(HUNTED)) {
            assertEquals(Optional.empty(), pool.find(large));
        }
    }

    @Test
    void oneThatRestsOnALargeCommitIsAbsentToo() throws IOException {
        var above = site.elsewhere.commit("above", large);
        site.receive(site.bob, good);
        Home.point(site.bob, "main", good);
        hunt(false, above);
        try (var pool = site.pool(HUNTED, new Unrelated(BOB))) {
            assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(List.of(above, good)));
        }
    }

    @Test
    void largeCommitThatWasPushedIsAbsentAndStaysWhereItIs() throws IOException {
        var pushed = new Area(site.stage(large));
        try (var pool = site.pool(pushed, new Area(site.stage(good)))) {
            assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(List.of(large, good)));
        }
        assertEquals(2, site.repositories.staging().list().size());
    }

    /// Somebody else's repository shows a history that cannot be searched.
    @Test
    void largeCommitInARepositoryOfAnotherHidesOnlyWhatIsInIt() throws IOException {
        var old = site.elsewhere.commit("old");
        var above = site.elsewhere.commit("above", large(old));
        site.receive(site.bob, above);
        Home.point(site.bob, "main", above);
        site.receive(site.carol, good);
        Home.point(site.carol, "main", good);
        try (var pool = site.pool(new Unrelated(BOB), new Unrelated(CAROL))) {
            assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(List.of(old, good)));
        }
    }

    enum Damage {
        SHORT_PACK,
        WRONG_PACK,
        EMPTY_PACK,
        SHORT_INDEX,
        WRONG_INDEX,
        EMPTY_INDEX,
        NO_PACK,
        NO_INDEX
    }

    private void damage(Damage damage) throws IOException {
        var pack = files(".pack").getFirst();
        var index = files(".idx").getFirst();
        for (var file : List.of(pack, index)) {
            assertTrue(file.toFile().setWritable(true));
        }
        switch (damage) {
            case SHORT_PACK -> cut(pack, 2);
            case SHORT_INDEX -> cut(index, 2);
            case WRONG_PACK -> Files.write(pack, noise((int) Files.size(pack)));
            case WRONG_INDEX -> Files.write(index, noise((int) Files.size(index)));
            case EMPTY_PACK -> Files.write(pack, new byte[0]);
            case EMPTY_INDEX -> Files.write(index, new byte[0]);
            case NO_PACK -> Files.delete(pack);
            case NO_INDEX -> Files.delete(index);
        }
    }

    private static byte[] noise(int length) {
        var noise = new byte[length];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private static void cut(Path file, int parts) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / parts);
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedPackIsAbsentAndCanBeFetchedAgain(Damage damage) throws IOException {
        hunt(false, good);
        damage(damage);
        var other = site.elsewhere.commit("other");
        hunt(false, other);
        try (var pool = site.pool(HUNTED)) {
            assertEquals(Map.of(other, ObjectType.COMMIT), pool.find(List.of(good, other)));
        }
        hunt(false, good);
        try (var pool = site.pool(HUNTED)) {
            assertEquals(2, pool.find(List.of(good, other)).size());
        }
    }

    /// Files are not read until they are copied.
    @Test
    void damagedFileIsNotBroughtAndCanBeFetchedAgain() throws IOException {
        var content = new StringBuilder();
        new Random(2).ints(100_000, 'a', 'z').forEach(letter -> content.append((char) letter));
        var tip = site.elsewhere.commit(content.toString());
        var beside = site.elsewhere.commit("beside", tip);
        hunt(false, beside);
        var pack = files(".pack").getFirst();
        assertTrue(pack.toFile().setWritable(true));
        var bytes = Files.readAllBytes(pack);
        for (int i = bytes.length * 3 / 4; i < (bytes.length * 3 / 4) + 100; i++) {
            bytes[i] ^= 0x55;
        }
        Files.write(pack, bytes);
        try (var pool = site.pool(HUNTED)) {
            assertThrows(AbsentObject.class, () -> pool.bring(List.of(tip), site.alice));
        }
        hunt(false, beside);
        try (var pool = site.pool(HUNTED)) {
            pool.bring(List.of(tip), site.alice);
        }
        assertEquals("", Home.faults(site.alice));
    }

    /// Nobody can make others wait for what only they need.
    @Test
    void everyBadObjectOfManyGoesAtOnce() throws IOException {
        var all = new ArrayList<Oid>(List.of(good));
        for (int i = 0; i < 3; i++) {
            var bad = large(site.elsewhere.commit("base " + i));
            hunt(false, bad);
            all.add(bad);
        }
        hunt(false, good);
        try (var pool = site.pool(HUNTED)) {
            assertEquals(Map.of(good, ObjectType.COMMIT), pool.find(all));
        }
        assertEquals(1, files(".pack").size());
    }
}
