package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Targets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is asked for and confirmed together (R1.8, R1.9): one chunk with its filters. Some of its tasks may be done
/// while
/// others failed; it is confirmed when all are done.
final class Batch {
    private static final Duration PARKING = Duration.ofSeconds(60);
    private static final Duration PARKING_MAX = Duration.ofHours(1);

    private final long id;
    private final Purpose purpose;
    private final List<Chunk> chunks;
    private final boolean isIncremental;
    private final long startedAt;
    private final List<Task> open = new ArrayList<>(4);
    private final List<Task> failed = new ArrayList<>(0);
    private State state = State.QUEUED;
    private boolean isDoubtful;
    private boolean isOnlyQuota = true;
    private int parkings;
    private int askedAfter;

    /// Where it stands.
    enum State {
        /// Waits for its live filters, or for a slot.
        QUEUED,
        RUNNING,
        /// Something failed and is tried again later.
        PARKED,
        /// Something failed too often; the next epoch begins anew.
        GIVEN_UP,
        CONFIRMED,
        CANCELLED
    }

    /// @param chunks what is confirmed with it
    /// @param isIncremental whether it came up on a connection that was complete before
    Batch(long id, Purpose purpose, List<Chunk> chunks, boolean isIncremental, long startedAt) {
        this.id = id;
        this.purpose = purpose;
        this.chunks = List.copyOf(chunks);
        this.isIncremental = isIncremental;
        this.startedAt = startedAt;
    }

    long id() {
        return id;
    }

    Purpose purpose() {
        return purpose;
    }

    List<Chunk> chunks() {
        return chunks;
    }

    /// By which [Demand] knows what of it counts.
    int askedAfter() {
        return askedAfter;
    }

    void setAskedAfter(int resets) {
        askedAfter = resets;
    }

    boolean isIncremental() {
        return isIncremental;
    }

    long startedAt() {
        return startedAt;
    }

    State state() {
        return state;
    }

    void setState(State next) {
        state = next;
    }

    boolean isOver() {
        return state == State.CONFIRMED || state == State.CANCELLED;
    }

    /// Whether it keeps the link from being complete (R4.1).
    boolean isUnderWay() {
        return state == State.QUEUED || state == State.RUNNING;
    }

    void add(Task task) {
        open.add(task);
    }

    /// A task is done, or others took its place.
    void remove(Task task) {
        open.remove(task);
    }

    /// A task failed; it is kept for later.
    void fail(Task task, boolean isQuota) {
        if (open.remove(task)) {
            failed.add(task);
            task.setAside(true);
            isOnlyQuota &= isQuota;
        }
    }

    /// Whether nothing is left to wait for.
    boolean isSettled() {
        return open.isEmpty();
    }

    boolean hasFailures() {
        return !failed.isEmpty();
    }

    List<Task> tasks() {
        return List.copyOf(open);
    }

    List<Task> failures() {
        return List.copyOf(failed);
    }

    /// What failed is tried again.
    List<Task> unpark() {
        var again = List.copyOf(failed);
        failed.clear();
        again.forEach(task -> task.setAside(false));
        open.addAll(again);
        isOnlyQuota = true;
        state = State.QUEUED;
        return again;
    }

    /// One more parking; those for want of quota do not count (R7.14a).
    int park() {
        state = State.PARKED;
        return isOnlyQuota ? parkings : ++parkings;
    }

    int parkings() {
        return parkings;
    }

    /// How long it is parked the next time (R4.16).
    Duration parkingTime() {
        var time = PARKING.multipliedBy(1L << Math.min(parkings, 10));
        return time.compareTo(PARKING_MAX) > 0 ? PARKING_MAX : time;
    }

    /// Whether it failed and waits, for a while or for the next epoch.
    boolean isParked() {
        return state == State.PARKED || state == State.GIVEN_UP;
    }

    /// Whether nothing of what it asks for is wanted now.
    boolean isUnwanted(Targets targets) {
        return !chunks.isEmpty()
                && chunks.stream()
                        .allMatch(chunk -> chunk.layer() != Layer.ANNOUNCEMENTS
                                && chunk.values(targets).isEmpty());
    }

    boolean isOnlyQuota() {
        return isOnlyQuota;
    }

    void doubt() {
        isDoubtful = true;
    }

    boolean isDoubtful() {
        return isDoubtful;
    }
}
