package dev.grapnel.bench.store;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Ingest with signatures against its two limits, each alone: checking signatures on all cores, and storing.
final class Signed {
    private static final int CHUNK = 256;
    private static final int AHEAD = 16;

    private Signed() {}

    static void run(Path directory, int count) throws IOException, InterruptedException {
        var events = new ArrayList<Event>(count);
        new Community(9, count).forEach(Signatures.REAL, events::add);
        int cores = Runtime.getRuntime().availableProcessors();
        try (var pool = Executors.newFixedThreadPool(cores)) {
            check(pool, events.subList(0, count / 10));
            StoreBench.print("%n## Ingest with signatures, %,d events, %d cores%n", count, cores);
            StoreBench.print("| round | checking alone, /s | storing alone, /s | both, /s | both against the slower |");
            StoreBench.print("|--:|--:|--:|--:|--:|");
            for (int round = 0; round < 3; round++) {
                double checking = count / seconds(() -> check(pool, events));
                var alone = Files.createDirectories(directory.resolve("alone" + round));
                double storing = count / seconds(() -> store(alone, chunks(events)));
                var together = Files.createDirectories(directory.resolve("together" + round));
                double both = count / seconds(() -> checkAndStore(pool, together, events));
                StoreBench.print(
                        "| %d | %,.0f | %,.0f | %,.0f | %.2f |",
                        round, checking, storing, both, both / Math.min(checking, storing));
            }
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static double seconds(Work work) throws InterruptedException {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static List<List<Event>> chunks(List<Event> events) {
        var chunks = new ArrayList<List<Event>>();
        for (int from = 0; from < events.size(); from += CHUNK) {
            chunks.add(events.subList(from, Math.min(from + CHUNK, events.size())));
        }
        return chunks;
    }

    private static void check(ExecutorService pool, List<Event> events) throws InterruptedException {
        var checks = new ArrayList<Future<?>>();
        for (var chunk : chunks(events)) {
            checks.add(pool.submit(() -> requireSigned(chunk)));
        }
        for (var check : checks) {
            await(check);
        }
    }

    private static void requireSigned(List<Event> chunk) {
        if (!chunk.stream().allMatch(Event::isSigned)) {
            throw new IllegalStateException("a signature is wrong");
        }
    }

    private static void store(Path directory, List<List<Event>> chunks) throws InterruptedException {
        try (var store = StoreBench.open(LmdbEngine.open(directory, LmdbConfig.DEFAULTS))) {
            var saved = new ArrayDeque<CompletableFuture<Boolean>>();
            for (var chunk : chunks) {
                saved.add(store.write(Urgency.WAITING, 0, transaction -> {
                    chunk.forEach(transaction::save);
                    return true;
                }));
                if (saved.size() > AHEAD) {
                    saved.remove().join();
                }
            }
            saved.forEach(CompletableFuture::join);
        }
    }

    private static void checkAndStore(ExecutorService pool, Path directory, List<Event> events)
            throws InterruptedException {
        try (var store = StoreBench.open(LmdbEngine.open(directory, LmdbConfig.DEFAULTS))) {
            var checks = new ArrayDeque<Future<List<Event>>>();
            var saved = new ArrayDeque<CompletableFuture<Boolean>>();
            for (var chunk : chunks(events)) {
                checks.add(pool.submit(() -> {
                    requireSigned(chunk);
                    return chunk;
                }));
                while (checks.size() > AHEAD) {
                    var checked = await(checks.remove());
                    saved.add(store.write(Urgency.WAITING, 0, transaction -> {
                        checked.forEach(transaction::save);
                        return true;
                    }));
                }
                if (saved.size() > AHEAD) {
                    saved.remove().join();
                }
            }
            for (var check : checks) {
                var checked = await(check);
                saved.add(store.write(Urgency.WAITING, 0, transaction -> {
                    checked.forEach(transaction::save);
                    return true;
                }));
            }
            saved.forEach(CompletableFuture::join);
        }
    }

    private static <T> T await(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
