package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.SnapshotFiles;
import dev.grapnel.sync.world.VirtualScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// When records are written down and taken back (R4.36).
final class HealthSnapshotsTest {
    private static final RemoteUrl RELAY = HealthBookTest.url("wss://a.example");
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final VirtualScheduler loop =
            new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofDays(3));
    private final Files files = new Files();
    private final List<HealthNote> notes = new ArrayList<>();
    private HealthBook book = new HealthBook(HealthConfig.DEFAULTS);
    private HealthSnapshots snapshots = start();

    /// Files that take their time.
    private final class Files implements SnapshotFiles {
        private final Map<String, byte[]> contents = new HashMap<>();
        private Optional<IOException> loadFailure = Optional.empty();
        private Optional<IOException> saveFailure = Optional.empty();
        private Duration takes = Duration.ofMillis(10);
        private int saved;
        private boolean isFailing;

        @Override
        public Optional<byte[]> load(String name) throws IOException {
            if (loadFailure.isPresent()) {
                throw loadFailure.get();
            }
            return Optional.ofNullable(contents.get(name));
        }

        @Override
        public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
            if (isFailing) {
                throw new IllegalStateException("failing, as the test wants");
            }
            saved++;
            var failure = saveFailure;
            loop.after(takes, () -> {
                if (failure.isEmpty()) {
                    contents.put(name, content);
                }
                done.accept(failure);
            });
        }
    }

    private HealthSnapshots start() {
        book = new HealthBook(HealthConfig.DEFAULTS);
        var started = new HealthSnapshots(book, () -> new Moment(loop.nanos(), loop.nanos()), loop, files, notes::add);
        started.start();
        return started;
    }

    private void fail() {
        book.follow(RELAY)
                .failed(new Moment(loop.nanos(), loop.nanos()), HealthConfig.DEFAULTS.backoff(), RelayRecord.DEAD);
    }

    @Test
    void writesOnceAMinuteIfSomethingChanged() {
        loop.runFor(MINUTE.multipliedBy(10));
        assertEquals(0, files.saved);
        fail();
        fail();
        loop.runFor(MINUTE);
        assertEquals(1, files.saved);
        loop.runFor(MINUTE.multipliedBy(10));
        assertEquals(1, files.saved);
        fail();
        loop.runFor(MINUTE);
        assertEquals(2, files.saved);
    }

    @Test
    void startTakesBackWhatWasWritten() {
        fail();
        snapshots.close(done -> assertEquals(Optional.empty(), done));
        loop.runFor(MINUTE);
        assertEquals(1, files.saved);
        assertEquals(0, loop.waiting(), "nothing goes on");
        snapshots = start();
        assertEquals(1, book.follow(RELAY).streak(loop.nanos()));
        assertEquals(List.of(), notes);
        loop.runFor(MINUTE);
        assertEquals(2, files.saved, "that it is wanted again is written");
    }

    @Test
    void withoutAFileItStartsEmptyInSilence() {
        assertEquals(0, book.size());
        assertEquals(List.of(), notes);
    }

    @Test
    void unreadableFileIsToldAndForgotten() {
        files.contents.put(HealthSnapshots.FILE, new byte[] {1, 2, 3, 4, 5});
        snapshots = start();
        assertEquals(List.of(new HealthNote.Forgotten("the checksum is wrong")), notes);
        files.loadFailure = Optional.of(new IOException("no such device"));
        snapshots = start();
        assertEquals(new HealthNote.Forgotten("no such device"), notes.getLast());
        fail();
        loop.runFor(MINUTE);
        assertTrue(files.saved > 0, "and written anew");
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenNextTime() {
        var failure = new IOException("disk full");
        files.saveFailure = Optional.of(failure);
        fail();
        loop.runFor(MINUTE.plusSeconds(1));
        assertEquals(List.of(new HealthNote.NotWritten(failure)), notes);
        files.saveFailure = Optional.empty();
        loop.runFor(MINUTE);
        assertEquals(2, files.saved);
        loop.runFor(MINUTE);
        assertEquals(2, files.saved);
        assertTrue(files.contents.containsKey(HealthSnapshots.FILE));
    }

    @Test
    void slowDiskIsNotAskedTwiceAtOnce() {
        files.takes = Duration.ofMinutes(10);
        fail();
        loop.runFor(MINUTE);
        fail();
        loop.runFor(MINUTE.multipliedBy(9));
        assertEquals(1, files.saved);
        loop.runFor(MINUTE.multipliedBy(2));
        assertEquals(2, files.saved);
    }

    @Test
    void whoIsUnwantedForAWeekIsForgottenOnTheWay() {
        fail();
        book.leave(RELAY, loop.nanos(), loop.wall());
        loop.runFor(Duration.ofDays(7).minusSeconds(1));
        assertEquals(1, book.size());
        loop.runFor(MINUTE);
        assertEquals(0, book.size());
    }

    @Test
    void failureIsNotTheEndOfWriting() {
        fail();
        files.isFailing = true;
        assertThrows(IllegalStateException.class, () -> loop.runFor(MINUTE));
        files.isFailing = false;
        fail();
        loop.runFor(MINUTE);
        assertEquals(1, files.saved);
    }
}
