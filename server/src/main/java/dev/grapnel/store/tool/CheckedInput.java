package dev.grapnel.store.tool;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Reads sources with a thread of its own and checks what it reads with several more. Chunks come out in the
/// order of the input; only so many are on their way.
final class CheckedInput implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 18;
    private static final int CHUNKS_PER_THREAD = 4;
    private static final long PATIENCE_MILLIS = 100;

    private final List<ImportSource> sources;
    private final LineCheck check;
    private final ExecutorService checkers;
    private final BlockingQueue<CompletableFuture<Optional<CheckedChunk>>> chunks;
    private final Thread reader;

    /// What [#next] finds.
    sealed interface Step {
        record Checked(CheckedChunk chunk) implements Step {}

        /// Nothing has come for a moment; ask again.
        record Nothing() implements Step {}

        record End() implements Step {}
    }

    CheckedInput(List<ImportSource> sources, LineCheck check, int threads) {
        this.sources = sources;
        this.check = check;
        this.checkers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("import-check-", 0).factory());
        this.chunks = new ArrayBlockingQueue<>(CHUNKS_PER_THREAD * threads);
        this.reader = Thread.ofPlatform().daemon().name("import-reader").start(this::readAll);
    }

    /// The next chunk. Returns after a moment even if there is none, so that the caller can do other things.
    ///
    /// @throws ToolFailure if a source cannot be read
    Step next() throws InterruptedException {
        var chunk = chunks.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (chunk == null) {
            return new Step.Nothing();
        }
        try {
            return chunk.get().<Step>map(Step.Checked::new).orElseGet(Step.End::new);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("checking the input failed", e.getCause());
        }
    }

    private void readAll() {
        try {
            for (var source : sources) {
                read(source);
            }
            chunks.put(CompletableFuture.completedFuture(Optional.empty()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody wants the rest
        } catch (RejectedExecutionException _) {
            // the same, noticed later
        }
    }

    private void read(ImportSource source) throws InterruptedException {
        try (var in = source.opener().open()) {
            var reader = new ChunkReader(source.name(), in, CHUNK_BYTES, LineCheck.LINE_BYTES_MAX);
            for (var chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
                var read = chunk.get();
                chunks.put(CompletableFuture.supplyAsync(() -> Optional.of(check.check(read)), checkers));
            }
        } catch (IOException e) {
            chunks.put(CompletableFuture.failedFuture(
                    new ToolFailure("could not read " + source.name() + ": " + e.getMessage(), e)));
        }
    }

    /// Stops reading and checking. The reader may still wait for the standard input, which nothing can end; it
    /// keeps nobody from leaving.
    @Override
    public void close() {
        reader.interrupt();
        checkers.shutdown();
        chunks.forEach(chunk -> chunk.cancel(false));
        checkers.close();
    }
}
