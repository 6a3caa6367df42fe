package dev.grapnel.server.ops;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.SyncPicture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks for a picture at most once a second, however many look: a picture costs the loop of sync time, and anybody may
/// open the page. Whoever comes while somebody is asking gets the last one at once.
public final class RecentSync implements SyncView {
    private static final Duration FRESH = Duration.ofSeconds(1);

    /// A loop that answers nobody for so long is not doing well, and old pictures must not say that it does.
    private static final Duration OLD = Duration.ofMinutes(1);

    private final SyncView source;
    private final LongSupplier nanoTime;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Taken last;
    private volatile @Nullable Long askedAt;

    private record Taken(SyncPicture picture, long at) {}

    /// @param nanoTime a clock that only runs forward
    public RecentSync(SyncView source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    @Override
    public Optional<SyncPicture> picture() {
        if (!isFresh()) {
            if (last == null) {
                askInTurn();
            } else {
                askUnlessAsked();
            }
        }
        var known = last;
        return known == null || nanoTime.getAsLong() - known.at() > OLD.toNanos()
                ? Optional.empty()
                : Optional.of(known.picture());
    }

    /// Nobody has anything to show yet.
    private void askInTurn() {
        asking.lock();
        try {
            ask();
        } finally {
            asking.unlock();
        }
    }

    private void askUnlessAsked() {
        if (asking.tryLock()) {
            try {
                ask();
            } finally {
                asking.unlock();
            }
        }
    }

    private boolean isFresh() {
        var before = askedAt;
        return before != null && nanoTime.getAsLong() - before < FRESH.toNanos();
    }

    private void ask() {
        if (!isFresh()) {
            source.picture().ifPresent(picture -> last = new Taken(picture, nanoTime.getAsLong()));
            askedAt = nanoTime.getAsLong();
        }
    }

    @Override
    public boolean isOn() {
        return source.isOn();
    }

    @Override
    public int compareNow(Optional<RemoteUrl> one) {
        return source.compareNow(one);
    }

    @Override
    public long inboundBytes() {
        return source.inboundBytes();
    }
}
