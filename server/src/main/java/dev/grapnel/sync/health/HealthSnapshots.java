package dev.grapnel.sync.health;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Writes the [HealthBook] down once a minute if something changed, and at the end (R4.36). Losing the file costs some
/// attempts in vain, so nothing waits for it and nothing stops without it.
public final class HealthSnapshots {
    /// The file's name.
    public static final String FILE = "health";

    private static final Duration INTERVAL = Duration.ofSeconds(60);

    private final HealthBook book;
    private final Supplier<Moment> clock;
    private final Scheduler loop;
    private final SnapshotFiles files;
    private final Consumer<HealthNote> notes;
    private Runnable cancelNext = () -> {};
    private boolean isWriting;

    /// @param order which knows the time that counts
    public HealthSnapshots(
            HealthBook book, DialOrder order, Scheduler loop, SnapshotFiles files, Consumer<HealthNote> notes) {
        this(book, order::moment, loop, files, notes);
    }

    HealthSnapshots(
            HealthBook book, Supplier<Moment> clock, Scheduler loop, SnapshotFiles files, Consumer<HealthNote> notes) {
        this.book = book;
        this.clock = clock;
        this.loop = loop;
        this.files = files;
        this.notes = notes;
    }

    /// Takes back what was written down, before anything else happens, and begins to write.
    public void start() {
        try {
            var unreadable = files.load(FILE).flatMap(bytes -> book.restore(bytes, clock.get(), loop.wall()));
            unreadable.ifPresent(reason -> notes.accept(new HealthNote.Forgotten(reason)));
        } catch (IOException e) {
            notes.accept(new HealthNote.Forgotten(String.valueOf(e.getMessage())));
        }
        arm();
    }

    private void arm() {
        cancelNext = loop.after(INTERVAL, this::tick);
    }

    private void tick() {
        arm(); // first: whatever fails below must not be the last time
        book.prune(loop.wall());
        book.settle(loop.nanos());
        if (!isWriting && book.isChanged()) {
            write(_ -> {});
        }
    }

    private void write(Consumer<Optional<IOException>> done) {
        var bytes = book.encode(clock.get(), loop.wall());
        boolean isBegun = false;
        isWriting = true;
        try {
            files.save(FILE, bytes, failure -> {
                isWriting = false;
                failure.ifPresent(e -> {
                    book.notWritten();
                    notes.accept(new HealthNote.NotWritten(e));
                });
                done.accept(failure);
            });
            isBegun = true;
        } finally {
            isWriting &= isBegun; // else nothing would ever be written again
        }
    }

    /// Writes a last time.
    ///
    /// @param done told on the loop when it is over
    public void close(Consumer<Optional<IOException>> done) {
        cancelNext.run();
        book.settle(loop.nanos());
        write(done);
    }
}
