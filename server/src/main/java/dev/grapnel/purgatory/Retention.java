package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashRecord;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends what is kept only for a time: trash, withdrawn repositories, the memory of expired events (service
/// 4.9, purgatory P-252).
final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int CHUNK = 500;
    private static final int DORMANT_PER_AUTHOR = 20;

    private final EventStore store;
    private final Pools pools;
    private final RepositoryKeeper keeper;
    private final PurgatoryConfig config;
    private volatile long dormantCount;

    /// What a pass has ended.
    ///
    /// @param repositories deleted for good
    /// @param events that will not come back
    record Ended(int repositories, int events) {}

    Retention(EventStore store, Pools pools, RepositoryKeeper keeper, PurgatoryConfig config) {
        this.store = store;
        this.pools = pools;
        this.keeper = keeper;
        this.config = config;
    }

    /// Looks through everything.
    Ended cleanUp() {
        int repositories = endStandings();
        purgeTrash();
        int events =
                remove(Table.TRASHED_EVENTS, row -> ((TrashedEvent) row).since().isBefore(oldest()));
        remove(Table.TRASH, row -> ((TrashRecord) row).until().isBefore(now()));
        boundExpired();
        return new Ended(repositories, events);
    }

    private Instant now() {
        return pools.time().wall();
    }

    private Instant oldest() {
        return now().minus(config.retention());
    }

    private int endStandings() {
        var over = find(Table.REPOSITORIES, row -> ((Standing) row).since().isBefore(oldest()));
        int ended = 0;
        for (var row : over) {
            var standing = (Standing) row;
            switch (standing.phase()) {
                case HOSTED -> {}
                case WITHDRAWN -> endWithdrawal(standing);
                case TRASHED, DOOMED -> ended += endTrash(standing) ? 1 : 0;
            }
        }
        return ended;
    }

    private void endWithdrawal(Standing standing) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    boolean isStill = transaction
                            .findRow(standing.table(), standing.key())
                            .filter(standing::equals)
                            .isPresent();
                    if (isStill) {
                        transaction.put(Standing.offline(
                                standing.repository(), Standing.Cause.WITHDRAWAL_ENDED, now(), Optional.empty()));
                    }
                    return isStill;
                })
                .join();
        keeper.tend(standing.repository());
        LOG.info("withdrawn repository deleted repository={}", standing.repository());
    }

    private boolean endTrash(Standing standing) {
        return keeper.holding(standing.repository().identifier(), () -> {
            try {
                boolean isStill = store.read(view -> view.findRow(standing.table(), standing.key()))
                        .filter(standing::equals)
                        .isPresent();
                if (isStill) {
                    keeper.purge(standing.repository());
                    store.write(Urgency.WAITING, 0, transaction -> transaction.remove(standing.table(), standing.key()))
                            .join();
                }
                return isStill;
            } catch (IOException e) {
                LOG.warn("trash not deleted repository={} reason={}", standing.repository(), e.toString());
                return false;
            }
        });
    }

    /// Repositories whose address has another one by now.
    private void purgeTrash() {
        try {
            keeper.purgeTrash(oldest());
        } catch (IOException e) {
            LOG.warn("trash not looked through reason={}", e.toString());
        }
    }

    private interface Question {
        boolean ask(Row row);
    }

    private List<Row> find(Table table, Question question) {
        return store.read(view -> {
            var found = new ArrayList<Row>();
            view.forEachRow(table, Bytes.EMPTY, row -> {
                if (question.ask(row)) {
                    found.add(row);
                }
            });
            return found;
        });
    }

    private int remove(Table table, Question question) {
        var keys = find(table, question).stream().map(Row::key).toList();
        removeAll(table, keys);
        return keys.size();
    }

    private void removeAll(Table table, List<Bytes> keys) {
        for (int from = 0; from < keys.size(); from += CHUNK) {
            var some = keys.subList(from, Math.min(from + CHUNK, keys.size()));
            store.write(Urgency.WAITING, 0, transaction -> {
                        some.forEach(key -> transaction.remove(table, key));
                        return some.size();
                    })
                    .join();
        }
    }

    // ---- expired memory

    /// What is remembered of one expired event, without the whole row.
    ///
    /// @param isIdle whether nothing is looked for any more, though it is remembered what was missing
    private record Memory(EventId id, Instant first, Instant last, Optional<PublicKey> dormantOf, boolean isIdle) {}

    /// Forgets what is too old or too much, the oldest first (P-121, P-123).
    void boundExpired() {
        if (store.read(view -> view.count(Table.EXPIRED_EVENTS)) == 0) {
            dormantCount = 0;
            return;
        }
        var memories = new ArrayList<>(store.read(this::memories));
        memories.sort(Comparator.comparing(Memory::last));
        var end = now().minus(config.expiredTime());
        var forgotten = new ArrayList<Bytes>();
        long surplus = memories.size() - config.expiredMax();
        for (var memory : memories) {
            if (!memory.first().isAfter(end) || surplus > 0) {
                forgotten.add(RowKeys.event(memory.id()));
                surplus--;
            }
        }
        removeAll(Table.EXPIRED_EVENTS, forgotten);
        boundDormant(memories);
    }

    private List<Memory> memories(StoreView view) {
        var memories = new ArrayList<Memory>();
        view.forEachRow(Table.EXPIRED_EVENTS, Bytes.EMPTY, row -> {
            var expired = (ExpiredEvent) row;
            memories.add(new Memory(
                    expired.id(),
                    expired.firstExpiredAt(),
                    expired.expiredAt(),
                    expired.dormant().map(Dormant::author),
                    expired.dormant()
                            .filter(found -> isIdle(expired, found, view))
                            .isPresent()));
        });
        return memories;
    }

    /// A state that its author has replaced, or taken back by its address, is not worth looking for.
    private boolean isIdle(ExpiredEvent expired, Dormant dormant, StoreView view) {
        if (expired.kind() != Kinds.STATE) {
            return false;
        }
        var version = new Version(dormant.createdAt(), expired.id());
        var identifier = dormant.identifiers().getFirst();
        var address = new Address(Kinds.STATE, dormant.author(), identifier.text());
        return pools.of(identifier).statesOf(dormant.author()).stream()
                        .anyMatch(state -> state.version().isNewerThan(version))
                || view.findCurrent(address)
                        .filter(served -> served.version().isNewerThan(version))
                        .isPresent()
                || view.isDeleted(address, dormant.createdAt());
    }

    /// Expired events of which it is remembered what was missing, when it was last looked.
    long dormantCount() {
        return dormantCount;
    }

    /// From the youngest on, as many as may be stay.
    private void boundDormant(List<Memory> memories) {
        Map<PublicKey, Integer> perAuthor = new HashMap<>();
        long kept = 0;
        var bare = new ArrayList<EventId>();
        for (var memory : memories.reversed()) {
            if (memory.dormantOf().isPresent()) {
                int ofAuthor =
                        memory.isIdle() ? 0 : perAuthor.merge(memory.dormantOf().get(), 1, Integer::sum);
                if (memory.isIdle() || ofAuthor > DORMANT_PER_AUTHOR || kept >= config.dormantMax()) {
                    bare.add(memory.id());
                } else {
                    kept++;
                }
            }
        }
        dormantCount = kept;
        for (int from = 0; from < bare.size(); from += CHUNK) {
            var some = bare.subList(from, Math.min(from + CHUNK, bare.size()));
            store.write(Urgency.WAITING, 0, transaction -> {
                        some.forEach(id -> transaction
                                .findRow(Table.EXPIRED_EVENTS, RowKeys.event(id))
                                .ifPresent(row -> transaction.put(((ExpiredEvent) row).withoutDormant())));
                        return some.size();
                    })
                    .join();
        }
    }
}
