package dev.grapnel.purgatory.intake;

import dev.grapnel.git.repository.Staging;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.StagingOutcome;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What was pushed to refs of proposals and nobody has signed yet (service 6.4, purgatory P-240 to P-248).
///
/// It follows the store: whatever lets go of the last row that names an area, be it a release, a deletion, the
/// end of its time or an operator, has the area deleted as soon as that is durable. So nobody else deletes any.
public final class Uploads implements StagedObjects, Consumer<Happening>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);
    private static final int ID_DIGITS = 12;
    private static final long WARN_EVERY = Duration.ofMinutes(1).toNanos();

    private final UploadLimits limits;
    private final Consumer<StagingOutcome> counts;
    private final LongSupplier nanoTime;
    private final Areas areas;
    private final UploadFollower follower;
    private final ReentrantLock removal = new ReentrantLock();
    private final ReentrantLock warning = new ReentrantLock();
    private volatile @Nullable EventStore store;
    private volatile @Nullable Staging staging;
    private boolean isClosed;
    private boolean hasWarned;
    private long warnedAt;

    /// @param counts told what becomes of areas
    public Uploads(UploadLimits limits, Consumer<StagingOutcome> counts, LongSupplier nanoTime) {
        this.limits = limits;
        this.counts = counts;
        this.nanoTime = nanoTime;
        this.areas = new Areas(limits);
        this.follower = new UploadFollower(areas, this::removeSoon);
    }

    /// What the store must call.
    ///
    /// @param other who follows it besides
    public StoreFollower following(StoreFollower other) {
        return follower.before(other);
    }

    /// Hears why rows go, before it is told that they did.
    @Override
    public void accept(Happening happening) {
        if (happening instanceof Happening.UploadsForgotten(var count)) {
            for (int i = 0; i < count; i++) {
                counts.accept(StagingOutcome.CRASHED);
            }
        }
        follower.accept(happening);
    }

    /// Reads what there is, when rows and directories agree and before anything is pushed.
    public void load(EventStore records, Staging directories) throws IOException {
        var sizes = new HashMap<String, Long>();
        for (var name : directories.list()) {
            sizes.put(name, directories.bytes(name));
        }
        records.write(Urgency.WAITING, 0, transaction -> {
                    var rows = new HashMap<Areas.RowName, List<Upload>>();
                    for (var table : List.of(Table.PLACEHOLDERS, Table.HELD_PROPOSALS)) {
                        transaction.forEachRow(table, Bytes.EMPTY, row -> {
                            if (row instanceof Placeholder placeholder) {
                                rows.put(new Areas.RowName(placeholder.id(), true), placeholder.pushedTo());
                            } else if (row instanceof HeldProposal held
                                    && !held.pushedTo().isEmpty()) {
                                rows.put(new Areas.RowName(held.event().id(), false), held.pushedTo());
                            }
                        });
                    }
                    follower.load(rows);
                    return true;
                })
                .join();
        areas.count(sizes);
        store = records;
        staging = directories;
        removeAbandoned();
    }

    // ---- for those who look for objects

    @Override
    public List<Area> of(Identifier identifier) {
        return areas.complete(identifier);
    }

    @Override
    public List<String> lingering(EventId event) {
        return areas.lingering(event);
    }

    @Override
    public void judged(EventId event) {
        areas.judged(event);
        removeAbandoned();
    }

    @Override
    public void adopt(Map<EventId, Oid> pushed, RepositoryAddress repository, String area, Instant now)
            throws IOException {
        var records = Objects.requireNonNull(store, "nothing is adopted before uploads are read");
        var upload = adopted(repository, area);
        try {
            records.write(Urgency.WAITING, 0, transaction -> {
                        pushed.forEach((id, commit) ->
                                UploadRows.confirm(id, commit, upload, now, now.plus(limits.expiry()), transaction));
                        return true;
                    })
                    .join();
        } catch (CompletionException e) {
            throw new IOException("what the existing server had taken in could not be written down", e.getCause());
        }
        areas.count(Map.of(area, staging().bytes(area)));
    }

    /// Whose it was is not known, so it counts for the total only. It is confirmed as if it had just come.
    private static Upload adopted(RepositoryAddress repository, String area) {
        return new Upload(repository, Upload.Endpoint.REPOSITORY, new AreaName(area), true, "");
    }

    // ---- for those who push

    UploadLimits limits() {
        return limits;
    }

    Areas areas() {
        return areas;
    }

    Staging staging() {
        var opened = staging;
        if (opened == null) {
            throw new IllegalStateException("nothing is pushed before uploads are read");
        }
        return opened;
    }

    void count(StagingOutcome outcome) {
        counts.accept(outcome);
    }

    /// Somebody brings more than there is room for. Whoever floods us does not flood the log.
    void noteOverQuota(String limit) {
        counts.accept(StagingOutcome.OVER_QUOTA);
        warning.lock();
        try {
            long now = nanoTime.getAsLong();
            if (hasWarned && now - warnedAt < WARN_EVERY) {
                return;
            }
            hasWarned = true;
            warnedAt = now;
        } finally {
            warning.unlock();
        }
        LOG.warn("staging.over_quota limit=\"{}\" bytes={}", limit, areas.bytes());
    }

    static String start(EventId id) {
        return id.toHex().substring(0, ID_DIGITS);
    }

    // ---- deleting

    /// By the store's writer, which must not wait for a disk.
    private void removeSoon() {
        if (areas.hasDoomed()) {
            Thread.ofVirtual().name("staging-removal").start(this::removeAbandoned);
        }
    }

    /// Deletes what nobody needs any more, and returns when nothing of that is left.
    public void removeAbandoned() {
        removal.lock(); // so that whoever waits here knows that all of it is done
        try {
            var directories = staging;
            if (isClosed || directories == null) {
                return; // what is left is deleted by the next start
            }
            for (var next = areas.pollDoomed(); next.isPresent(); next = areas.pollDoomed()) {
                remove(next.get(), directories);
            }
        } finally {
            removal.unlock();
        }
    }

    private void remove(Areas.Doomed area, Staging directories) {
        try {
            directories.delete(area.name());
        } catch (IOException e) { // it goes on being counted, because it is there
            LOG.warn("staging area not deleted, the next start does it area={} reason={}", area.name(), e.toString());
            return;
        }
        LOG.debug(
                "{} event={} identifier={} bytes={} cause={}",
                area.cause().equals(StagingOutcome.PROMOTED.word()) ? "staging.promoted" : "staging.removed",
                start(area.id()),
                area.repository().identifier(),
                area.bytes(),
                area.cause());
        outcomeOf(area.cause()).ifPresent(counts);
        areas.forget(area.name());
    }

    /// What a push itself came to is counted where it is known.
    private static Optional<StagingOutcome> outcomeOf(String cause) {
        return List.of(StagingOutcome.PROMOTED, StagingOutcome.EXPIRED, StagingOutcome.MISMATCH).stream()
                .filter(outcome -> outcome.word().equals(cause))
                .findFirst();
    }

    // ---- how much there is

    /// Areas, receiving ones among them.
    public int count() {
        return areas.count();
    }

    /// What they take on disk.
    public long bytes() {
        return areas.bytes();
    }

    /// Deletes nothing more.
    @Override
    public void close() {
        removal.lock();
        try {
            isClosed = true;
        } finally {
            removal.unlock();
        }
    }

    /// What each area takes, for tests that compare it with the disk.
    Map<String, Long> sizes() throws IOException {
        var sizes = new HashMap<String, Long>();
        for (var name : areas.names()) {
            sizes.put(name, staging().bytes(name));
        }
        return sizes;
    }
}
