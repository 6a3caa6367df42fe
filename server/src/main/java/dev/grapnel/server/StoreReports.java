package dev.grapnel.server;

import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.Readiness.Reason;
import dev.grapnel.store.engine.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the operator what the store meets, in the log and by `/health`.
final class StoreReports implements StoreObserver {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReports.class);

    private final Readiness readiness;

    StoreReports(Readiness readiness) {
        this.readiness = readiness;
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
}
