package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.RefusedEvent.Reason;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Everything that was refused, by id, and what it waits for (the cold tier of R7.15): a ring of slots in the order of
/// refusal, in which a new entry takes the place of the oldest. What leaves early leaves a gap until the ring has come
/// round. A slot stays with its entry, and chunks of slots are what is written down.
final class RefusedIndex {
    private static final Map<Integer, Reason> REASONS = reasons();

    /// One relay has one of them of all that events wait for.
    private static final int SHARES = 4;

    private final int max;
    private final KeyHash hashes;
    private final IntConsumer ousted;
    private final @Nullable RefusedChunk[] chunks;
    private final SlotIndex ids = new SlotIndex(this::hash);
    private final int waitsMax;
    private final Waits waits;
    private final Waiters waiters;
    private final Sources sources = new Sources();
    private final int[] groups = new int[RefusedEntry.GROUPS];
    private final BitSet changed = new BitSet();
    private final Map<EventType, Integer> coldCounts = new EnumMap<>(EventType.class);
    private final Map<Reason, Integer> reasonCounts = new EnumMap<>(Reason.class);

    /// Number of the next entry, and of the oldest that may be there.
    private long next;

    private long oldest;
    private int count;

    /// @param ousted told of an entry that must make room, while it can still be read
    RefusedIndex(int max, int waitsMax, KeyHash hashes, IntConsumer ousted) {
        this.max = max;
        this.hashes = hashes;
        this.ousted = ousted;
        this.chunks = new RefusedChunk[(max + RefusedChunk.SIZE - 1) / RefusedChunk.SIZE];
        this.waitsMax = waitsMax;
        this.waits = new Waits(waitsMax);
        this.waiters = new Waiters(chunks.length);
    }

    private static Map<Integer, Reason> reasons() {
        var all = new HashMap<Integer, Reason>();
        Arrays.stream(Reason.values()).forEach(reason -> all.put(reason.code(), reason));
        return Map.copyOf(all);
    }

    // ---- entries

    /// The slot of an id; -1 if it is not here.
    int find(EventId id) {
        return ids.find(hashes.of(id), slot -> is(slot, id));
    }

    /// Takes a refusal in; the oldest makes room. Its id must not be here.
    ///
    /// @param keys hashes of what it waits for
    void add(RefusedEntry entry, long[] keys) {
        makeRoom(entry.relay(), keys.length);
        int slot = (int) (next % max);
        if (next - oldest == max) {
            oustOldest();
        }
        if (isLive(slot)) { // only if an earlier process wrote down less than it had
            oust(slot);
        }
        next++;
        put(slot, entry, keys);
    }

    /// Makes room for what an event waits for. A relay has a quarter of it, and beyond that only its own events go;
    /// nobody goes who waits for nothing.
    private void makeRoom(String relay, int rows) {
        int source = sources.find(relay);
        while (!isWithinShare(source, rows)) {
            oust(waiters.first(source));
        }
        int from = (int) (oldest % max);
        while (!waits.hasRoomFor(rows)) {
            from = waiters.next(from);
            oust(from);
        }
    }

    private boolean isWithinShare(int source, int rows) {
        int taken = waiters.rows(source);
        return rows == 0 || taken == 0 || taken + rows <= waitsMax / SHARES;
    }

    /// Puts a refusal of an earlier process where it was; false if there is no room for it.
    boolean restore(int slot, RefusedEntry entry, long[] keys) {
        boolean hasRoom = waits.hasRoomFor(keys.length) && isWithinShare(sources.find(entry.relay()), keys.length);
        if (slot >= max || isLive(slot) || find(entry.id()) >= 0 || !hasRoom) {
            return false;
        }
        put(slot, entry, keys);
        return true;
    }

    /// Goes on where an earlier process was.
    void resume(long earlierNext) {
        next = Math.max(next, earlierNext);
        oldest = Math.max(0, next - max);
    }

