package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes deadlines anew when the wall clock was set while the process runs. Rows hold wall time, but what
/// counts here is the monotonic clock (P-720, P-721): without this a start would find that everything has
/// hours more than it had, or nothing at all.
final class ClockSteps {
    private static final Logger LOG = LoggerFactory.getLogger(ClockSteps.class);

    /// Less is not worth writing.
    private static final Duration STEP_MIN = Duration.ofSeconds(10);

    private final EventStore store;
    private final Pools pools;
    private final Timeline time;

    /// How far the wall clock was ahead when the rows were written; changed by the writer alone.
    private volatile Duration written;

    ClockSteps(EventStore store, Pools pools) {
        this.store = store;
        this.pools = pools;
        this.time = pools.time();
        this.written = time.ahead();
    }

    /// Returns when all rows say what the process thinks.
    void follow() {
        if (isSet()) {
            store.write(Urgency.WAITING, 0, transaction -> isSet() && rewrite(transaction))
                    .join();
        }
    }

    private Duration step() {
        return time.ahead().minus(written);
    }

    private boolean isSet() {
        return step().abs().compareTo(STEP_MIN) > 0;
    }

    private boolean rewrite(StoreTransaction transaction) {
        var step = step();
        for (var pool : pools.all()) {
            rewrite(pools.inTransaction(pool.identifier()), transaction);
        }
        pools.namelessProposals()
                .forEach(proposal -> transaction.amend(proposal.id(), proposal.terms(proposal.deadline(), time)));
        shiftPlaceholders(step, transaction);
        written = written.plus(step);
        LOG.warn("clock was set while running, deadlines follow by={}", step);
        return true;
    }

    private void rewrite(Pool pool, StoreTransaction transaction) {
        for (var entry : pool.announced()) {
            entry.held()
                    .filter(held -> held.deadline() != Timeline.NEVER)
                    .ifPresent(
                            held -> transaction.amend(held.voice().version().id(), held.terms(held.deadline(), time)));
        }
        pool.states().forEach(state -> transaction.amend(state.id(), state.terms(state.deadline(), time)));
        pool.proposals()
                .forEach(proposal -> transaction.amend(proposal.id(), proposal.terms(proposal.deadline(), time)));
    }

    /// Nobody remembers their moments, so those that came since the clock was set move as well; that is a
    /// minute's worth at most.
    private static void shiftPlaceholders(Duration step, StoreTransaction transaction) {
        var rows = new ArrayList<Placeholder>();
        transaction.forEachRow(Table.PLACEHOLDERS, Bytes.EMPTY, row -> rows.add((Placeholder) row));
        rows.forEach(row -> transaction.put(row.withExpiry(row.expiresAt().plus(step))));
    }
}
