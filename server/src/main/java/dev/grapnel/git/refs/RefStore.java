package dev.grapnel.git.refs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The refs of one repository on disk.
///
/// A change replaces the whole file `packed-refs` by another in one step, and then `HEAD`. So a crash
/// leaves all refs as they were or all as they shall be; only `HEAD` may lag behind. Refs that another
/// program wrote as files of their own would hide those in `packed-refs`; they are taken over first, as a
/// step that changes no value.
///
/// Readers wait for a writer only while its change is half done, and see nothing that a power cut could
/// undo.
public final class RefStore {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;

    private final Path repository;
    private final Disk disk;
    private final Duration patience;
    private final RefFiles files;

    /// Held across the change of files: there is nothing else to do meanwhile.
    private final ReentrantLock writing = new ReentrantLock();

    private volatile RefFiles.@Nullable Picture picture;

    /// @param peeler asked about refs that others wrote without saying what their tags stand for
    public RefStore(Path repository, Disk disk, Peeler peeler, InstantSource clock) {
        this(repository, disk, peeler, clock, PATIENCE);
    }

    RefStore(Path repository, Disk disk, Peeler peeler, InstantSource clock, Duration patience) {
        this.repository = repository;
        this.disk = disk;
        this.patience = patience;
        this.files = new RefFiles(repository, peeler, clock);
    }

    /// All refs. The same picture as long as nothing changes, whoever changes it.
    public Refs current() throws IOException {
        var known = picture;
        if (known != null && known.stamps().hold()) {
            return known.refs();
        }
        writing.lock();
        try {
            return look().refs();
        } finally {
            writing.unlock();
        }
    }

    /// Changes refs and `HEAD`, all or nothing; on disk when it returns.
    ///
    /// @param head the branch that `HEAD` shall name, if that is to change
    /// @param peeler asked about new values
    /// @throws IOException if files cannot be written, or another git program does not let go of them; then
    ///     all refs are as they were, or all are changed and `HEAD` perhaps not
    public RefOutcome apply(List<RefChange> changes, Optional<RefName> head, Peeler peeler) throws IOException {
        return apply(changes, head, peeler, () -> {});
    }

    /// What must have happened before refs change, and must not happen if they do not.
    public interface Prelude {
        void run() throws IOException;
    }

    /// The same.
    ///
    /// @param prelude run when nothing speaks against the change any more; a short step
    public RefOutcome apply(List<RefChange> changes, Optional<RefName> head, Peeler peeler, Prelude prelude)
            throws IOException {
        writing.lock();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                takeOverFiles();
                var outcome = change(changes, head, peeler, prelude);
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
            throw new IOException("other git programs kept changing the refs of " + repository);
        } finally {
            writing.unlock();
        }
    }

    /// What is on disk now.
    private RefFiles.Picture look() throws IOException {
        var known = picture;
        if (known != null && known.stamps().hold()) {
            return known;
        }
        var found = files.read(known == null ? null : known.refs());
        picture = found;
        return found;
    }

    /// Empty if another program wrote a ref as a file meanwhile.
    private Optional<RefOutcome> change(List<RefChange> changes, Optional<RefName> head, Peeler peeler, Prelude prelude)
            throws IOException {
        try (var packed = hold(files.packed());
                var heldHead = head.isPresent() ? hold(files.head()) : null) {
            var before = look();
            if (!before.inTheWay().isEmpty()) {
                return Optional.empty();
            }
            var outcome = new RefTransition(before.refs(), before.symbolic()).judge(changes, head, peeler);
            if (outcome instanceof RefOutcome.Done(var after) && after != before.refs()) {
                prelude.run();
                write(before, after, packed, heldHead);
            }
            return Optional.of(outcome);
        }
    }

    private HeldFile hold(Path file) throws IOException {
        return HeldFile.take(disk, file, patience);
    }

    private void write(RefFiles.Picture before, Refs after, HeldFile packed, @Nullable HeldFile head)
            throws IOException {
        picture = null; // until all of it is on disk, nobody knows what is
        var stamps = before.stamps();
        if (!after.values().equals(before.refs().values())) {
            stamps = stamps.with(files.packed(), packed.prepare(out -> PackedRefs.write(after, out)));
            packed.replace();
            disk.forceDirectory(repository);
        }
        if (head != null && !after.head().equals(before.refs().head())) {
            stamps = stamps.with(
                    files.head(), head.prepare(out -> out.write(("ref: " + after.head() + "\n").getBytes(UTF_8))));
            head.replace();
            disk.forceDirectory(repository);
        }
        picture = new RefFiles.Picture(after, stamps, before.inTheWay(), before.symbolic());
    }

    /// Puts refs that are files of their own into `packed-refs`, and removes the files only when that is on
    /// disk.
    private void takeOverFiles() throws IOException {
        var found = look();
        if (found.inTheWay().isEmpty()) {
            return;
        }
        try (var packed = hold(files.packed())) {
            found = look();
            var refs = found.refs();
            packed.prepare(out -> PackedRefs.write(refs, out));
            packed.replace();
            disk.forceDirectory(repository);
        }
        removeFiles(found);
    }

    private void removeFiles(RefFiles.Picture takenOver) throws IOException {
        var directories = new TreeSet<Path>();
        for (var name : takenOver.inTheWay()) {
            var file = repository.resolve(name.text());
            removeFile(file, takenOver.refs().target(name));
            directories.add(parentOf(file));
        }
        // Otherwise a power cut could bring an old value back that hides a new one.
        for (var directory : directories) {
            disk.forceDirectory(directory);
        }
        for (var directory : directories.reversed()) {
            removeEmpty(directory);
        }
    }

    /// Leaves it if somebody changed it meanwhile; then it is taken over in the next round.
    private void removeFile(Path file, Oid value) throws IOException {
        try (var _ = hold(file)) {
            var text = LooseRefs.content(file);
            var now = Oid.parse(text.strip()).find().orElse(value);
            if (now.equals(value) && !text.startsWith("ref:")) {
                disk.delete(file);
            }
        } catch (NoSuchFileException _) {
            // somebody else removed it
        }
    }

    /// Only tidiness: an empty directory is nobody's ref.
    private void removeEmpty(Path directory) throws IOException {
        var refs = repository.resolve("refs");
        try {
            for (var empty = directory; !parentOf(empty).equals(refs) && !empty.equals(refs); empty = parentOf(empty)) {
                disk.delete(empty);
            }
        } catch (DirectoryNotEmptyException _) {
            // still in use
        }
    }

    private static Path parentOf(Path file) {
        return requireNonNull(file.getParent());
    }
}