    private void put(int slot, RefusedEntry entry, long[] keys) {
        var chunk = chunkOf(slot);
        int at = slot % RefusedChunk.SIZE;
        writeId(chunk, at, entry.id());
        chunk.flags[at] = (byte) (RefusedChunk.IS_LIVE | (entry.isCold() ? RefusedChunk.IS_COLD : 0));
        chunk.reasons[at] = (byte) entry.reason().code();
        chunk.attempts[at] = (byte) Math.min(entry.attempts(), Byte.MAX_VALUE);
        chunk.kinds[at] = (char) entry.kind();
        chunk.createdAt[at] = seconds(entry.createdAt());
        chunk.refusedAt[at] = seconds(entry.refusedAt().getEpochSecond());
        chunk.until[at] = seconds(entry.until().getEpochSecond());
        chunk.sources[at] = sources.take(entry.relay());
        chunk.groups[at] = entry.group();
        int row = Waits.NONE;
        for (long key : keys) {
            row = waits.add(key, slot, row);
        }
        chunk.waits[at] = row;
        if (keys.length > 0) {
            waiters.add(slot, chunk.sources[at], keys.length);
        }
        ids.add(hash(slot), slot);
        count(slot, 1);
    }

    private RefusedChunk chunkOf(int slot) {
        int number = slot / RefusedChunk.SIZE;
        var chunk = chunks[number];
        if (chunk == null) {
            chunk = new RefusedChunk();
            chunks[number] = chunk;
        }
        return chunk;
    }

    private static void writeId(RefusedChunk chunk, int at, EventId id) {
        chunk.ids[4 * at] = id.a();
        chunk.ids[4 * at + 1] = id.b();
        chunk.ids[4 * at + 2] = id.c();
        chunk.ids[4 * at + 3] = id.d();
    }

    /// Takes an entry out.
    ///
    /// @return for how many things it waited
    int remove(int slot) {
        ids.remove(hash(slot), slot);
        count(slot, -1);
        var chunk = chunkOf(slot);
        int at = slot % RefusedChunk.SIZE;
        int waited = waits.removeAll(chunk.waits[at]);
        if (waited > 0) {
            waiters.remove(slot, chunk.sources[at], waited);
        }
        sources.release(chunk.sources[at]);
        chunk.flags[at] = 0;
        return waited;
    }

    private void count(int slot, int step) {
        count += step;
        reasonCounts.merge(reason(slot), step, Integer::sum);
        int group = chunkOf(slot).groups[slot % RefusedChunk.SIZE];
        if (group >= 0) {
            groups[group] += step;
        }
        if (isCold(slot)) {
            coldCounts.merge(type(slot), step, Integer::sum);
            changed.set(slot / RefusedChunk.SIZE);
        }
    }

    private void oustOldest() {
        int slot = (int) (oldest % max);
        oldest++;
        if (isLive(slot)) {
            oust(slot);
        }
    }

    private void oust(int slot) {
        ousted.accept(slot);
        remove(slot);
    }

    /// Takes out what is over, beginning with the oldest.
    ///
    /// @param looksMax how many slots to look at
    /// @param expired told of each while it can still be read
    /// @return whether everything that is left is younger
    boolean expire(Instant now, int looksMax, IntConsumer expired) {
        for (int looks = 0; looks < looksMax && oldest < next; looks++) {
            int slot = (int) (oldest % max);
            if (isLive(slot) && !isOver(slot, now)) {
                return true;
            }
            if (isLive(slot)) {
                expired.accept(slot);
                remove(slot);
            }
            oldest++;
        }
        return oldest >= next;
    }

    // ---- what an entry says

    boolean isLive(int slot) {
        var chunk = chunks[slot / RefusedChunk.SIZE];
        return chunk != null && (chunk.flags[slot % RefusedChunk.SIZE] & RefusedChunk.IS_LIVE) != 0;
    }

    boolean isCold(int slot) {
        return (chunkOf(slot).flags[slot % RefusedChunk.SIZE] & RefusedChunk.IS_COLD) != 0;
    }

    boolean isOver(int slot, Instant now) {
        return Integer.toUnsignedLong(chunkOf(slot).until[slot % RefusedChunk.SIZE]) <= now.getEpochSecond();
    }

    EventId id(int slot) {
        var words = chunkOf(slot).ids;
        int at = slot % RefusedChunk.SIZE * 4;
        return new EventId(words[at], words[at + 1], words[at + 2], words[at + 3]);
    }

