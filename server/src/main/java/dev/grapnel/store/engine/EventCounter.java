package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.HyperLogLog;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Counts and lists what filters match on one snapshot, from posting lists alone: an event itself is looked at
/// only where lists cannot tell whether it matches or may be seen.
final class EventCounter {
    private final TableSnapshot tables;
    private final Viewer viewer;
    private final LongSupplier nanoTime;
    private final Set<Long> expired;
    private final boolean restricts;

    EventCounter(TableSnapshot tables, Viewer viewer, Instant now, LongSupplier nanoTime) {
        this.tables = tables;
        this.viewer = viewer;
        this.nanoTime = nanoTime;
        this.expired = expired(tables, now);
        this.restricts = viewer.restrictedKinds().stream()
                .anyMatch(kind -> !tables.postings(Table.KINDS, Keys.kind(kind)).isDone());
    }

    /// Events that are over but not removed yet: at most those of a minute.
    private static Set<Long> expired(TableSnapshot tables, Instant now) {
        var numbers = new HashSet<Long>();
        var lists = tables.lists(Table.EXPIRIES, new byte[0]);
        while (lists.next() && Keys.number(lists.key()) <= now.getEpochSecond()) {
            for (var postings = lists.postings(); !postings.isDone(); postings.next()) {
                numbers.add(Posting.number(postings.low()));
            }
        }
        return numbers;
    }

    /// Receives a match; false ends the walk.
    @FunctionalInterface
    private interface Match {
        boolean at(long high, long low, @Nullable EventRecord record);
    }

    /// A posting that was found, and for which filters.
    private record Hit(long high, long low, List<Lane> lanes) {
        boolean isTie(Hit other) {
            return Posting.isTie(high, low, other.high, other.low);
        }
    }

    EventCount count(CountRequest request) {
        var registers = request.registers() && request.filters().size() == 1
                ? HyperLogLog.findFor(request.filters().getFirst())
                : Optional.<HyperLogLog>empty();
        var tally = new Tally(request.countMax());
        var steps = new Steps(request.stepsMax(), nanoTime);
        boolean finished = walk(request.filters(), steps, registers.isPresent(), (_, _, record) -> {
            if (record != null) {
                registers.ifPresent(counter -> counter.add(record.event().author()));
            }
            return tally.add();
        });
        if (!finished && !tally.isFull()) {
            return new EventCount.TookTooLong();
        }
        return new EventCount.Counted(tally.count, tally.isFull(), registers.map(HyperLogLog::registers));
    }

    ItemsOutcome items(Filter filter, int itemsMax) {
        var builder = NegentropyItems.builder(1_024, itemsMax);
        boolean finished = walk(
                List.of(filter),
                new Steps(Long.MAX_VALUE, nanoTime),
                false,
                (high, low, _) -> builder.add(Posting.createdAt(high), idOf(Posting.number(low))));
        return finished ? new ItemsOutcome.Items(builder.seal()) : new ItemsOutcome.TooMany(itemsMax);
    }

    private EventId idOf(long number) {
        var id = tables.find(Table.NUMBERS, number);
        if (id == null || id.length != EventId.BYTES) {
            throw new StoreDamage("event number " + number + " has no id");
        }
        return EventId.of(id, 0);
    }

    private boolean walk(List<Filter> filters, Steps steps, boolean needsRecord, Match match) {
        var lanes = filters.stream()
                .map(filter -> new Lane(filter, filter.limit().orElse(Long.MAX_VALUE)))
                .toList();
        var ties = new ArrayList<Hit>();
        var merge = new Merge(lanes, steps);
        merge.open(tables);
        while (true) {
            switch (merge.advance()) {
                case DONE -> {
                    return visit(ties, needsRecord, match);
                }
                case STOPPED -> {
                    return false;
                }
                case FOUND -> {
                    var hit = new Hit(merge.high(), merge.low(), merge.lanes());
                    boolean isTie = !ties.isEmpty() && ties.getFirst().isTie(hit);
                    if (!isTie && !visit(ties, needsRecord, match)) {
                        return false;
                    }
                    ties.add(hit);
                }
            }
        }
    }

    /// Visits hits that differ in their ids only, in order, and forgets them: a limit may cut between them.
    private boolean visit(List<Hit> ties, boolean needsRecord, Match match) {
        if (ties.size() > 1) {
            ties.sort(Comparator.comparing(hit -> idOf(Posting.number(hit.low))));
        }
        for (var hit : ties) {
            if (!visit(hit, needsRecord, match)) {
                return false;
            }
        }
        ties.clear();
        return true;
    }

    private boolean visit(Hit hit, boolean needsRecord, Match match) {
        long number = Posting.number(hit.low);
        if (expired.contains(number)) {
            return true;
        }
        boolean reads = needsRecord || restricts || hit.lanes.stream().anyMatch(Lane::checks);
        var record = reads ? read(number) : null;
        if (record != null && !maySee(record)) {
            return true;
        }
        boolean wanted = false;
        for (var lane : hit.lanes) {
            if (lane.isWanting() && (record == null || lane.matches(record))) {
                lane.take();
                wanted = true;
            }
        }
        return !wanted || match.at(hit.high, hit.low, record);
    }

    private EventRecord read(long number) {
        var bytes = tables.find(Table.EVENTS, number);
        if (bytes == null) {
            throw new StoreDamage("an index names event number " + number + ", which is not there");
        }
        return EventRecord.read(number, bytes);
    }

    private boolean maySee(EventRecord record) {
        return !viewer.restrictedKinds().contains(record.kind())
                || viewer.maySee(record.event().read());
    }

    /// Counts up to a limit.
    private static final class Tally {
        private final long most;
        private long count;
        private boolean full;

        Tally(long most) {
            this.most = most;
        }

        boolean add() {
            full = count == most;
            count = Math.min(count + 1, most);
            return !full;
        }

        boolean isFull() {
            return full;
        }
    }
}
