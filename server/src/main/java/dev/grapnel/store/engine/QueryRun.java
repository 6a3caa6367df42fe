package dev.grapnel.store.engine;

import dev.grapnel.store.EventQuery;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Answers one REQ block by block. Between blocks it may lose its snapshot; then it goes on from a fresh one
/// behind the last posting, leaving out what came after the commit it speaks of.
final class QueryRun implements EventQuery {
    private final TableEngine engine;
    private final InstantSource clock;
    private final StoreObserver observer;
    private final QueryRequest request;
    private final Steps steps;
    private final List<Lane> lanes;
    private final Merge merge;
    private final long commitNumber;
    /// Found, but not decided about: of hits that tie, all must be known.
    private final List<Hit> hits = new ArrayList<>();
    private @Nullable TableSnapshot snapshot;
    private int snapshots;
    private boolean opened;
    private boolean cut;

    /// A posting that was found, for which filters, in which snapshot.
    private record Hit(long high, long low, List<Lane> lanes, int snapshot) {}

    /// What a hit turned out to be.
    private record Candidate(Hit hit, EventRecord record) {}

    QueryRun(
            TableEngine engine,
            InstantSource clock,
            LongSupplier nanoTime,
            StoreObserver observer,
            QueryRequest request) {
        this.engine = engine;
        this.clock = clock;
        this.observer = observer;
        this.request = request;
        this.steps = new Steps(request.limits().stepsMax(), nanoTime);
        this.lanes = request.filters().stream()
                .map(filter -> new Lane(filter, request.limits().of(filter)))
                .toList();
        this.merge = new Merge(lanes, steps);
        var pinned = engine.pin();
        this.snapshot = pinned;
        this.commitNumber = Meta.NUMBER.read(pinned);
    }

    @Override
    public long commitNumber() {
        return commitNumber;
    }

    @Override
    public QueryStep next(int bytesMax, Duration slice) {
        steps.beginTurn(slice.toNanos());
        var block = new Block(bytesMax, clock.instant());
        while (true) {
            try {
                return fill(block, open());
            } catch (SnapshotEnded _) {
                pause(); // held for too long: go on from a fresh one
            }
        }
    }

    /// The snapshot, with the lists open on it.
    private TableSnapshot open() {
        var pinned = snapshot == null ? engine.pin() : snapshot;
        snapshot = pinned;
        if (!opened) {
            opened = true;
            snapshots++;
            merge.open(pinned);
        }
        return pinned;
    }

    private QueryStep fill(Block block, TableSnapshot tables) {
        while (true) {
            switch (merge.advance()) {
                case FOUND -> {
                    hits.add(new Hit(merge.high(), merge.low(), merge.lanes(), snapshots));
                    while (!isTie(hits.getFirst(), hits.getLast())) {
                        decideFirst(block, tables);
                    }
                    if (block.isFull() || steps.isTurnOver()) {
                        return new QueryStep.More(block.events);
                    }
                }
                case STOPPED -> {
                    return steps.areSpent()
                            ? new QueryStep.TookTooLong(block.events)
                            : new QueryStep.More(block.events);
                }
                case DONE -> {
                    while (!hits.isEmpty()) {
                        decideFirst(block, tables);
                    }
                    cut |= lanes.stream().anyMatch(Lane::isCut);
                    pause();
                    return new QueryStep.Done(block.events, !cut);
                }
            }
            if (steps.areSpent()) {
                return new QueryStep.TookTooLong(block.events);
            }
        }
    }

    private static boolean isTie(Hit left, Hit right) {
        return Posting.isTie(left.high, left.low, right.high, right.low);
    }

    /// Decides about the first hit and those that differ from it in their ids only. They are forgotten after
    /// they were read: the snapshot may end before.
    private void decideFirst(Block block, TableSnapshot tables) {
        int ties = 1;
        while (ties < hits.size() && isTie(hits.getFirst(), hits.get(ties))) {
            ties++;
        }
        if (ties == 1) {
            var candidate = load(hits.getFirst(), tables);
            hits.removeFirst();
            if (candidate != null) {
                send(candidate, block);
            }
        } else {
            var candidates = new ArrayList<Candidate>(ties);
            for (var hit : hits.subList(0, ties)) {
                var candidate = load(hit, tables);
                if (candidate != null) {
                    candidates.add(candidate);
                }
            }
            hits.subList(0, ties).clear();
            candidates.sort(
                    Comparator.comparing(candidate -> candidate.record.event().id()));
            candidates.forEach(candidate -> send(candidate, block));
        }
    }

    private @Nullable Candidate load(Hit hit, TableSnapshot tables) {
        long number = Posting.number(hit.low);
        if (number > commitNumber) {
            return null;
        }
        steps.take();
        var bytes = tables.find(Table.EVENTS, number);
        if (bytes == null) {
            if (hit.snapshot == snapshots) {
                observer.damaged("an index names event number " + number + ", which is not there");
            }
            return null;
        }
        try {
            var record = EventRecord.read(number, bytes);
            if (!record.fits(hit.high, hit.low)) {
                observer.damaged("an index names event number " + number + " with another date or id");
                return null;
            }
            return new Candidate(hit, record);
        } catch (StoreDamage damage) {
            observer.damaged(String.valueOf(damage.getMessage()));
            return null;
        }
    }

    private void send(Candidate candidate, Block block) {
        var record = candidate.record;
        if (record.isOver(block.now) || !maySee(record)) {
            return;
        }
        boolean wanted = false;
        for (var lane : candidate.hit.lanes) {
            if (!matches(candidate, lane)) {
                continue;
            }
            if (lane.isWanting()) {
                lane.take();
                wanted = true;
            } else {
                cut = true;
            }
        }
        if (wanted) {
            block.add(record.event());
        }
    }

    /// Lists of another snapshot may have been chosen otherwise, so what is left over from it is looked at.
    private boolean matches(Candidate candidate, Lane lane) {
        return candidate.hit.snapshot == snapshots
                ? lane.matches(candidate.record)
                : lane.filter().matches(candidate.record.event().read());
    }

    private boolean maySee(EventRecord record) {
        return !request.viewer().restrictedKinds().contains(record.kind())
                || request.viewer().maySee(record.event().read());
    }

    @Override
    public void pause() {
        if (snapshot != null) {
            snapshot.close();
            snapshot = null;
            opened = false;
        }
    }

    @Override
    public void close() {
        pause();
    }

    /// The events of one block.
    private static final class Block {
        private final List<StoredEvent> events = new ArrayList<>();
        private final int bytesMax;
        private final Instant now;
        private long bytes;

        Block(int bytesMax, Instant now) {
            this.bytesMax = bytesMax;
            this.now = now;
        }

        void add(StoredEvent event) {
            events.add(event);
            bytes += event.length();
        }

        boolean isFull() {
            return bytes >= bytesMax;
        }
    }
}
