package dev.grapnel.server;

import static dev.grapnel.server.CrashStory.ANN;
import static dev.grapnel.server.CrashStory.BOB;
import static dev.grapnel.server.CrashStory.IN_PURGATORY;
import static dev.grapnel.server.CrashStory.OWNERS;
import static dev.grapnel.server.CrashStory.SERVED;
import static dev.grapnel.server.CrashStory.name;
import static dev.grapnel.server.CrashStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// What the next start makes of a server that died with something pushed that nobody had signed yet: K13 to K17 of
/// purgatory 5.6, rows 190 and 199 of purgatory 11.
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // starting a server takes longest
final class UploadCrashPointTest {
    private static final String ROWS = " commit .*PLACEHOLDERS\\+";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path directory;

    private CrashStory story;
    private int count;
    private String x = "";
    private Event proposal;

    @BeforeAll
    void begin() throws IOException {
        story = new CrashStory(directory);
    }

    @BeforeEach
    void prepareName() throws IOException {
        story.revive();
        x = "x" + ++count;
        story.serve(x);
        proposal = story.proposal(x, story.aside());
    }

    @AfterAll
    void end() {
        story.close();
    }

    private int push() {
        return story.push(ANN, x, "aside:" + ref(proposal)).code();
    }

    private void pushInVain(String moment, int number) throws Exception {
        story.doom(moment, number);
        assertTrue(push() != 0, "git was told that it is done");
        story.awaitDeath();
    }

    private Placeholder row() {
        return (Placeholder) story.inside(view -> view.findRow(Table.PLACEHOLDERS, RowKeys.event(proposal.id())))
                .orElseThrow();
    }

    private void assertHidden() {
        for (int owner : OWNERS) {
            assertEquals(2, story.refs(owner, x, Map.of()).size(), "refs and HEAD");
            assertFalse(story.hasObject(owner, x, story.aside()));
        }
        assertFalse(story.isFetchable(ANN, x, story.aside()));
    }

    private void assertForgotten() throws Exception {
        story.restart();
        story.assertNoUploads();
        assertHidden();
        assertEquals(0, push());
        assertEquals("", story.publish(proposal));
        assertPromoted();
    }

    private void assertPromoted() throws Exception {
        assertEquals(SERVED, story.publish(proposal));
        for (int owner : OWNERS) {
            assertTrue(story.refs(owner, x, Map.of()).contains(story.aside() + " " + ref(proposal)));
        }
        story.assertNoUploads();
        story.assertClean(x);
        assertEquals(0, push());
    }

    /// K13 before the first byte.
    @Test
    void k13ReservationWithoutPackIsForgotten() throws Exception {
        pushInVain("^after" + ROWS, 1);
        assertTrue(row().isReceiving());
        assertEquals(0, story.areas().size());
        assertForgotten();
    }

    /// K13 within the pack: its first byte is not stored before the row is durable (P-240).
    @Test
    void k13PackThatWasNotCompleteIsForgotten() throws Exception {
        var pack = HalfPush.pack(story.git(), story.work(), story.aside(), story.base());
        try (var half = new HalfPush(story.url(ANN, x), "", ref(proposal), story.aside(), pack)) {
            half.send(pack.length - 30);
            Gauges.awaitThat("first bytes", this::hasBytes);
            story.kill();
        }
        assertTrue(row().isReceiving());
        assertForgotten();
    }

    private boolean hasBytes() {
        try (var files = Files.walk(directory.resolve("data", "git", ".grapnel", "quarantine"))) {
            return files.filter(Files::isRegularFile)
                    .anyMatch(file -> file.toFile().length() > 0);
        } catch (IOException | UncheckedIOException _) {
            return false; // it changes meanwhile
        }
    }

    @Test
    void k14AreaThatWasNotConfirmedIsForgotten() throws Exception {
        pushInVain("^before" + ROWS, 2);
        assertTrue(row().isReceiving());
        assertEquals(1, story.areas().size());
        assertForgotten();
    }

    @Test
    void k15UploadThatWasConfirmedIsThere() throws Exception {
        pushInVain("^after" + ROWS, 2);
        var row = row();
        assertFalse(row.isReceiving());
        story.restart();
        assertHidden();
        assertEquals(1, story.metric("purgatory_staging_areas"));
        assertEquals(bytes(), story.metric("purgatory_staging_bytes"));
        assertEquals(0, push());
        assertEquals(1, story.areas().size());
        assertEquals(bytes(), story.metric("purgatory_staging_bytes"));
        story.kill();
        assertEquals(row, row(), "with its deadline");
        story.restart();
        assertEquals("", story.publish(proposal));
        assertPromoted();
    }

    private long bytes() throws IOException {
        try (var files = Files.walk(directory.resolve("data", "git", ".grapnel", "staging"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private void publishInVain(String moment) throws Exception {
        assertEquals(0, push());
        story.doom(moment);
        story.publishInVain(proposal);
        story.awaitDeath();
    }

    /// K16, and again when the refs are there.
    @Test
    void k16PromotionThatWasNotCommittedIsDoneAgain() throws Exception {
        publishInVain("^before create " + name(ANN, x) + "/packed-refs.lock");
        assertTrue(story.hasObject(ANN, x, story.aside()));
        assertEquals(1, story.areas().size());
        assertEquals(1, story.uploadsInside().size());
        story.startInVain("^before commit EVENTS\\+ .*HELD_PROPOSALS-");
        assertTrue(story.refsOnDisk(BOB, x).contains(story.aside() + " " + ref(proposal)));
        assertEquals(1, story.areas().size());
        assertEquals(1, story.uploadsInside().size());
        story.restart();
        assertPromoted();
    }

    @Test
    void k17AreaOfAReleasedEventIsDeleted() throws Exception {
        publishInVain("^before rename .grapnel/staging/[^/]* to .grapnel/doomed/");
        assertEquals(1, story.areas().size());
        assertEquals(0, story.uploadsInside().size());
        story.restart();
        assertPromoted();
    }

    /// K17 of an event that names another commit.
    @Test
    void k17AreaOfAMismatchIsDeleted() throws Exception {
        proposal = story.proposal(x, "1".repeat(40));
        publishInVain("^before rename .grapnel/staging/[^/]* to .grapnel/doomed/");
        assertEquals(1, story.areas().size());
        assertEquals(0, story.uploadsInside().size());
        story.restart();
        story.assertNoUploads();
        assertHidden();
        assertEquals(IN_PURGATORY, story.publish(proposal));
    }
}