    Reason reason(int slot) {
        return reasonOf(chunkOf(slot).reasons[slot % RefusedChunk.SIZE]);
    }

    static Reason reasonOf(int code) {
        return REASONS.getOrDefault(code, Reason.OTHER);
    }

    EventType type(int slot) {
        return EventType.of(chunkOf(slot).kinds[slot % RefusedChunk.SIZE]);
    }

    String relay(int slot) {
        return sources.text(chunkOf(slot).sources[slot % RefusedChunk.SIZE]);
    }

    int attempts(int slot) {
        return chunkOf(slot).attempts[slot % RefusedChunk.SIZE];
    }

    /// All of it.
    RefusedEntry entry(int slot) {
        var chunk = chunkOf(slot);
        int at = slot % RefusedChunk.SIZE;
        return new RefusedEntry(
                id(slot),
                chunk.kinds[at],
                Integer.toUnsignedLong(chunk.createdAt[at]),
                reason(slot),
                relay(slot),
                Instant.ofEpochSecond(Integer.toUnsignedLong(chunk.refusedAt[at])),
                Instant.ofEpochSecond(Integer.toUnsignedLong(chunk.until[at])),
                attempts(slot),
                isCold(slot),
                chunk.groups[at]);
    }

    void forEachKey(int slot, LongConsumer visitor) {
        waits.forEachKey(chunkOf(slot).waits[slot % RefusedChunk.SIZE], visitor);
    }

    /// Whether something may come for it; an orphan waits for others to mention it, if for nothing else.
    boolean isWaiting(int slot) {
        return chunkOf(slot).waits[slot % RefusedChunk.SIZE] != Waits.NONE || reason(slot) == Reason.ORPHAN;
    }

    // ---- who waits

    /// The slot that has waited longest for a key, if it came before a moment; else -1.
    int findAwaiting(long key, long before) {
        int slot = waits.findFirst(key);
        return slot != Waits.NONE && isBefore(slot, before) ? slot : -1;
    }

    /// Whether an entry came before a moment.
    boolean isBefore(int slot, long before) {
        return number(slot) < before;
    }

    boolean isAwaited(long key) {
        return waits.isAwaited(key);
    }

    /// Whether something may wait for announcements of an identifier.
    boolean isAwaitedGroup(int group) {
        return groups[group] > 0;
    }

    /// The number of the next entry: all that are here have lower ones.
    long next() {
        return next;
    }

    private long number(int slot) {
        long last = next - 1;
        return last - Math.floorMod(last - slot, (long) max);
    }

    // ---- figures and chunks

    int count() {
        return count;
    }

    int waitCount() {
        return waits.count();
    }

    Map<EventType, Integer> coldCounts() {
        return new EnumMap<>(coldCounts);
    }

    Map<Reason, Integer> reasonCounts() {
        return new EnumMap<>(reasonCounts);
    }

    int max() {
        return max;
    }

    int chunkCount() {
        return chunks.length;
    }

    /// Visits the live slots of a chunk, ascending.
    void forEachIn(int number, IntConsumer visitor) {
        int from = number * RefusedChunk.SIZE;
        for (int slot = from; slot < Math.min(max, from + RefusedChunk.SIZE); slot++) {
            if (isLive(slot)) {
                visitor.accept(slot);
            }
        }
    }

    /// The chunks that are not as they were written down.
    BitSet changed() {
        return (BitSet) changed.clone();
    }

    void markChanged(int number) {
        changed.set(number);
    }

    /// A chunk is written down as it is now.
    void clearChanged(int number) {
        changed.clear(number);
    }

    /// Everything is as it was written down.
    void clearChanged() {
        changed.clear();
    }

    private boolean is(int slot, EventId id) {
        var words = chunkOf(slot).ids;
        int at = slot % RefusedChunk.SIZE * 4;
        return words[at] == id.a() && words[at + 1] == id.b() && words[at + 2] == id.c() && words[at + 3] == id.d();
    }

    private long hash(int slot) {
        return hashes.of(id(slot));
    }

    /// As an unsigned int: up to the year 2106.
    private static int seconds(long seconds) {
        return (int) Math.clamp(seconds, 0, 0xffff_ffffL);
    }
}
