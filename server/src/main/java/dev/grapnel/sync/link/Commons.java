package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// What all links share: the memory of comparisons, of what they name and of prefixes (8.2), and ids that one of them
/// has just asked for, which the others need not (R5.6).
public final class Commons {
    /// What all of sync may take (8.1).
    private static final long MEMORY_MAX = 2L << 30;

    /// The limits of what grows independently of tables (8.2): inbound buffers, refused events, seen ids, links and
    /// repositories, ids that comparisons named.
    private static final long ELSEWHERE = (256L + 188 + 36 + 150 + 64) << 20;

    /// A prefix, with the room between them.
    private static final int PREFIX_BYTES = 12;

    private static final long VECTOR_BYTES_MAX = 256L << 20;
    private static final long VECTOR_BYTES_LEAST = 32L << 20;
    private static final int NAMED_MAX = 1_000_000;
    private static final int CLAIMS_MAX = 200_000;

    /// R5.6 has 60 s: so long a relay that names what it does not send would keep others' history back.
    private static final Duration CLAIM = Duration.ofSeconds(10);

    private final Scheduler loop;
    private final LongSupplier tableBytes;
    private final Room prefixes;
    private final Room named = new Room(NAMED_MAX);
    private final SequencedMap<EventId, Claim> claims = new LinkedHashMap<>();
    private boolean isExpiring;
    private long vectorBytes;

    private record Claim(long until, List<Consumer<EventId>> others) {}

    /// @param prefixesMax threads at relays of which it is known how far they were asked for
    /// @param tableBytes what the tables of the index take now
    public Commons(Scheduler loop, int prefixesMax, LongSupplier tableBytes) {
        this.loop = loop;
        this.tableBytes = tableBytes;
        this.prefixes = new Room(prefixesMax);
    }

    /// Claims an id. If another link has it, that is told to the caller when its request is over, or takes too long.
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
        expireLater();
        return true;
    }

    private void expireLater() {
        if (!isExpiring && !claims.isEmpty()) {
            isExpiring = true;
            long left = claims.firstEntry().getValue().until() - loop.nanos();
            loop.after(Duration.ofNanos(Math.max(0, left)), this::expire);
        }
    }

    /// What takes too long is not waited for any more.
    private void expire() {
        isExpiring = false;
        while (!claims.isEmpty() && claims.firstEntry().getValue().until() - loop.nanos() <= 0) {
            release(claims.firstEntry().getKey());
        }
        expireLater();
    }

    /// Whether some link is asking for it just now.
    boolean isClaimed(EventId id) {
        var present = claims.get(id);
        return present != null && loop.nanos() < present.until();
    }

    /// A request for an id is over, whatever came.
    void release(EventId id) {
        var claim = claims.remove(id);
        if (claim != null) {
            claim.others().forEach(other -> other.accept(id));
        }
    }

    /// Room for how far threads were asked for, confirmed and streamed.
    Room prefixes() {
        return prefixes;
    }

    /// Room for ids that comparisons named and that did not come yet.
    Room named() {
        return named;
    }

    /// So many there are.
    public int prefixCount() {
        return prefixes.taken();
    }

    /// Takes memory for a comparison. What tables leave of all that sync may take is for comparisons; a large index
    /// lets fewer of them run at a time, and the others wait.
    ///
    /// @return whether there is room
    boolean takeVector(long bytes) {
        if (vectorBytes > 0 && vectorBytes + bytes > vectorBytesMax()) {
            return false;
        }
        vectorBytes += bytes;
        return true;
    }

    private long vectorBytesMax() {
        long prefixBytes = (long) prefixes.taken() * PREFIX_BYTES;
        long left = MEMORY_MAX - ELSEWHERE - tableBytes.getAsLong() - prefixBytes;
        return Math.clamp(left, VECTOR_BYTES_LEAST, VECTOR_BYTES_MAX);
    }

    void releaseVector(long bytes) {
        vectorBytes -= bytes;
    }

    /// Memory of comparisons.
    public long vectorBytes() {
        return vectorBytes;
    }
}
