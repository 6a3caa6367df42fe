package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.Leftovers;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.revwalk.ObjectWalk;

/// Looks at a repository for damage and changes nothing. It may be served meanwhile.
public final class GitCheck {
    private static final Duration IN_USE = Duration.ofHours(1);

    private final Path repository;
    private final Progress progress;
    private final List<Finding> findings = new ArrayList<>();

    /// Hears how far it is.
    @FunctionalInterface
    public interface Progress {
        /// Called after each object.
        ///
        /// @param objects looked at so far in this repository
        void at(long objects);
    }

    private GitCheck(Path repository, Progress progress) {
        this.repository = repository;
        this.progress = progress;
    }

    /// Looks at everything.
    ///
    /// @param repository its directory
    /// @param now leftovers are told if they have been lying there for a while
    /// @return what is wrong
    public static List<Finding> run(Path repository, Instant now, Progress progress) throws IOException {
        var check = new GitCheck(repository, progress);
        check.lookAtAll(now);
        return List.copyOf(check.findings);
    }

    private void lookAtAll(Instant now) throws IOException {
        if (!Files.isRegularFile(repository.resolve(Constants.HEAD))
                || !Files.isDirectory(repository.resolve("objects"))) {
            findings.add(new Finding.NoRepository("HEAD or the directory of objects is missing"));
            return;
        }
        lookAtPackedRefs();
        lookAtHead();
        lookAtPacks();
        lookAtHistory();
        for (var file : Leftovers.find(repository, now.minus(IN_USE))) {
            findings.add(new Finding.Leftover(repository.relativize(file).toString()));
        }
    }

    private void lookAtPackedRefs() throws IOException {
        try (var lines = Files.lines(repository.resolve(Constants.PACKED_REFS), StandardCharsets.UTF_8)) {
            lines.filter(line -> !line.startsWith("#")).forEach(this::lookAtLine);
        } catch (NoSuchFileException _) {
            // no refs yet
        } catch (UncheckedIOException e) {
            findings.add(new Finding.BadRef(Constants.PACKED_REFS, "cannot be read: " + e.getMessage()));
        }
    }

    private void lookAtLine(String line) {
        if (line.startsWith("^")) {
            if (Oid.parse(line.substring(1)).find().isEmpty()) {
                findings.add(new Finding.BadRef(line, "stands for no object"));
            }
            return;
        }
        boolean isGood = line.length() > Oid.DIGITS + 1
                && line.charAt(Oid.DIGITS) == ' '
                && Oid.parse(line.substring(0, Oid.DIGITS)).find().isPresent()
                && RefName.parse(line.substring(Oid.DIGITS + 1)).find().isPresent();
        if (!isGood) {
            findings.add(new Finding.BadRef(line, "is no line of an id and a name"));
        }
    }

    private void lookAtHead() throws IOException {
        var head = Files.readString(repository.resolve(Constants.HEAD), StandardCharsets.ISO_8859_1)
                .strip();
        boolean isGood = head.startsWith("ref: refs/") || Oid.parse(head).find().isPresent();
        if (!isGood) {
            findings.add(new Finding.BadRef(Constants.HEAD, "names neither a branch nor a commit"));
        }
    }

    private void lookAtPacks() throws IOException {
        var packs = new PackDirectory(Disk.REAL, repository);
        for (var pack : packs.list()) {
            try {
                if (pack.traits().isPlain()) {
                    lookAtPack(packs.path(), pack.name());
                }
            } catch (NoSuchFileException _) {
                // maintenance replaced it while we looked
            } catch (BrokenPack e) {
                findings.add(new Finding.BadPack(pack.name(), e.sentence()));
            }
        }
    }

    private static void lookAtPack(Path directory, String name) throws IOException {
        var file = directory.resolve(name + ".pack");
        try (var index = IndexFile.open(directory.resolve(name + ".idx"));
                var pack = FileChannel.open(file, StandardOpenOption.READ)) {
            var sum = Constants.newMessageDigest();
            update(sum, index.content());
            if (!Arrays.equals(sum.digest(), index.trailer())) {
                throw new BrokenPack(directory.resolve(name + ".idx"), "does not fit its checksum");
            }
            var trailer = hash(pack, sum);
            if (!Arrays.equals(sum.digest(), trailer)) {
                throw new BrokenPack(file, "does not fit its checksum");
            }
            if (!Arrays.equals(trailer, index.packTrailer())) {
                throw new BrokenPack(file, "does not belong to its index");
            }
        }
    }

    private static void update(MessageDigest sum, MemorySegment bytes) {
        long part = 1 << 20;
        for (long at = 0; at < bytes.byteSize(); at += part) {
            sum.update(bytes.asSlice(at, Math.min(part, bytes.byteSize() - at)).asByteBuffer());
        }
    }

    /// Hashes all but the end, which it returns.
    private static byte[] hash(FileChannel pack, MessageDigest sum) throws IOException {
        var buffer = ByteBuffer.allocate(1 << 18);
        long left = Math.max(0, pack.size() - IndexFile.HASH);
        while (left > 0) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), left));
            int count = pack.read(buffer);
            if (count < 0) {
                break;
            }
            sum.update(buffer.flip());
            left -= count;
        }
        var trailer = ByteBuffer.allocate(IndexFile.HASH);
        while (trailer.hasRemaining() && pack.read(trailer) >= 0) {
            // until it is full, or the file is too short and nothing fits
        }
        return trailer.array();
    }

    private void lookAtHistory() throws IOException {
        try (var opened = GitLibrary.open(repository);
                var walk = new ObjectWalk(opened)) {
            walk.setRetainBody(false);
            startAtRefs(opened, walk);
            long objects = 0;
            while (walk.next() != null) {
                progress.at(++objects);
            }
            for (var object = walk.nextObject(); object != null; object = walk.nextObject()) {
                progress.at(++objects);
                if (!walk.getObjectReader().has(object)) {
                    findings.add(new Finding.BadObject("the object " + object.name() + " is missing"));
                }
            }
        } catch (MissingObjectException e) {
            findings.add(new Finding.BadObject(
                    "the object " + e.getObjectId().name() + " is missing; what lies behind it was not looked at"));
        } catch (IncorrectObjectTypeException | CorruptObjectException e) {
            findings.add(new Finding.BadObject(e.getMessage() + "; what lies behind it was not looked at"));
        }
    }

    private void startAtRefs(FileRepository opened, ObjectWalk walk) throws IOException {
        for (var ref : refs(opened)) {
            var target = ref.getObjectId();
            if (target != null) {
                startAt(walk, ref.getName(), target);
            }
        }
    }

    private List<Ref> refs(FileRepository opened) {
        try {
            return opened.getRefDatabase().getRefs();
        } catch (IOException _) {
            findings.add(new Finding.BadObject("no ref can be read, so nothing could be looked at"));
            return List.of();
        }
    }

    private void startAt(ObjectWalk walk, String name, ObjectId target) throws IOException {
        try {
            walk.markStart(walk.parseAny(target));
        } catch (MissingObjectException e) {
            findings.add(new Finding.BadRef(name, "leads to " + e.getObjectId().name() + ", which is missing"));
        }
    }
}
