package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.internal.storage.file.FileRepository;

/// Writes all that is reachable anew, with bitmaps, and lets go of the rest once it is old enough.
///
/// What a plain clone asks for becomes one pack, so that it can be sent as it is; everything else becomes a
/// second one.
public final class FullRepack {
    private static final int TRIES = 30;
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    private final Disk disk;
    private final Pace pace;
    private final Pauser pauser;
    private final InstantSource time;
    private final UpkeepConfig config;
    private final KeepRoots keepRoots;
    private final FormerTips formerTips;
    private final Uses uses;

    /// Who else has a say.
    public record Others(KeepRoots keepRoots, FormerTips formerTips, Uses uses) {}

    /// What came of it.
    public sealed interface Outcome {
        /// The new packs are there.
        ///
        /// @param objects in them
        /// @param hidden names of packs whose rest can go when the reads have ended
        record Done(long objects, long bytes, List<String> hidden, Uses.Reads reads) implements Outcome {
            public Done {
                hidden = List.copyOf(hidden);
            }
        }

        /// Nothing was dropped.
        ///
        /// @param reason for the log
        record Postponed(String reason) implements Outcome {}
    }

    FullRepack(Surroundings surroundings, Pace pace, UpkeepConfig config, Others others) {
        this.disk = surroundings.disk();
        this.pace = pace;
        this.pauser = surroundings.pauser();
        this.time = surroundings.time();
        this.config = config;
        this.keepRoots = others.keepRoots();
        this.formerTips = others.formerTips();
        this.uses = others.uses();
    }

    /// Does it all. No lock is held but for a moment at the end.
    Outcome run(RepositoryPlace place, PackDirectory packs) throws IOException, InterruptedException {
        if (uses.isChanging(place.address())) {
            return new Outcome.Postponed("a push is in progress");
        }
        var graceBegan = time.instant().minus(config.grace());
        try (var repository = GitLibrary.open(place.directory())) {
            var before = packs.list();
            var roots = readRoots(repository, place, graceBegan);
            if (roots.isEmpty()) {
                return new Outcome.Postponed(
                        "it has no refs"); // nothing to serve fast, and too much to lose by mistake
            }
            var made = write(repository, packs, roots);
            for (var pack : made) {
                // How long its objects stay is a matter of former tips from now on, not of the age of the pack.
                packs.install(pack, graceBegan);
            }
            new CommitGraphFile(disk, pace).write(repository); // before anything goes that it names
            return drop(new Swap(place, packs, before, made, graceBegan));
        }
    }

    private Roots readRoots(FileRepository repository, RepositoryPlace place, Instant graceBegan) throws IOException {
        Collection<Oid> further = new ArrayList<>(keepRoots.of(place.address()));
        further.addAll(formerTips.read(place.directory(), graceBegan));
        return Roots.read(repository, further);
    }

    private List<NewPack> write(FileRepository repository, PackDirectory packs, Roots roots) throws IOException {
        var writer = new ReachablePack(disk, pace, config);
        var main = roots.cloned().isEmpty() ? roots.others() : roots.cloned();
        var made = new ArrayList<NewPack>();
        writer.write(repository, packs, new ReachablePack.Selection(main, Set.of(), roots.tags(), true))
                .ifPresent(made::add);
        if (!roots.cloned().isEmpty() && !roots.others().isEmpty()) {
            writer.write(repository, packs, new ReachablePack.Selection(roots.others(), main, Set.of(), false))
                    .ifPresent(made::add);
        }
        return made;
    }

    /// Everything the last step needs to know.
    private record Swap(
            RepositoryPlace place,
            PackDirectory packs,
            List<StoredPack> before,
            List<NewPack> made,
            Instant graceBegan) {
        List<String> madeNames() {
            return made.stream().map(NewPack::name).toList();
        }
    }

    /// Somebody may push at any moment, so what has to stay is found out first and only confirmed while
    /// nobody does.
    private Outcome drop(Swap swap) throws IOException, InterruptedException {
        for (int tries = 0; tries < TRIES; tries++) {
            var done = tryToDrop(swap);
            if (done.isPresent()) {
                return done.get();
            }
            pauser.pause(BETWEEN_TRIES);
        }
        return new Outcome.Postponed("pushes kept coming in");
    }

