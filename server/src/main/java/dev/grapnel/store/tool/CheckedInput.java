package dev.grapnel.store.tool;

import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.tool.ImportReport.Position;
import java.util.List;
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
    private static final int CHUNKS_PER_THREAD = 4;
    private static final long PATIENCE_MILLIS = 100;

    private final InputReader input;
    private final LineCheck check;
    private final ExecutorService checkers;
    private final BlockingQueue<CompletableFuture<Step>> steps;
    private final Thread reader;

    /// What [#next] finds.
    sealed interface Step {
        record Checked(CheckedChunk chunk) implements Step {}

        /// The input up to a place was done by an earlier import.
        record Passed(Position position, ImportPosition earlier) implements Step {}

        /// Nothing has come for a moment; ask again.
        record Nothing() implements Step {}

        record End() implements Step {}
    }

    /// @param earlier where earlier imports ended
    CheckedInput(List<ImportSource> sources, List<ImportPosition> earlier, LineCheck check, int threads) {
        this.input = new InputReader(sources, earlier, new Queueing());
        this.check = check;
        this.checkers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("import-check-", 0).factory());
        this.steps = new ArrayBlockingQueue<>(CHUNKS_PER_THREAD * threads);
        this.reader = Thread.ofPlatform().daemon().name("import-reader").start(this::readAll);
    }

    /// The next step. Returns after a moment even if there is none, so that the caller can do other things.
    ///
    /// @throws ToolFailure if a source cannot be read
    Step next() throws InterruptedException {
        var step = steps.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (step == null) {
            return new Step.Nothing();
        }
        try {
            return step.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("checking the input failed", e.getCause());
        }
    }

    private void readAll() {
        try {
            try {
                input.run();
                steps.put(CompletableFuture.completedFuture(new Step.End()));
            } catch (ToolFailure e) {
                steps.put(CompletableFuture.failedFuture(e));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody wants the rest
        } catch (RejectedExecutionException _) {
            // the same, noticed later
        }
    }

    /// Has chunks checked while they wait for their turn.
    private final class Queueing implements InputReader.Sink {
        @Override
        public void chunk(Chunk chunk) throws InterruptedException {
            steps.put(CompletableFuture.supplyAsync(() -> new Step.Checked(check.check(chunk)), checkers));
        }

        @Override
        public void passed(String source, long line, ImportPosition earlier) throws InterruptedException {
            steps.put(CompletableFuture.completedFuture(new Step.Passed(new Position(source, line), earlier)));
        }
    }

    /// Stops reading and checking. The reader may still wait for the standard input, which nothing can end; it
    /// keeps nobody from leaving.
    @Override
    public void close() {
        reader.interrupt();
        checkers.shutdown();
        steps.forEach(step -> step.cancel(false));
        checkers.close();
    }
}
