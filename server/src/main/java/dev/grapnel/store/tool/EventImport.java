package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.tool.CheckedLine.Candidate;
import dev.grapnel.store.tool.CheckedLine.Proof;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/// Stores events given as JSON lines: read by one thread, checked by many ([CheckedInput]), and given to the
/// store in the order of the input. So what is stored, and what is reported, does not depend on chance.
///
/// Nothing is remembered between two imports. Who repeats one that did not come to its end finds what is here
/// already by its id, without the cost of a signature.
public final class EventImport {
    /// What may be on its way to the store: several commits, so that the writer never waits for us.
    private static final long SENT_BYTES_MAX = 16 << 20;

    private final EventStore store;
    private final InstantSource clock;
    private final int threads;
    private final Listener listener;
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private long sentBytes;

    /// Who wants to hear how it goes. Called by the thread that runs the import.
    public interface Listener {
        /// How far it is; many times a second.
        void progress(ImportProgress progress);

        /// A line was refused; in the order of the input.
        void refused(RefusedLine line);
    }

    private record Sent(CheckedChunk chunk, int bytes, CompletableFuture<List<SaveOutcome>> outcomes) {}

    /// An import into the store.
    ///
    /// @param threads that check signatures
    public EventImport(EventStore store, InstantSource clock, int threads, Listener listener) {
        this.store = store;
        this.clock = clock;
        this.threads = threads;
        this.listener = listener;
    }

    /// Imports all sources, one after the other. Told to stop, it ends soon; what was given to the store until
    /// then is stored.
    ///
    /// @throws ToolFailure if a source cannot be read; what was read before is stored
    /// @throws dev.grapnel.store.StoreRefusal if the store cannot be written to
    public ImportReport run(List<ImportSource> sources, BooleanSupplier stop) throws InterruptedException {
        var tally = new ImportTally(total(sources), listener::refused);
        var check = new LineCheck(store, EventRules.DEFAULTS, clock);
        try (var input = new CheckedInput(sources, check, threads)) {
            boolean stopped = pass(input, tally, stop);
            return tally.report(stopped);
        }
    }

    private boolean pass(CheckedInput input, ImportTally tally, BooleanSupplier stop) throws InterruptedException {
        try {
            while (!stop.getAsBoolean()) {
                switch (input.next()) {
                    case CheckedInput.Step.Checked(var chunk) -> send(chunk);
                    case CheckedInput.Step.Nothing() -> {}
                    case CheckedInput.Step.End() -> {
                        return false;
                    }
                }
                settle(tally, SENT_BYTES_MAX);
            }
            return true;
        } finally {
            settle(tally, 0);
        }
    }

    private static OptionalLong total(List<ImportSource> sources) {
        return sources.stream().allMatch(source -> source.bytes().isPresent())
                ? OptionalLong.of(sources.stream()
                        .mapToLong(source -> source.bytes().getAsLong())
                        .sum())
                : OptionalLong.empty();
    }

    private void send(CheckedChunk chunk) {
        var candidates = chunk.candidates();
        int bytes = candidates.stream()
                .mapToInt(candidate -> candidate.event().json().length())
                .sum();
        var outcomes = candidates.isEmpty()
                ? CompletableFuture.completedFuture(List.<SaveOutcome>of())
                : store.write(Urgency.WAITING, bytes, transaction -> save(candidates, transaction));
        sent.add(new Sent(chunk, bytes, outcomes));
        sentBytes += bytes;
    }

    private static List<SaveOutcome> save(List<Candidate> candidates, StoreTransaction transaction) {
        return candidates.stream()
                .map(candidate -> save(candidate, transaction))
                .toList();
    }

    /// The outcome depends on what the transaction sees alone, not on what was here when the line was checked.
    private static SaveOutcome save(Candidate candidate, StoreTransaction transaction) {
        var event = candidate.event();
        if (candidate.proof() == Proof.SIGNED) {
            return transaction.restore(event);
        }
        if (transaction.find(event.id()).isPresent()) {
            return new SaveOutcome.Known(false);
        }
        boolean isSigned = candidate.proof() == Proof.NOT_NEEDED && event.isSigned(); // it has left meanwhile
        return isSigned ? transaction.restore(event) : new SaveOutcome.Refused(EventDefect.WRONG_SIGNATURE.refusal());
    }

    /// Counts what is stored, and waits until no more than this is on its way.
    private void settle(ImportTally tally, long bytesMax) {
        while (!sent.isEmpty()
                && (sentBytes > bytesMax
                        || bytesMax == 0
                        || sent.element().outcomes.isDone())) {
            var next = sent.remove();
            sentBytes -= next.bytes;
            tally.add(next.chunk, outcomes(next));
        }
        listener.progress(tally.progress());
    }

    private static List<SaveOutcome> outcomes(Sent next) {
        try {
            return next.outcomes.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
