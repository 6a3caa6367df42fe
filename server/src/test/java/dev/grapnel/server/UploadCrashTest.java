package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a kill leaves of an upload, and what the next start makes of it (purgatory 5.6, K13 to K17). Each test puts
/// rows and directories into the state in which that kill leaves them.
final class UploadCrashTest {
    private static final String X = "x";

    @TempDir
    Path directory = Path.of("");

    private PushStory story;
    private String commit;
    private Event event;

    @BeforeEach
    void begin() throws IOException {
        story = new PushStory(directory);
        story.serve(ANN, X);
        commit = story.aside("pr");
        event = story.proposal(CAROL, commit, coordinate(ANN, X));
        story.propose("pr", event, ANN, X).orFail();
    }

    @AfterEach
    void end() {
        story.close();
    }

    private Path areaOnDisk() throws IOException {
        return story.data()
                .resolve("git")
                .resolve(".grapnel")
                .resolve("staging")
                .resolve(story.areas().getFirst());
    }

    /// The row as it was while the pack came.
    private void unconfirm() {
        story.server().write(transaction -> {
            var row = rowIn(transaction);
            transaction.put(row.withPushedTo(row.pushedTo().stream()
                    .map(upload ->
                            new Upload(upload.repository(), upload.endpoint(), upload.area(), true, upload.pusher()))
                    .toList()));
            return true;
        });
    }

    private Placeholder rowIn(StoreTransaction transaction) {
        return (Placeholder) transaction
                .findRow(Table.PLACEHOLDERS, RowKeys.event(event.id()))
                .orElseThrow();
    }

    private void assertPushedAgain() {
        story.awaitNothingLeft();
        assertEquals(1, story.count("crashed"));
        assertFalse(story.has(ANN, X, commit));
        story.propose("pr", event, ANN, X).orFail();
        assertEquals(new Admitted.Released(), story.server().direct(event));
    }

    /// K13: rows, and nothing or a part of the pack.
    @Test
    void uploadWhosePackWasNotCompleteIsForgotten() throws IOException {
        unconfirm();
        var area = areaOnDisk();
        story.stop();
        delete(area);
        story.restart();
        assertPushedAgain();
    }

    /// K14.
    @Test
    void uploadThatWasNotConfirmedIsForgotten() {
        unconfirm();
        story.restart();
        assertPushedAgain();
    }

    /// K15.
    @Test
    void uploadThatWasConfirmedButNotAnsweredIsThere() throws IOException {
        var row = story.placeholder(event.id()).orElseThrow();
        story.restart();
        assertEquals(row, story.placeholder(event.id()).orElseThrow());
        story.propose("pr", event, ANN, X).orFail();
        assertEquals(1, story.areas().size());
        assertEquals(story.bytes(), story.countedBytes());
    }

    /// K16: the event is held with its upload, objects may be in the repository already, nothing is released.
    @Test
    void uploadThatWasBeingPromotedIsPromotedByTheNextStart() throws IOException {
        story.server().write(transaction -> {
            var row = rowIn(transaction);
            var now = story.server().clock().instant();
            transaction.hold(new HeldProposal(event, now, row.expiresAt(), Source.DIRECT, row.pushedTo()));
            return transaction.remove(row.table(), row.key());
        });
        story.restart();
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        story.git().assertSound(story.onDisk(ANN, X));
        story.awaitNothingLeft();
    }

    /// K17.
    @Test
    void areaWithoutARowIsDeleted() throws IOException {
        var area = areaOnDisk();
        var copy = directory.resolve("copy");
        copy(area, copy);
        story.publish(event);
        story.awaitNothingLeft();
        story.stop();
        copy(copy, area);
        story.restart();
        story.awaitNothingLeft();
        assertFalse(Files.exists(area));
    }

    /// P-244.
    @Test
    void rowWithoutItsAreaIsDropped() throws IOException {
        var area = areaOnDisk();
        story.stop();
        delete(area);
        story.restart();
        assertPushedAgain();
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (var file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
