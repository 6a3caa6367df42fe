package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.Leftovers;
import dev.grapnel.git.repository.RepositoryPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.revwalk.BitmapWalker;
import org.eclipse.jgit.revwalk.ObjectWalk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One visit to one repository: sweeps, then repacks or merges or neither, then sees to the commit graph.
///
/// Used by one thread. Stopped at any moment, it leaves a sound repository, and the next visit finishes.
public final class RepositoryUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(RepositoryUpkeep.class);

    /// Files younger than this may belong to a push.
    private static final Duration IN_USE = Duration.ofHours(1);

    /// Packs merged at once: each is an open file.
    private static final int MERGED_MAX = 200;

    /// Bytes that maintenance leaves free on the disk, as pushes do (service 9).
    private static final long ROOM_LEFT = 1L << 30;

    private final Disk disk;
    private final Pace pace;
    private final InstantSource time;
    private final UpkeepConfig config;
    private final FullRepack.Others others;
    private final FullRepack repack;

    /// Files of packs that are out of sight, without extension, until somebody takes care of their removal:
    /// they look like leftovers, but whoever reads them would miss them.
    private final Set<Path> awaited = new TreeSet<>();

    public RepositoryUpkeep(Surroundings surroundings, Pace pace, UpkeepConfig config, FullRepack.Others others) {
        this.disk = surroundings.disk();
        this.pace = pace;
        this.time = surroundings.time();
        this.config = config;
        this.others = others;
        this.repack = new FullRepack(surroundings, pace, config, others);
    }

    /// What a visit did.
    ///
    /// @param packs how many there are now
    /// @param bytesWritten of packs
    /// @param removals of files, when nobody reads them any more
    public record Report(int packs, long bytesWritten, List<Removal> removals) {
        public Report {
            removals = List.copyOf(removals);
        }

        /// Whether anything was to be done.
        public boolean hasChanged() {
            return bytesWritten > 0;
        }
    }

    /// Packs that are out of sight, and who may still read them.
    public record Removal(RepositoryPlace place, List<String> names, Uses.Reads reads) {
        public Removal {
            names = List.copyOf(names);
        }

        private List<Path> files() {
            var packs = place.directory().resolve("objects", "pack");
            return names.stream().map(packs::resolve).toList();
        }
    }

    /// Does whatever is due.
    public Report visit(RepositoryPlace place) throws IOException, InterruptedException {
        return cleanly(place, packs -> switch (RepackNeed.judge(facts(place, packs), config)) {
            case RepackNeed.Full(var reason) -> repack(place, packs, reason);
            case RepackNeed.TooLarge(var reason) -> {
                LOG.info("repack skipped repo={} reason={}", place.address(), reason);
                yield merge(place, packs);
            }
            case RepackNeed.None() -> {
                forgetFormerTips(place);
                yield merge(place, packs);
            }
        });
    }

    /// Makes all packs anew, whether it is due or not, as long as there is memory for it.
    public Report repack(RepositoryPlace place) throws IOException, InterruptedException {
        return cleanly(place, packs -> {
            long objects = facts(place, packs).objects();
            if (objects > config.repackObjectsMax()) {
                LOG.info("repack skipped repo={} reason=its {} objects need more memory", place.address(), objects);
                return merge(place, packs);
            }
            return repack(place, packs, "asked for");
        });
    }

    private interface Work {
        Report on(PackDirectory packs) throws IOException, InterruptedException;
    }

    /// What did not come to an end must not fill the disk until the next visit.
    private Report cleanly(RepositoryPlace place, Work work) throws IOException, InterruptedException {
        sweep(place);
        boolean isDone = false;
        try {
            var report = work.on(new PackDirectory(disk, place.directory()));
            report.removals().forEach(removal -> awaited.addAll(removal.files()));
            isDone = true;
            return report;
        } finally {
            if (!isDone) {
                sweepOurs(place);
            }
        }
    }

    private void sweepOurs(RepositoryPlace place) throws IOException {
        for (var file : Leftovers.unfinished(place.directory())) {
            if (String.valueOf(file.getFileName()).startsWith(PackDirectory.SCRATCH)) {
                disk.delete(file); // so nobody is writing it
            }
        }
    }

    private void sweep(RepositoryPlace place) throws IOException {
        sweepOurs(place);
        for (var file : Leftovers.find(place.directory(), time.instant().minus(IN_USE))) {
            if (!isAwaited(file)) {
                disk.delete(file);
            }
        }
    }

    private boolean isAwaited(Path file) {
        var name = String.valueOf(file.getFileName());
        return awaited.contains(file.resolveSibling(name.substring(0, Math.max(0, name.indexOf('.')))));
    }

    /// Nobody will ask for this removal, so the files are left for a later visit.
    void leave(Removal removal) {
        removal.files().forEach(awaited::remove);
    }

    /// Their time is over, and what they leave unreachable is not worth a repack yet.
    private void forgetFormerTips(RepositoryPlace place) throws IOException {
        var graceBegan = time.instant().minus(config.grace());
        if (others.formerTips().hasOlder(place.directory(), graceBegan)) {
            others.uses()
                    .whileUnchanged(place.address(), () -> others.formerTips().prune(place.directory(), graceBegan));
        }
    }

    private boolean hasRoomFor(RepositoryPlace place, long bytes) throws IOException {
        boolean hasRoom = disk.usableSpace(place.directory()) - bytes > ROOM_LEFT;
        if (!hasRoom) {
            LOG.warn(
                    "repack skipped repo={} reason=it needs {} bytes and the disk is nearly full",
                    place.address(),
                    bytes);
        }
        return hasRoom;
    }

    /// Deletes what a visit left for later.
    ///
    /// @return false if somebody still reads it, or pushes: the same pack may be coming in again
    public boolean remove(Removal removal) throws IOException {
        if (!removal.reads().haveEnded()) {
            return false;
        }
        var packs = new PackDirectory(disk, removal.place().directory());
        var stripped = new ArrayList<Path>();
        boolean isUndisturbed = others.uses()
                .whileUnchanged(removal.place().address(), () -> stripped.addAll(packs.strip(removal.names())));
        if (!isUndisturbed) {
            return false;
        }
        leave(removal);
        for (var file : stripped) {
            disk.delete(file); // large ones take a while, for which no push waits
        }
        return true;
    }

    private RepackNeed.Facts facts(RepositoryPlace place, PackDirectory packs) throws IOException {
        var stored = packs.list();
        var record = RepackRecord.find(place.directory());
        var base = basePacks(place, stored);
        var graceBegan = time.instant().minus(config.grace());
        return new RepackNeed.Facts(
                stored.stream().mapToLong(StoredPack::objects).sum()
                        + new LooseObjects(disk, place.directory()).count(),
                !base.isEmpty(),
                bytes(stored.stream().filter(pack -> base.contains(pack.name())).toList()),
                bytes(stored.stream()
                        .filter(pack -> !base.contains(pack.name()) && pack.isMergeable())
                        .toList()),
                record.map(RepackRecord::remaining).orElse(0L),
                record.map(then -> then.when().isBefore(graceBegan)).orElse(false),
                unreachableShare(place, stored, graceBegan));
    }

    private static long bytes(List<StoredPack> packs) {
        return packs.stream().mapToLong(StoredPack::bytes).sum();
    }

    /// Those that the last full repack made; none if not all of them are here.
    private static Set<String> basePacks(RepositoryPlace place, List<StoredPack> stored) throws IOException {
        var names = new TreeSet<>(
                RepackRecord.find(place.directory()).map(RepackRecord::packs).orElse(List.of()));
        boolean isComplete =
                stored.stream().map(StoredPack::name).filter(names::contains).count() == names.size();
        return isComplete ? names : Set.of();
    }

    /// Counted only when something may have become unreachable, and bitmaps make it quick.
    private double unreachableShare(RepositoryPlace place, List<StoredPack> stored, Instant graceBegan)
            throws IOException {
        boolean isWorthIt = stored.stream().anyMatch(StoredPack::hasBitmaps)
                && others.formerTips().hasOlder(place.directory(), graceBegan);
        if (!isWorthIt) {
            return 0;
        }
        long all = Math.max(1, stored.stream().mapToLong(StoredPack::objects).sum());
        try (var repository = GitLibrary.open(place.directory());
                var reader = repository.newObjectReader();
                var walk = new ObjectWalk(reader)) {
            var further = new ArrayList<>(others.keepRoots().of(place.address()));
            further.addAll(others.formerTips().read(place.directory(), graceBegan));
            var roots = Roots.read(repository, further);
            var bitmaps = reader.getBitmapIndex();
            if (bitmaps == null) {
                return 0;
            }
            var reached = new BitmapWalker(walk, bitmaps, NullProgressMonitor.INSTANCE)
                    .findObjects(
                            Stream.concat(roots.cloned().stream(), roots.others().stream())
                                    .toList(),
                            null,
                            false);
            return 1 - Math.min(1, (double) reached.cardinality() / all);
        }
    }

    private Report repack(RepositoryPlace place, PackDirectory packs, String reason)
            throws IOException, InterruptedException {
        if (!hasRoomFor(place, bytes(packs.list()))) {
            return new Report(packs.list().size(), 0, List.of());
        }
        return switch (repack.run(place, packs)) {
            case FullRepack.Outcome.Done(var objects, var bytes, var hidden, var reads) -> {
                LOG.debug("full repack repo={} reason={} objects={}", place.address(), reason, objects);
                var removals = hidden.isEmpty() ? List.<Removal>of() : List.of(new Removal(place, hidden, reads));
                yield new Report(packs.list().size(), bytes, removals);
            }
            case FullRepack.Outcome.Postponed(var why) -> {
                LOG.info("repack postponed repo={} reason={}", place.address(), why);
                yield merge(place, packs);
            }
        };
    }

    /// Merges until nothing more is to be merged; each time not more packs than can be open at once.
    private Report merge(RepositoryPlace place, PackDirectory packs) throws IOException {
        long written = 0;
        var removals = new ArrayList<Removal>();
        try (var repository = GitLibrary.open(place.directory())) {
            var tail = tail(place, packs);
            var plan = nextMerge(tail);
            while (!plan.isEmpty() && hasRoomFor(place, plan.bytes())) {
                var made = merge(packs, plan, youngest(tail, plan), repository);
                var old =
                        new TreeSet<>(plan.packs().stream().map(PackSize::name).toList());
                old.remove(made.name());
                others.uses().beforeSwap(place.address());
                packs.hide(old);
                removals.add(new Removal(place, List.copyOf(old), others.uses().swapped(place.address())));
                written += made.bytes();
                tail = tail(place, packs);
                plan = nextMerge(tail);
            }
            new CommitGraphFile(disk, pace).refresh(repository);
        }
        return new Report(packs.list().size(), written, removals);
    }

    private static MergePlan nextMerge(List<StoredPack> tail) {
        var plan = MergePlan.of(tail.stream().map(StoredPack::size).toList());
        return new MergePlan(plan.packs().stream().limit(MERGED_MAX).toList());
    }

    /// Packs that may be merged: those that came in since the last full repack.
    private static List<StoredPack> tail(RepositoryPlace place, PackDirectory packs) throws IOException {
        var stored = packs.list();
        var base = basePacks(place, stored);
        return stored.stream()
                .filter(pack -> pack.isMergeable() && !pack.hasBitmaps() && !base.contains(pack.name()))
                .toList();
    }

    private static Instant youngest(List<StoredPack> tail, MergePlan plan) {
        var names = new TreeSet<>(plan.packs().stream().map(PackSize::name).toList());
        return tail.stream()
                .filter(pack -> names.contains(pack.name()))
                .map(StoredPack::modified)
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private NewPack merge(PackDirectory packs, MergePlan plan, Instant modified, FileRepository repository)
            throws IOException {
        // The largest first: it is mostly the oldest, and what came later was made against what was there.
        var names = plan.packs().reversed().stream().map(PackSize::name).toList();
        try (var reader = repository.newObjectReader()) {
            var made = new PackMerge(disk, pace).merge(packs, names, reader);
            packs.install(made, modified);
            return made;
        }
    }
}
