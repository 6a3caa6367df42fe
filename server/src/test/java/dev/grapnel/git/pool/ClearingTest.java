package dev.grapnel.git.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// P-807: a full area is cleared of what nobody needs, and of nothing else.
final class ClearingTest {
    private static final Identifier TOOL = new Identifier("tool");

    @TempDir
    private Path directory;

    private PoolSite site;
    private Oid one;
    private Oid two;
    private Oid other;

    @BeforeEach
    void prepare() throws IOException {
        site = PoolSite.at(directory);
        one = site.elsewhere.commit("one");
        two = site.elsewhere.commit("two", one);
        other = site.elsewhere.commit("other");
        hunt(one);
        hunt(two, one);
        hunt(other);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
    }

    private void hunt(Oid tip, Oid... except) throws IOException {
        try (var quarantine = site.repositories.hunting().receive(TOOL, List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(site.elsewhere, quarantine.packDirectory(), tip, except);
            quarantine.moveIn();
        }
    }

    private boolean has(Oid id) throws IOException {
        try (var area = site.repositories.hunting().open(TOOL).orElseThrow();
                var reader = area.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    @Test
    void whatIsReachedStaysAndTheRestGoes() throws IOException {
        long before = site.repositories.hunting().bytes(TOOL);
        long freed = Clearing.run(site.repositories, TOOL, List.of(two), List.of());
        assertTrue(has(one));
        assertTrue(has(two));
        assertFalse(has(other));
        assertTrue(freed > 0);
        assertEquals(before - freed, site.repositories.hunting().bytes(TOOL));
        assertEquals(before - freed, site.repositories.hunting().bytes());
        try (var pool = site.pool(new LocalPool.Source.Hunted(TOOL))) {
            assertTrue(pool.find(two).isPresent());
        }
    }

    /// What was released meanwhile is in a repository.
    @Test
    void whatARepositoryHasNeedNotStay() throws IOException {
        site.receive(site.alice, one);
        Home.point(site.alice, "main", one);
        Clearing.run(site.repositories, TOOL, List.of(two), List.of(site.alice));
        assertFalse(has(one));
        assertTrue(has(two));
    }

    @Test
    void nothingStaysIfNothingIsNeeded() throws IOException {
        Clearing.run(site.repositories, TOOL, List.of(Oid.parse("a".repeat(40)).require()), List.of());
        assertEquals(0, site.repositories.hunting().bytes(TOOL));
        assertTrue(site.repositories.hunting().isThere(TOOL), "others may be fetching into it");
        hunt(two);
        assertTrue(has(two));
    }

    @Test
    void areaThatIsNotThereNeedsNoRoom() throws IOException {
        assertEquals(0, Clearing.run(site.repositories, new Identifier("other"), List.of(one), List.of()));
    }

    /// What lies in several packs is kept once.
    @Test
    void oneOfTwoPacksWithTheSameIsEnough() throws IOException {
        hunt(two); // a pack of its own, with both
        assertTrue(Clearing.run(site.repositories, TOOL, List.of(one, two), List.of()) > 0);
        assertTrue(has(one));
        assertTrue(has(two));
    }
}