    private Optional<Outcome> tryToDrop(Swap swap) throws IOException {
        // A repository opened before may not see what came in since.
        try (var repository = GitLibrary.open(swap.place().directory());
                var reader = repository.newObjectReader();
                var kept = new KeptPacks(swap.packs(), pace, swap.madeNames())) {
            var now = swap.packs().list();
            var old = swap.before().stream()
                    .filter(pack -> !pack.isKept() && pack.traits().isPlain())
                    .filter(pack ->
                            now.stream().anyMatch(present -> present.name().equals(pack.name())))
                    .toList();
            var staying = staying(now, old, swap);
            var roots = readRoots(repository, swap.place(), swap.graceBegan()).all();
            var loose = new LooseObjects(disk, swap.place().directory());
            boolean isAllKnown =
                    now.stream().allMatch(pack -> pack.traits().isPlain()) && !loose.hasMoreThan(kept::isMade);
            // Where it cannot be told what has links to what, nothing is old enough to go.
            var youngSince = isAllKnown ? swap.graceBegan() : Instant.EPOCH;
            var left = new TreeSet<>(staying);
            left.addAll(kept.find(old, staying, roots, youngSince, reader));
            var done = confirm(swap, repository, kept, now, going(old, left, swap), left);
            if (done.isPresent()) {
                loose.deleteThoseOf(kept::isMade);
            }
            return done;
        }
    }

    /// The youngest first: links lead to what was there before, so even half of them gone leaves the rest
    /// complete.
    private static List<String> going(List<StoredPack> old, Set<String> left, Swap swap) {
        var made = swap.madeNames();
        return old.stream()
                .sorted(Comparator.comparing(StoredPack::modified).reversed())
                .map(StoredPack::name)
                .filter(name -> !left.contains(name) && !made.contains(name))
                .toList();
    }

    /// Packs that nobody asks about: marked ones, strange ones, and those that came in meanwhile.
    private static List<String> staying(List<StoredPack> now, List<StoredPack> old, Swap swap) {
        var names = new TreeSet<>(now.stream().map(StoredPack::name).toList());
        old.forEach(pack -> names.remove(pack.name()));
        names.removeAll(swap.madeNames());
        // What is in those cannot be told.
        now.stream()
                .filter(pack -> !pack.traits().isPlain())
                .map(StoredPack::name)
                .forEach(names::remove);
        return List.copyOf(names);
    }

    private Optional<Outcome> confirm(
            Swap swap,
            FileRepository repository,
            KeptPacks kept,
            List<StoredPack> seen,
            List<String> going,
            Set<String> left)
            throws IOException {
        var place = swap.place();
        boolean[] isSwapped = {false};
        boolean isUndisturbed = uses.whileUnchanged(place.address(), () -> {
            if (!namesOf(swap.packs().list()).equals(namesOf(seen)) || !areAllHere(swap, repository, kept, left)) {
                return;
            }
            uses.beforeSwap(place.address());
            swap.packs().hide(going);
            formerTips.prune(place.directory(), swap.graceBegan());
            isSwapped[0] = true;
        });
        if (!isUndisturbed || !isSwapped[0]) {
            return Optional.empty();
        }
        var reads = uses.swapped(place.address());
        long remaining = seen.stream()
                .filter(pack -> left.contains(pack.name()) && !pack.isKept())
                .mapToLong(StoredPack::bytes)
                .sum();
        new RepackRecord(time.instant(), swap.madeNames(), remaining).write(disk, place.directory());
        long objects = swap.made().stream().mapToLong(NewPack::objects).sum();
        long bytes = swap.made().stream().mapToLong(NewPack::bytes).sum();
        return Optional.of(new Outcome.Done(objects, bytes, going, reads));
    }

    /// Refs may have come to name something that nothing reached when the new packs were written.
    private boolean areAllHere(Swap swap, FileRepository repository, KeptPacks kept, Set<String> left)
            throws IOException {
        for (var root : readRoots(repository, swap.place(), swap.graceBegan()).all()) {
            if (!kept.isMade(root) && !kept.isIn(left, root)) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> namesOf(List<StoredPack> packs) {
        return new TreeSet<>(packs.stream().map(StoredPack::name).toList());
    }
}
