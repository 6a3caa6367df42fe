package dev.grapnel.git.pool;

import static dev.grapnel.git.pool.PoolSite.ALICE;
import static dev.grapnel.git.pool.PoolSite.objects;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool.Source.Hunted;
import dev.grapnel.git.pool.LocalPool.Source.Related;
import dev.grapnel.git.pool.LocalPool.Source.Unrelated;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.MissingObjectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was fetched counts where it is complete together with other sources, and exactly what is needed
/// leaves it.
final class HuntedSourceTest {
    private static final Identifier TOOL = new Identifier("tool");

    @TempDir
    private Path directory;

    private PoolSite site;
    private Oid one;
    private Oid two;
    private Oid three;

    @BeforeEach
    void prepare() throws IOException {
        site = PoolSite.at(directory);
        one = site.elsewhere.commit("one");
        two = site.elsewhere.commit("two", one);
        three = site.elsewhere.commit("three", two);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
    }

    private void hunt(Oid tip, Oid... except) throws IOException {
        hunt(false, tip, except);
    }

    private void hunt(boolean isClosed, Oid tip, Oid... except) throws IOException {
        try (var quarantine = site.repositories.hunting().receive(TOOL, List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(site.elsewhere, quarantine.packDirectory(), tip, except);
            quarantine.moveIn(isClosed);
        }
    }

    /// P-664: what has come without all it reaches does not count.
    @Test
    void objectCountsOnlyTogetherWithAllItReaches() throws IOException {
        hunt(three, one);
        try (var pool = site.pool(new Hunted(TOOL))) {
            assertEquals(Optional.empty(), pool.find(three));
        }
        site.receive(site.alice, one);
        Home.point(site.alice, "main", one);
        try (var pool = site.pool(new Related(ALICE), new Hunted(TOOL))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(three));
        }
        try (var pool = site.pool(new Hunted(TOOL), new Unrelated(ALICE))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(three));
        }
    }

    /// P-663: one part from one server, another from the next.
    @Test
    void partsFromSeveralServersAreEnough() throws IOException {
        hunt(one);
        hunt(three, two);
        try (var pool = site.pool(new Hunted(TOOL))) {
            assertEquals(Optional.empty(), pool.find(three));
        }
        hunt(two, one);
        try (var pool = site.pool(new Hunted(TOOL))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(three));
        }
    }

    /// A long history need not be walked again each time somebody asks. That this pack does lack something shows that
    /// it is not.
    @Test
    void packThatIsKnownToBeClosedIsNotLookedThroughAgain() throws IOException {
        hunt(true, two, one);
        hunt(three, two);
        try (var pool = site.pool(new Hunted(TOOL))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(three));
        }
        site.repositories.hunting().delete(TOOL);
        hunt(two, one);
        try (var pool = site.pool(new Hunted(TOOL))) {
            assertEquals(Optional.empty(), pool.find(two), "of what is gone nothing is known");
        }
    }

    @Test
    void exactlyWhatIsNeededLeavesTheArea() throws IOException {
        hunt(three);
        try (var pool = site.pool(new Hunted(TOOL))) {
            pool.bring(List.of(two), site.bob);
            assertThrows(MissingObjectException.class, () -> pool.bring(List.of(site.elsewhere.commit("x")), site.bob));
        }
        assertEquals(site.closure(two), objects(site.bob));
        site.repositories.hunting().delete(TOOL);
        assertEquals("", site.faultsWhenAlone(site.bob, two));
    }
}
