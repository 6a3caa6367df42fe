package dev.grapnel.server;

import dev.grapnel.server.ops.DeletionCounters;
import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.Readiness.Reason;
import dev.grapnel.server.ops.TransactionCounters;
import dev.grapnel.store.engine.GateTally;
import dev.grapnel.store.engine.RequestTally;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TransactionKind;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the operator what the store meets, in the log, by `/health` and in figures.
final class StoreReports implements StoreObserver {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReports.class);

    private final Readiness readiness;
    private final DeletionCounters deletions;
    private final TransactionCounters transactions;

    StoreReports(Readiness readiness, DeletionCounters deletions, TransactionCounters transactions) {
        this.transactions = transactions;
        this.readiness = readiness;
        this.deletions = deletions;
    }

    @Override
    public void damaged(String where) {
        LOG.error("store damaged what={}", where);
    }

    @Override
    public void setAside(String row, String file) {
        LOG.error("damaged row set aside row={} file={}", row, file);
    }

    @Override
    public void refusing(String reason) {
        readiness.begin(Reason.STORE_READ_ONLY);
        LOG.error("store cannot be written to reason={}", reason);
    }

    @Override
    public void writing() {
        readiness.end(Reason.STORE_READ_ONLY);
        LOG.info("store can be written to again");
    }

    @Override
    public void compacted() {
        LOG.info("store compacted");
    }

    @Override
    public void compactionFailed(String reason) {
        LOG.warn("store not compacted reason={}", reason);
    }

    @Override
    public void gatesChanged(GateTally tally) {
        deletions.gatesChanged(tally);
    }

    @Override
    public void committed(List<TransactionKind> kinds, Duration took) {
        kinds.forEach(kind -> transactions.committed(kind, took));
    }

    @Override
    public void ageingBegun() {
        deletions.passed();
    }

    @Override
    public void requestsAged(RequestTally tally) {
        deletions.aged(tally);
    }

    @Override
    public void ageingFailed(String reason) {
        deletions.failed();
        LOG.warn("deletion requests not all looked through, the next pass tries again reason={}", reason);
    }
}
