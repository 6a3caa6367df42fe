package dev.grapnel.store.crash;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Kills a [CrashWriter] again and again and looks at what it left. A store lives through [#KILLS_PER_STORE]
/// kills, then a new one begins.
///
/// After each kill: the store opens; its pages and its tables agree with themselves; every table holds exactly
/// what the first n steps make, where n is no less than the last step that was acknowledged and no more than
/// the last that was submitted; every acknowledged event is served, or held, or somebody asked for what took it
/// away; none is both.
final class CrashRun {
    private static final int KILLS_PER_STORE = 40;
    private static final List<Table> HELD = List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS);

    private final Path root;
    private final long seed;
    private final SplittableRandom random;
    private final Map<KilledWriter.Moment, Integer> moments = new EnumMap<>(KilledWriter.Moment.class);
    private int kills;
    private int killsBeforeOpening;
    private long acknowledged;
    private long undone;
    private long copies;
    private long lost;
    private long both;
    private long problems;

    /// @param root an empty directory
    CrashRun(Path root, long seed) {
        this.root = root;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /// Arguments: kills, seed.
    static void main(String... arguments) throws IOException, InterruptedException {
        int kills = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        var root = Files.createTempDirectory("grapnel-crash");
        var run = new CrashRun(root, seed);
        run.kill(kills, System.out);
        System.out.println(run);
        deleteAll(root);
    }

    /// Kills so many times.
    ///
    /// @throws AssertionError if anything is not as it must be; what is left on disk stays there
    void kill(int times, PrintStream progress) throws IOException, InterruptedException {
        for (int store = 0; kills < times; store++) {
            var place = root.resolve("store-" + store);
            var directory = Files.createDirectories(place.resolve("store"));
            var target = Files.createDirectories(place.resolve("copies"));
            try (var life = new StoreLife(directory, target, seed + store)) {
                for (int i = 0; i < KILLS_PER_STORE && kills < times; i++) {
                    life.killOnce();
                }
            }
            deleteAll(place);
            progress.println(this);
        }
    }

    @Override
    public String toString() {
        return kills + " kills " + moments + ", of which " + killsBeforeOpening + " before the store was written to; "
                + acknowledged + " writes acknowledged, " + undone + " submitted ones undone, " + copies
                + " compact copies; lost: " + lost + ", both held and served: " + both + ", problems found by checks: "
                + problems;
    }

    /// One directory, from nothing to its last kill.
    private final class StoreLife implements AutoCloseable {
        private final Path directory;
        private final Path copyTarget;
        private final long workloadSeed;
        private final Workload workload;
        private final ExpectedStore expected = new ExpectedStore();
        private final Promises promises = new Promises();
        private final List<String> findings = new ArrayList<>();
        private long done;

        StoreLife(Path directory, Path copyTarget, long workloadSeed) {
            this.directory = directory;
            this.copyTarget = copyTarget;
            this.workloadSeed = workloadSeed;
            this.workload = new Workload(workloadSeed);
        }

        void killOnce() throws IOException, InterruptedException {
            long first = done + 1;
            var writer = KilledWriter.live(directory, copyTarget, workloadSeed, first, random);
            kills++;
            moments.merge(writer.moment(), 1, Integer::sum);
            acknowledged += writer.outcomes().size();
            findings.addAll(writer.complaints());
            expected.begin(Workload.second(first));
            verify(writer);
            verifyCopies(writer);
            if (!findings.isEmpty()) {
                throw new AssertionError("after kill " + kills + " (" + writer.moment() + ") of seed " + seed
                        + ", workload " + workloadSeed + ", steps from " + first + ", in " + directory + ":\n  "
                        + String.join("\n  ", findings) + "\n" + CrashRun.this);
            }
        }

        private void verify(KilledWriter writer) {
            var engine = LmdbEngine.open(directory, CrashWriter.LMDB);
            check("pages", engine.checkPages());
            check("tables", disagreements(engine));
            try (var store = new TableStore(
                    engine, Workload.RULES, CrashWriter.WRITER, clock(), new Complaints(findings::add))) {
                long before = done;
                done = store.read(Workload::progress);
                catchUp(writer, before, store);
                store.read(view -> {
                    lookAt(view, store);
                    return true;
                });
                try (var found = engine.pin();
                        var wanted = expected.engine().pin()) {
                    check("content", TableDifference.of(found, wanted));
                }
            }
        }

        private ManualTime clock() {
            return new ManualTime(expected.now().getEpochSecond());
        }

        /// Brings what is expected to the step that the store has reached.
        private void catchUp(KilledWriter writer, long before, TableStore store) {
            long last = writer.outcomes().isEmpty() ? before : writer.outcomes().lastKey();
            if (done < last) {
                lost += last - done;
                findings.add("step " + last + " was acknowledged, the store is at " + done);
            }
            if (done > Math.max(before, writer.submitted())) {
                findings.add("the store is at step " + done + ", submitted were " + writer.submitted());
            }
            boolean hasCommitted =
                    store.read(StoreView::clock).filter(expected.now()::equals).isPresent();
            if (hasCommitted) {
                expected.sweep();
            }
            if (done == before) {
                killsBeforeOpening++;
            }
            for (long number = before + 1; number <= done; number++) {
                var step = workload.step(number);
                var outcome = expected.apply(step);
                promises.add(step, outcome);
                var said = writer.failed().contains(number)
                        ? "failed"
                        : writer.outcomes().get(number);
                if (said != null && !said.equals(outcome)) {
                    findings.add("step " + number + " came to " + said + " instead of " + outcome);
                }
            }
            undone += Math.max(0, writer.submitted() - done);
        }

        private void lookAt(StoreView view, TableStore store) {
            var served = servedIn(store);
            var held = heldIn(view);
            for (var event : promises.broken(served, held, expected.now())) {
                lost++;
                findings.add("lost: " + event);
            }
            var twice = new HashSet<>(served);
            twice.retainAll(held);
            both += twice.size();
            twice.forEach(id -> findings.add("both held and served: " + id));
        }

        private void verifyCopies(KilledWriter writer) throws IOException {
            for (var name : writer.copied()) {
                if (!Files.exists(copyTarget.resolve(name))) {
                    findings.add("copy " + name + " was finished and is not there");
                }
            }
            for (var file : filesIn(copyTarget)) {
                if (file.toString().endsWith(".mdb")) {
                    verifyCopy(file);
                }
            }
            for (var file : filesIn(copyTarget)) {
                deleteAll(file); // what a copy that was cut off leaves behind
            }
        }

        /// A copy has its name only when it is complete.
        private void verifyCopy(Path file) throws IOException {
            copies++;
            var place = Files.createDirectory(copyTarget.resolve("opened"));
            Files.move(file, place.resolve("data.mdb"));
            try (var engine = LmdbEngine.open(place, CrashWriter.LMDB)) {
                check("pages of copy " + file.getFileName(), engine.checkPages());
                check("tables of copy " + file.getFileName(), disagreements(engine));
            }
            deleteAll(place);
        }

        private void check(String what, List<String> found) {
            problems += found.size();
            found.forEach(problem -> findings.add(what + ": " + problem));
        }

        @Override
        public void close() {
            expected.close();
        }
    }

    private static List<String> disagreements(LmdbEngine engine) {
        var found = new ArrayList<String>();
        StoreCheck.run(engine, found::add, _ -> {});
        return found;
    }

    private static Set<EventId> servedIn(TableStore store) {
        return StoredThings.all(store).stream().map(StoredEvent::id).collect(Collectors.toSet());
    }

    private static Set<EventId> heldIn(StoreView view) {
        var ids = new HashSet<EventId>();
        for (var table : HELD) {
            view.forEachRow(
                    table, Bytes.EMPTY, row -> ids.add(((Held) row).event().id()));
        }
        return ids;
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
