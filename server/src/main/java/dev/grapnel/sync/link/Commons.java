package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// What all links share: the memory of comparisons (8.2), and ids that one of them has just asked for, which the others
/// need not (R5.6).
public final class Commons {
    private static final long VECTOR_BYTES_MAX = 256L << 20;
    private static final int CLAIMS_MAX = 200_000;
    private static final Duration CLAIM = Duration.ofSeconds(60);

    private final Scheduler loop;
    private final Map<EventId, Claim> claims = new LinkedHashMap<>();
    private long vectorBytes;

    private record Claim(long until, List<Consumer<EventId>> others) {}

    public Commons(Scheduler loop) {
        this.loop = loop;
    }

    /// Claims an id. If another link has it, that is told to the caller when its request is over.
    ///
    /// @return whether the caller shall ask for it
    boolean claim(EventId id, Consumer<EventId> later) {
        var present = claims.get(id);
        if (present != null && loop.nanos() < present.until()) {
            present.others().add(later);
            return false;
        }
        if (present == null && claims.size() >= CLAIMS_MAX) {
            return true; // asked for twice, at worst
        }
        var others = present == null ? new ArrayList<Consumer<EventId>>() : present.others();
        claims.remove(id);
        claims.put(id, new Claim(loop.nanos() + CLAIM.toNanos(), others));
        return true;
    }

    /// A request for an id is over, whatever came.
    void release(EventId id) {
        var claim = claims.remove(id);
        if (claim != null) {
            claim.others().forEach(other -> other.accept(id));
        }
    }

    /// Takes memory for a comparison.
    ///
    /// @return whether there is room
    boolean takeVector(long bytes) {
        if (vectorBytes > 0 && vectorBytes + bytes > VECTOR_BYTES_MAX) {
            return false;
        }
        vectorBytes += bytes;
        return true;
    }

    void releaseVector(long bytes) {
        vectorBytes -= bytes;
    }

    /// Memory of comparisons.
    public long vectorBytes() {
        return vectorBytes;
    }
}
