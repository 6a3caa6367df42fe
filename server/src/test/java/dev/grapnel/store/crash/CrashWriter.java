package dev.grapnel.store.crash;

import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/// The process that is killed. Writes a [Workload] for ever, many transactions at once, and says on standard
/// output what it is about to do and what was acknowledged:
///
/// ```
/// submit 17          before the transaction is given to the store
/// done 17 served4    its future has completed: from here on it must be there
/// failed 18          it broke off by itself, as it is meant to
/// copying x.mdb      a compact copy of the store is being written
/// copied x.mdb
/// compacting         the store's file is being replaced by a compact one
/// compacted
/// ```
///
/// Now and then it closes the store and opens it again, so that it may be killed there as well.
final class CrashWriter {
    static final LmdbConfig LMDB =
            LmdbConfig.DEFAULTS.withDurability(Durability.SYNC).withMapBytes(1 << 20);

    /// Small batches, so that many commits are under way; the clock stands still, so nothing is swept by
    /// itself.
    static final WriterConfig WRITER =
            new WriterConfig(64, 1 << 20, 16, 1 << 20, Duration.ofDays(1), Duration.ofDays(1), 1_000_000);

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private final Path directory;
    private final Workload workload;
    private final SplittableRandom random;
    private final ManualTime time;
    private long next;

    private CrashWriter(Path directory, long seed, long first) {
        this.directory = directory;
        this.workload = new Workload(seed);
        this.random = new SplittableRandom(seed ^ first);
        this.time = new ManualTime(Workload.second(first));
        this.next = first;
    }

    /// Arguments: directory of the store, seed, number of the first step; then, to compact the store each time
    /// it is opened, `compact`, or a directory to write compact copies to.
    static void main(String... arguments) {
        var writer = new CrashWriter(Path.of(arguments[0]), Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
        say("start");
        var extra = arguments.length > 3 ? arguments[3] : "";
        while (true) {
            writer.runOnce(extra);
        }
    }

    private void runOnce(String extra) {
        boolean isCompacting = extra.equals("compact");
        boolean isCopying = !isCompacting && !extra.isEmpty();
        var engine = LmdbEngine.open(directory, LMDB);
        if (isCompacting) {
            say("compacting");
            engine.compact();
            say("compacted");
        }
        try (var store = new TableStore(
                engine, Workload.RULES, WRITER, time, new Complaints(line -> say("complaint " + line)))) {
            say("open");
            store.sweep().join();
            long end = next + (isCompacting ? random.nextInt(1, 60) : random.nextInt(100, 1_500));
            var copying = CompletableFuture.<Void>completedFuture(null);
            while (next < end) {
                submit(store, next);
                if (isCopying && next % 64 == 0 && copying.isDone()) {
                    var target = Path.of(extra, next + ".mdb");
                    copying = CompletableFuture.runAsync(() -> copy(engine, target));
                }
                next++;
            }
            copying.join();
            say("closing");
        }
        say("closed");
    }

    private void submit(TableStore store, long number) {
        var step = workload.step(number);
        say("submit " + number);
        var _ = store.write(Urgency.WAITING, 1_000, step.work()).whenComplete((outcome, failure) -> {
            if (failure == null) {
                say("done " + number + " " + outcome);
            } else if (failure instanceof IllegalStateException) {
                say("failed " + number);
            } else {
                say("refused " + number + " " + failure);
            }
        });
    }

    private static void copy(LmdbEngine engine, Path target) {
        say("copying " + target.getFileName());
        engine.copyTo(target);
        say("copied " + target.getFileName());
    }

    /// One call of the system for each line, so that lines of two threads do not mix.
    static void say(String line) {
        try {
            OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
