package dev.grapnel.sync.received;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Writes refusals down and reads them back (R7.19). The index is written chunk by chunk, each in a turn of its own and
/// only if it has changed, and then the small file that makes them count.
final class RefusedFiles {
    private static final String HEAD = "refused";

    private final SnapshotFiles files;
    private final Refusals refusals;
    private final KeyHash hashes;
    private final String fingerprint;
    private final IntakeNotes notes;
    private final LongSupplier covered;
    private final List<Runnable> waiting = new ArrayList<>();
    private RefusedFile.Head written;
    private boolean isWriting;

    /// One time of writing down what has changed.
    private static final class Round {
        private final RefusedFile.Head head;
        private final List<Runnable> asked;
        /// What is still to be written before the head. What changes meanwhile is for the next round: refusals may come
        /// faster than they are written.
        private final BitSet chunks;

        private boolean isOver;

        Round(RefusedFile.Head head, List<Runnable> asked, BitSet chunks) {
            this.head = head;
            this.asked = asked;
            this.chunks = chunks;
        }
    }

    /// @param covered the last commit whose events have woken what waited for them
    RefusedFiles(
            SnapshotFiles files,
            Refusals refusals,
            KeyHash hashes,
            String fingerprint,
            IntakeNotes notes,
            LongSupplier covered) {
        this.files = files;
        this.refusals = refusals;
        this.hashes = hashes;
        this.fingerprint = fingerprint;
        this.notes = notes;
        this.covered = covered;
        this.written = new RefusedFile.Head("", 0, 0, 0, 0);
    }

    // ---- reading

    /// Reads what an earlier process left. Before anything else is refused; takes as long as the disk does.
    ///
    /// @return the last commit whose events have woken what waited for them; empty if nothing was read
    Optional<Long> restore() {
        var head = readHead().filter(this::isOurs);
        head.ifPresent(found -> hashes.adopt(found.seed()));
        var unusable = new ArrayList<Integer>();
        for (int number = 0; number < refusals.index().chunkCount(); number++) {
            var file = load(name(number));
            if (file.isPresent() && !restore(number, file.get(), head)) {
                unusable.add(number);
            }
        }
        refusals.index().clearChanged();
        unusable.forEach(refusals.index()::markChanged); // overwritten, so that they do not come back one day
        head.ifPresent(this::resume);
        return head.map(RefusedFile.Head::covered);
    }

    private void resume(RefusedFile.Head head) {
        refusals.index().resume(head.next());
        written = head;
    }

    private Optional<RefusedFile.Head> readHead() {
        var file = load(HEAD);
        if (file.isEmpty()) {
            notes.refusedMissing();
            return Optional.empty();
        }
        var head = RefusedFile.readHead(file.get());
        if (head.isEmpty()) {
            notes.refusedUnusable(HEAD, "it is damaged");
        }
        return head;
    }

    private boolean isOurs(RefusedFile.Head head) {
        boolean isOurs = head.fingerprint().equals(fingerprint)
                && head.max() == refusals.index().max();
        if (!isOurs) {
            notes.refusedOutdated();
        }
        return isOurs;
    }

    private boolean restore(int number, byte[] file, Optional<RefusedFile.Head> head) {
        if (head.isEmpty()) {
            return false;
        }
        var chunk = RefusedFile.readChunk(file)
                .filter(found -> found.seed() == head.get().seed() && found.number() == number);
        if (chunk.isEmpty()) {
            notes.refusedUnusable(name(number), "it is damaged, or of another time");
            return false;
        }
        chunk.get().items().forEach(refusals::restore);
        refusals.index().resume(chunk.get().next());
        return true;
    }

    private Optional<byte[]> load(String name) {
        try {
            return files.load(name);
        } catch (IOException e) {
            notes.refusedUnusable(name, "it cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    // ---- writing

    /// Writes down what has changed.
    ///
    /// @param done run when everything up to now is written, or could not be
    void save(Runnable done) {
        waiting.add(done);
        if (!isWriting) {
            isWriting = true;
            var round = new Round(head(), List.copyOf(waiting), refusals.index().changed());
            waiting.clear();
            attempt(round, () -> saveChunks(round));
        }
    }

    /// A round ends whatever happens in it, for the next one waits for that.
    private void attempt(Round round, Runnable step) {
        boolean isDone = false;
        try {
            step.run();
            isDone = true;
        } finally {
            if (!isDone) {
                giveUp(round);
            }
        }
    }

    private RefusedFile.Head head() {
        var index = refusals.index();
        return new RefusedFile.Head(fingerprint, hashes.seed(), index.max(), index.next(), covered.getAsLong());
    }

    private void saveChunks(Round round) {
        int number = round.chunks.nextSetBit(0);
        if (number < 0) {
            saveHead(round);
            return;
        }
        refusals.index().clearChanged(number);
        files.save(
                name(number),
                RefusedFile.write(chunk(number)),
                problem -> attempt(round, () -> {
                    if (problem.isPresent()) {
                        notes.refusedUnwritten(name(number), problem.get());
                        giveUp(round);
                    } else {
                        round.chunks.clear(number);
                        saveChunks(round);
                    }
                }));
    }

    private void saveHead(Round round) {
        if (round.head.equals(written)) {
            finish(round);
            return;
        }
        files.save(
                HEAD,
                RefusedFile.write(round.head),
                problem -> attempt(round, () -> {
                    if (problem.isPresent()) {
                        notes.refusedUnwritten(HEAD, problem.get());
                    } else {
                        written = round.head;
                    }
                    finish(round);
                }));
    }

    private void giveUp(Round round) {
        round.chunks.stream().forEach(refusals.index()::markChanged);
        finish(round);
    }

    private void finish(Round round) {
        if (round.isOver) {
            return;
        }
        round.isOver = true;
        isWriting = false;
        round.asked.forEach(Runnable::run);
        if (!waiting.isEmpty() && !isWriting) {
            var last = waiting.removeLast();
            save(last);
        }
    }

    private RefusedFile.Chunk chunk(int number) {
        var index = refusals.index();
        var items = new ArrayList<RefusedFile.Item>();
        index.forEachIn(number, slot -> {
            if (index.isCold(slot)) {
                items.add(item(slot));
            }
        });
        return new RefusedFile.Chunk(hashes.seed(), number, index.next(), items);
    }

    private RefusedFile.Item item(int slot) {
        var index = refusals.index();
        var keys = new ArrayList<Long>();
        index.forEachKey(slot, keys::add);
        var repositories = new ArrayList<RepositoryAddress>();
        keys.forEach(key -> refusals.findHeldBack(key).ifPresent(repositories::add));
        return new RefusedFile.Item(slot, index.entry(slot), keys, repositories);
    }

    private static String name(int chunk) {
        return "refused-" + chunk;
    }
}
