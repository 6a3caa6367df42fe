package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Batch.State;
import java.time.Duration;
import java.util.List;

/// Batches that failed: when each is tried again, and which are given up (R4.16, R4.20).
final class Parking {
    private static final int FAILURES_MAX = 6;
    private static final int GIVEN_UP_MAX = 64;
    private static final Duration QUOTA_WAIT = Duration.ofMinutes(10);

    private final HistoricWork work;
    private final Link link;
    private final Batches batches;
    private final Rests rests;
    private int generation;
    private boolean hasDoubt;
    private boolean hasGap;

    Parking(HistoricWork work, Link link, Batches batches, Rests rests) {
        this.work = work;
        this.link = link;
        this.batches = batches;
        this.rests = rests;
    }

    /// Whether something of this epoch is not known to be here.
    boolean hasDoubt() {
        return hasDoubt;
    }

    /// Whether something was missed that nobody asks for any more.
    boolean hasGap() {
        return hasGap;
    }

    void beginEpoch() {
        hasDoubt = false;
    }

    /// All batches are gone.
    void clear() {
        hasGap = false;
        generation++;
    }

    void park(Batch batch) {
        boolean isRefused = batch.failures().stream().allMatch(Task::isRefused);
        if (!isRefused && !batch.isOnlyQuota() && batch.parkings() + 1 >= FAILURES_MAX) {
            giveUp(batch);
            return;
        }
        var time =
                isRefused ? rests.shortest(batch.failures()) : batch.isOnlyQuota() ? QUOTA_WAIT : batch.parkingTime();
        batch.park();
        link.note(new LinkNote.BatchEnded(batch.purpose(), "parked"));
        link.sweeps().parked(batch);
        if (!batch.isOver()) {
            retryAfter(time, batch);
        }
        link.look();
    }

    private void retryAfter(Duration time, Batch batch) {
        var at = generation;
        link.loop().after(time, () -> {
            if (at == generation && batch.state() == State.PARKED) {
                work.retry(batch);
            }
        });
    }

    /// It waits for the next epoch; ids have times of their own at which they are asked for again (R5.8). Of many that
    /// wait only the last are kept: what the others asked for stays marked as asked for.
    private void giveUp(Batch batch) {
        if (batch.purpose() == Purpose.REFETCH) {
            batch.unpark().forEach(Task::assumeEmpty);
            return;
        }
        batch.setState(State.GIVEN_UP);
        link.note(new LinkNote.BatchEnded(batch.purpose(), "parked"));
        batches.findGivenUpBefore(GIVEN_UP_MAX).ifPresent(oldest -> {
            hasDoubt = true;
            hasGap |= oldest.purpose() == Purpose.CATCHUP;
            drop(oldest);
        });
        link.look();
    }

    /// It is tried no more.
    void drop(Batch batch) {
        batch.failures().forEach(Task::abandon);
        batches.remove(batch);
        batch.setState(State.CANCELLED);
        link.note(new LinkNote.BatchEnded(batch.purpose(), "cancelled"));
    }

    /// Parked work of which nothing is wanted any more is dropped (R2.6).
    void dropUnwanted() {
        for (var batch : List.copyOf(batches.all())) {
            if (batch.isParked() && batch.isUnwanted(link.targets())) {
                drop(batch);
            }
        }
        link.look();
    }
}
