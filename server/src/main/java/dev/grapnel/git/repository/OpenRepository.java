package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.refs.Peeler;
import dev.grapnel.git.refs.RefStore;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.internal.storage.pack.PackExt;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/// A repository that is open: its files, and how many use it. The counts belong to [OpenRepositories].
final class OpenRepository {
    private static final int REFS_GROW = 4;
    private static final Duration WEIGHED_EVERY = Duration.ofSeconds(1);

    private final RepositoryAddress address;
    private final Path directory;
    private final @Nullable Object number;
    private final FileRepository git;
    private final RefStore refs;
    private final InstantSource clock;
    private final AtomicInteger arrivals = new AtomicInteger();
    private int leases;
    private long weight;
    private boolean retired;
    private volatile boolean foreign;
    private volatile boolean partial;
    private volatile boolean lacking;
    private volatile @Nullable Indexes indexes;

    /// What indexes took when they were looked at last, and when their directory had changed by then.
    private record Indexes(FileTime changed, Instant seen, long bytes) {}

    private OpenRepository(
            RepositoryAddress address,
            Path directory,
            @Nullable Object number,
            FileRepository git,
            RefStore refs,
            InstantSource clock) {
        this.clock = clock;
        this.address = address;
        this.directory = directory;
        this.number = number;
        this.git = git;
        this.refs = refs;
        this.foreign = NewRepository.isForeign(git.getConfig());
        this.partial = NewRepository.isPartial(git.getConfig());
        this.lacking = NewRepository.isLacking(git.getConfig());
    }

    static OpenRepository open(RepositoryAddress address, Path directory, Disk disk, InstantSource clock)
            throws IOException {
        var number = numberOf(directory);
        var git = GitLibrary.open(directory);
        Peeler peeler = id -> peel(git, id);
        return new OpenRepository(address, directory, number, git, new RefStore(directory, disk, peeler, clock), clock);
    }

    /// What tells two directories apart that have had the same name, one after the other.
    static @Nullable Object numberOf(Path directory) throws IOException {
        return Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /// Whether it is the one that lies there now.
    boolean isAt(Path place, @Nullable Object numberThere) {
        return directory.equals(place) && Objects.equals(number, numberThere);
    }

    /// What is missing stands for nothing: which refs lead nowhere is for others to find out.
    static Optional<Oid> peel(FileRepository git, Oid id) throws IOException {
        try (ObjectReader reader = git.newObjectReader();
                var walk = new RevWalk(reader)) {
            var object = walk.parseAny(GitIds.of(id));
            return object instanceof RevTag ? Optional.of(GitIds.of(walk.peel(object))) : Optional.empty();
        } catch (MissingObjectException _) {
            return Optional.empty();
        }
    }

    RepositoryAddress address() {
        return address;
    }

    Path directory() {
        return directory;
    }

    FileRepository git() {
        return git;
    }

    RefStore refs() {
        return refs;
    }

    boolean isForeign() {
        return foreign;
    }

    boolean isPartial() {
        return partial;
    }

    boolean isLacking() {
        return lacking;
    }

    /// That refs lack something is written down.
    void markLacking() {
        partial = true;
        lacking = true;
    }

    /// That they do not any more is.
    void markWhole(boolean isPartial) {
        lacking = false;
        partial = isPartial;
    }

    /// It was compared with events, durably so.
    void takeOver(boolean isPartial) {
        partial = isPartial;
        foreign = false;
    }

    void openPack(Path pack) throws IOException {
        git.getObjectDatabase().openPack(pack.toFile());
        arrivals.incrementAndGet();
    }

    int arrivals() {
        return arrivals.get();
    }

    void readIndexes() throws IOException {
        for (var pack : git.getObjectDatabase().getPacks()) {
            pack.getIndex();
        }
    }

    /// Bytes of memory that it takes to keep it open, about: the library keeps whole indexes, and refs are
    /// several times as large in memory as in their file. Weighed by whoever has just used it.
    long weigh() throws IOException {
        var packedRefs = directory.resolve("packed-refs");
        long bytes = Files.exists(packedRefs) ? REFS_GROW * Files.size(packedRefs) : 0;
        return bytes + weighIndexes();
    }

    /// Each use ends with this, so nothing is looked at that has not changed, and what changes all the time not
    /// each time.
    private long weighIndexes() throws IOException {
        var changed = Files.getLastModifiedTime(directory.resolve("objects/pack"));
        var last = indexes;
        var now = clock.instant();
        if (last == null
                || (!last.changed.equals(changed)
                        && last.seen.plus(WEIGHED_EVERY).isBefore(now))) {
            long bytes = 0;
            for (var pack : git.getObjectDatabase().getPacks()) {
                bytes += pack.getPackFile().create(PackExt.INDEX).length();
            }
            last = new Indexes(changed, now, bytes);
            indexes = last;
        }
        return last.bytes;
    }

    long weight() {
        return weight;
    }

    void setWeight(long bytes) {
        weight = bytes;
    }

    void lend() {
        leases++;
    }

    /// Whether that was the last use of something nobody will use again.
    boolean giveBack() {
        leases--;
        return leases == 0 && retired;
    }

    boolean isLent() {
        return leases > 0;
    }

    /// Nobody new will use it. True if nobody does already.
    boolean retire() {
        retired = true;
        return leases == 0;
    }

    void close() {
        git.close();
    }
}
