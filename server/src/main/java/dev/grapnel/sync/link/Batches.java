package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Batch.State;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/// Batches of one relay that are in flight, parked or given up.
final class Batches {
    private final Map<Long, Batch> all = new LinkedHashMap<>();
    private long serial;

    Batch add(Purpose purpose, List<Chunk> chunks, boolean isIncremental, long now) {
        var batch = new Batch(++serial, purpose, chunks, isIncremental, now);
        all.put(batch.id(), batch);
        return batch;
    }

    void remove(Batch batch) {
        all.remove(batch.id());
    }

    void clear() {
        all.clear();
    }

    Collection<Batch> all() {
        return Collections.unmodifiableCollection(all.values());
    }

    int size() {
        return all.size();
    }

    int count(Predicate<Batch> which) {
        return (int) all.values().stream().filter(which).count();
    }

    int count(State state) {
        return count(batch -> batch.state() == state);
    }

    int count(Purpose purpose) {
        return count(batch -> batch.purpose() == purpose);
    }

    /// Those of a purpose that run or wait for their turn.
    int underWay(Purpose purpose) {
        return count(batch -> batch.isUnderWay() && batch.purpose() == purpose);
    }

    boolean hasAny(Predicate<Batch> which) {
        return all.values().stream().anyMatch(which);
    }

    boolean areAllParked() {
        return all.values().stream().allMatch(Batch::isParked);
    }

    boolean areAllRefused() {
        return !all.isEmpty() && all.values().stream().allMatch(Batches::isRefused);
    }

    /// Those in which the relay refused something, and nothing else keeps them from being over.
    List<Batch> refused() {
        return all.values().stream().filter(Batches::isRefused).toList();
    }

    private static boolean isRefused(Batch batch) {
        return batch.state() == State.PARKED && batch.failures().stream().allMatch(Task::isRefused);
    }

    /// The oldest that was given up, unless so many or less were.
    Optional<Batch> findGivenUpBefore(int last) {
        var givenUp = all.values().stream()
                .filter(batch -> batch.state() == State.GIVEN_UP)
                .toList();
        return givenUp.size() > last ? Optional.of(givenUp.getFirst()) : Optional.empty();
    }

    /// When the oldest began of those that are under way.
    OptionalLong oldest() {
        return all.values().stream()
                .filter(Batch::isUnderWay)
                .mapToLong(Batch::startedAt)
                .min();
    }
}
