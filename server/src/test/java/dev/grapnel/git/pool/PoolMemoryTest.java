package dev.grapnel.git.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Listing;
import dev.grapnel.git.repository.Home;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Histories are larger than heaps.
final class PoolMemoryTest {
    private static final int COMMITS = 40_000;

    @TempDir
    private Path directory;

    @Test
    void hundredThousandObjectsPassThroughASmallHeap() throws Exception {
        String area;
        Oid signed;
        Oid unsigned;
        try (var site = PoolSite.at(directory)) {
            site.elsewhere.feed(history(), "fast-import", "--quiet");
            signed = site.parse("refs/heads/main");
            unsigned = site.parse("refs/heads/other");
            area = stagePacks(site);
        }
        assertEquals("Optional[COMMIT]", bring(area, signed));
        try (var site = PoolSite.at(directory)) {
            assertFalse(Home.has(site.bob, unsigned));
            assertEquals(site.closure(signed).size(), PoolSite.objects(site.bob).size());
        }
    }

    /// A commit, a tree and a file each, and one commit that nobody signed.
    private static String history() {
        var stream = new StringBuilder();
        for (int i = 0; i < COMMITS; i++) {
            commit(stream, "main", i);
        }
        commit(stream, "other", COMMITS);
        return stream.toString();
    }

    private static void commit(StringBuilder stream, String branch, int number) {
        var text = "text " + number;
        stream.append("commit refs/heads/%s\ncommitter A <a@example.com> %d +0000\ndata 1\nc\n"
                .formatted(branch, 1_700_000_000 + number));
        stream.append("M 100644 inline file\ndata %d\n%s\n".formatted(text.length(), text));
    }

    private String stagePacks(PoolSite site) throws IOException {
        var name = site.repositories.staging().newName();
        var packs = directory.resolve("elsewhere/objects/pack");
        try (var quarantine = site.repositories.quarantine(site.alice, List.of())) {
            for (var file : Listing.of(packs)) {
                Files.copy(packs.resolve(file), quarantine.packDirectory().resolve(file));
            }
            site.repositories.staging().keep(quarantine, name);
        }
        return name;
    }

    private String bring(String area, Oid tip) throws Exception {
        var said = directory.resolve("said");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        SmallHeap.class.getName(),
                        directory.toString(),
                        area,
                        tip.toString(),
                        said.toString())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS));
        return Files.exists(said) ? Files.readString(said) : "status " + process.exitValue();
    }
}
