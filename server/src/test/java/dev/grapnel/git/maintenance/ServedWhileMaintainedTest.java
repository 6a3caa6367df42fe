package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.storage.pack.PackConfig;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clones go on while packs are replaced under them.
@NullUnmarked
@Timeout(300)
final class ServedWhileMaintainedTest {
    @TempDir
    private Path temporary;

    private final CountedReads reads = new CountedReads();

    /// Knows who reads.
    private static final class CountedReads implements Uses {
        private final Set<Object> going = new HashSet<>();

        synchronized Object begin() {
            var read = new Object();
            going.add(read);
            return read;
        }

        synchronized void end(Object read) {
            going.remove(read);
        }

        @Override
        public boolean isChanging(RepositoryAddress repository) {
            return false;
        }

        @Override
        public boolean whileUnchanged(RepositoryAddress repository, Step step) throws IOException {
            step.run();
            return true;
        }

        @Override
        public void beforeSwap(RepositoryAddress repository) {}

        @Override
        public synchronized Reads swapped(RepositoryAddress repository) {
            var before = Set.copyOf(going);
            return () -> before.stream().noneMatch(this::isGoing);
        }

        private synchronized boolean isGoing(Object read) {
            return going.contains(read);
        }
    }

    /// Writes the pack a clone would get.
    private byte[] clonePack(PushedRepository repository, String tip) throws IOException {
        var read = reads.begin();
        try (var opened = GitLibrary.open(repository.directory());
                var writer = new PackWriter(new PackConfig(), opened.newObjectReader())) {
            writer.setUseBitmaps(true);
            writer.setUseCachedPacks(true);
            writer.setDeltaBaseAsOffset(true);
            var wanted = Set.of(ObjectId.fromString(tip));
            writer.preparePack(NullProgressMonitor.INSTANCE, wanted, Set.of());
            var out = new ByteArrayOutputStream();
            writer.writePack(NullProgressMonitor.INSTANCE, NullProgressMonitor.INSTANCE, out);
            return out.toByteArray();
        } finally {
            reads.end(read);
        }
    }

    @Test
    void clonesAreCompleteWhilePacksAreReplaced() throws Exception {
        var repository = new PushedRepository(temporary, 60, 4);
        repository.push(20);
        var tip = new AtomicReference<>(repository.commit(19).toString());
        var isOver = new AtomicBoolean();
        var clones = new AtomicInteger();
        var config = new UpkeepConfig(Duration.ofHours(24), 50, 256 << 20);
        var others = new FullRepack.Others(KeepRoots.NONE, new FormerTips(Disk.REAL, InstantSource.system()), reads);
        var upkeep = new RepositoryUpkeep(Surroundings.REAL, Pace.FREE, config, others);
        try (var readers = Executors.newSingleThreadExecutor()) {
            var reader = readers.submit(() -> {
                byte[] last = {};
                while (!isOver.get()) {
                    last = clonePack(repository, tip.get());
                    clones.incrementAndGet();
                }
                return last;
            });
            var waiting = new ArrayList<RepositoryUpkeep.Removal>();
            for (int i = 0; i < 25 && !reader.isDone(); i++) {
                repository.push(1);
                tip.set(repository.commit(repository.pushed() - 1).toString());
                var report = i % 5 == 4 ? upkeep.repack(repository.place()) : upkeep.visit(repository.place());
                waiting.addAll(report.removals());
                for (var removal : Set.copyOf(waiting)) {
                    if (upkeep.remove(removal)) {
                        waiting.remove(removal);
                    }
                }
            }
            isOver.set(true);
            var pack = reader.get();
            assertTrue(clones.get() > 5, clones + " clones");
            assertComplete(pack);
            repository.assertSound();
        }
    }

    private void assertComplete(byte[] pack) {
        var empty = temporary.resolve("clone.git");
        new GitProgram(temporary).run("init", "-q", "--bare", empty.toString());
        new GitProgram(empty).pipe(pack, "index-pack", "--stdin", "--strict", "--check-self-contained-and-connected");
    }
}
