package dev.grapnel.store.tool;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.InputPlace;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.tool.CheckedLine.Candidate;
import dev.grapnel.store.tool.CheckedLine.Proof;
import dev.grapnel.store.tool.ImportReport.Ending;
import dev.grapnel.store.tool.ImportReport.Position;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/// Stores events given as JSON lines: read by one thread, checked by many ([CheckedInput]), and given to the
/// store in the order of the input. So what is stored, and what is reported, does not depend on chance.
///
/// How far it has come is stored with the events ([ImportJournal]), so one that did not come to its end is
/// completed by repeating it. What is here already from elsewhere is found by its id, without the cost of a
/// signature.
public final class EventImport {
    /// What may be on its way to the store: several commits, so that the writer never waits for us.
    private static final long SENT_BYTES_MAX = 16 << 20;

    private final EventStore store;
    private final InstantSource clock;
    private final ImportOptions options;
    private final Listener listener;
    private final ImportJournal journal;
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private long sentBytes;
    private Optional<InputPlace> sentTo = Optional.empty();

    /// Who wants to hear how it goes. Called by the thread that runs the import.
    public interface Listener {
        /// How far it is; many times a second.
        void progress(ImportProgress progress);

        /// An earlier import had done the input up to here; this one goes on from there.
        void resumed(Position position);

        /// A line was refused; in the order of the input.
        void refused(RefusedLine line);
    }

    private record Sent(CheckedChunk chunk, int bytes, CompletableFuture<List<SettledLine>> lines) {}

    /// An import into the store.
    public EventImport(EventStore store, InstantSource clock, ImportOptions options, Listener listener) {
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.listener = listener;
        this.journal = new ImportJournal(clock, options.isFromStart());
    }

    /// Imports all sources, one after the other. Told to stop, or unable to go on, it ends soon; what it did
    /// until then is in the report.
    public ImportReport run(List<ImportSource> sources, BooleanSupplier stop) throws InterruptedException {
        var tally = new ImportTally(total(sources), listener::refused);
        var check = new LineCheck(store, EventRules.DEFAULTS, clock);
        var earlier = options.isFromStart() ? List.<ImportPosition>of() : store.read(ImportJournal::positions);
        try (var input = new CheckedInput(sources, earlier, check, options.threads())) {
            return tally.report(pass(input, tally, stop));
        }
    }

    private Ending pass(CheckedInput input, ImportTally tally, BooleanSupplier stop) throws InterruptedException {
        try {
            boolean stopped = feed(input, tally, stop);
            settle(tally, 0);
            if (stopped) {
                return new Ending.Stopped(tally.position());
            }
            if (sentTo.isPresent()) {
                end();
            }
            return new Ending.Complete();
        } catch (StoreFailure | StoreRefusal | StoreDamage | ToolFailure e) {
            settleStored(tally);
            return new Ending.Failed(tally.position(), String.valueOf(e.getMessage()));
        }
    }

    /// Whether it was told to stop.
    private boolean feed(CheckedInput input, ImportTally tally, BooleanSupplier stop) throws InterruptedException {
        while (!stop.getAsBoolean()) {
            switch (input.next()) {
                case CheckedInput.Step.Checked(var chunk) -> send(chunk);
                case CheckedInput.Step.Passed(var position, var earlier) -> {
                    tally.pass(position, earlier);
                    journal.resume(earlier);
                    sentTo = Optional.of(earlier.place());
                    listener.resumed(position);
                }
                case CheckedInput.Step.Nothing() -> {}
                case CheckedInput.Step.End() -> {
                    return false;
                }
            }
            settle(tally, SENT_BYTES_MAX);
        }
        return true;
    }

    private static OptionalLong total(List<ImportSource> sources) {
        return sources.stream().allMatch(source -> source.bytes().isPresent())
                ? OptionalLong.of(sources.stream()
                        .mapToLong(source -> source.bytes().getAsLong())
                        .sum())
                : OptionalLong.empty();
    }

    private void send(CheckedChunk chunk) {
        int bytes = chunk.weight();
        var lines = chunk.lines().isEmpty()
                ? CompletableFuture.completedFuture(List.<SettledLine>of())
                : settle(chunk, bytes);
        sent.add(new Sent(chunk, bytes, lines));
        sentBytes += bytes;
    }

    private CompletableFuture<List<SettledLine>> settle(CheckedChunk chunk, int bytes) {
        var from = sentTo;
        sentTo = Optional.of(chunk.end());
        return store.write(Urgency.WAITING, bytes, transaction -> {
            var lines = chunk.lines().stream()
                    .map(line -> settle(chunk.source(), line, transaction))
                    .toList();
            journal.advance(transaction, from, chunk.end(), lines);
            return lines;
        });
    }

    private static SettledLine settle(String source, CheckedLine line, StoreTransaction transaction) {
        return switch (line) {
            case CheckedLine.Refused(var refused) -> new SettledLine.Refused(refused);
            case Candidate candidate -> settle(source, candidate, transaction);
        };
    }

    private static SettledLine settle(String source, Candidate candidate, StoreTransaction transaction) {
        long line = candidate.line();
        return switch (save(candidate, transaction)) {
            case SaveOutcome.Served served -> new SettledLine.Stored(line, served.removed());
            case SaveOutcome.Known _ -> new SettledLine.Known(line);
            case SaveOutcome.Refused(var refusal, var _)
            when refusal.prefix() == Prefix.DUPLICATE -> new SettledLine.Older(line);
            case SaveOutcome.Refused(var refusal, var _) ->
                new SettledLine.Refused(LineCheck.refusal(source, line, candidate.event(), refusal));
            case SaveOutcome.Waiting _, SaveOutcome.Gated _ ->
                throw new IllegalStateException("what is restored is served or refused");
        };
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
        return isSigned
                ? transaction.restore(event)
                : new SaveOutcome.Refused(EventDefect.WRONG_SIGNATURE.refusal(), SaveOutcome.Why.FINAL);
    }

    private void end() {
        join(store.write(Urgency.WAITING, 0, transaction -> {
            journal.end(transaction);
            return true;
        }));
    }

    /// Counts what is stored, and waits until no more than this is on its way.
    private void settle(ImportTally tally, long bytesMax) {
        while (!sent.isEmpty()
                && (sentBytes > bytesMax
                        || bytesMax == 0
                        || sent.element().lines.isDone())) {
            settleNext(tally);
        }
        listener.progress(tally.progress());
    }

    private void settleNext(ImportTally tally) {
        var next = sent.element();
        var lines = join(next.lines);
        sent.remove();
        sentBytes -= next.bytes;
        tally.add(next.chunk, lines);
    }

    /// Counts what was stored although something failed. Nothing is stored behind what was not.
    private void settleStored(ImportTally tally) {
        try {
            while (!sent.isEmpty()) {
                settleNext(tally);
            }
        } catch (StoreFailure | StoreRefusal | StoreDamage | ToolFailure _) {
            // it is this, or what was caused by it, that is being reported
        }
    }

    private static <T> T join(CompletableFuture<T> outcome) {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
