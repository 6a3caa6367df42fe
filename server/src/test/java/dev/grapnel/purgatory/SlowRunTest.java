package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.SaveOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is published while runs take long (P-531).
final class SlowRunTest {
    private static final int ANN = 1;

    @TempDir
    Path directory;

    private final SlowRuns runs = new SlowRuns();

    /// Runs that end when they are told to.
    private static final class SlowRuns implements Settlement {
        private final BlockingQueue<EventId> begun = new LinkedBlockingQueue<>();
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        @Override
        public CompletableFuture<Boolean> settle(Event event) {
            begun.add(event.id());
            return end;
        }

        @Override
        public void settleLater(Event event) {
            begun.add(event.id());
        }

        @Override
        public boolean hasData(Event event) {
            return false;
        }
    }

    @Test
    void syncIsAnsweredBeforeTheRunEnds() throws Exception {
        try (var purgatory = new CustodyUnderTest(directory, runs)) {
            var announcement = purgatory.announcement(ANN, "x", "one");
            var answer = purgatory.admit(announcement, new Origin.Synced()).get(30, TimeUnit.SECONDS);
            var stored = assertInstanceOf(Admitted.Stored.class, answer);
            assertInstanceOf(SaveOutcome.Waiting.class, stored.outcome());
            assertEquals(List.of(announcement.id()), List.copyOf(runs.begun));
        }
    }

    @Test
    void clientIsToldWhatTheRunFound() throws Exception {
        try (var purgatory = new CustodyUnderTest(directory, runs)) {
            var announcement = purgatory.announcement(ANN, "x", "one");
            var answer = purgatory.admit(announcement, new Origin.Direct(Set.of(), true));
            assertEquals(announcement.id(), runs.begun.poll(30, TimeUnit.SECONDS));
            assertFalse(answer.isDone());
            runs.end.complete(true);
            assertInstanceOf(Admitted.Released.class, answer.get(30, TimeUnit.SECONDS));
        }
    }
}
