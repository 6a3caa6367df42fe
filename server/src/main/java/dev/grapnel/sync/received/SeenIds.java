package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import java.util.Arrays;
import java.util.BitSet;

/// Ids whose fate the gate has told and nothing will change (R7.10): deleted and superseded ones. A fixed number, the
/// oldest out first.
///
/// Stored ids are not among them: that an event is served is asked of the store, which answers in microseconds, so
/// nobody need be told when one leaves without a trace. Of each id the first half is kept; nobody can find another
/// event with the same.
final class SeenIds {
    private final int max;
    private final KeyHash hashes;
    private final SlotIndex index = new SlotIndex(this::hash);
    private final BitSet superseded = new BitSet();
    private long[] halves = new long[32];
    private int next;
    private int count;

    SeenIds(int max, KeyHash hashes) {
        this.max = max;
        this.hashes = hashes;
    }

    /// What is known of an id: deleted, superseded, or nothing.
    Knowledge find(EventId id) {
        int slot = slotOf(id);
        if (slot < 0) {
            return Knowledge.UNKNOWN;
        }
        return superseded.get(slot) ? Knowledge.SUPERSEDED : Knowledge.DELETED;
    }

    void addDeleted(EventId id) {
        add(id, false);
    }

    void addSuperseded(EventId id) {
        add(id, true);
    }

    int count() {
        return count;
    }

    private void add(EventId id, boolean isSuperseded) {
        int slot = slotOf(id);
        if (slot < 0) {
            slot = takePlace();
            halves[2 * slot] = id.a();
            halves[2 * slot + 1] = id.b();
            index.add(hash(slot), slot);
        }
        superseded.set(slot, isSuperseded);
    }

    private int takePlace() {
        int slot = next;
        next = slot + 1 == max ? 0 : slot + 1;
        if (count == max) {
            index.remove(hash(slot), slot);
        } else {
            count++;
            if (2 * count > halves.length) {
                halves = Arrays.copyOf(halves, Math.min(2 * max, 2 * halves.length));
            }
        }
        return slot;
    }

    private int slotOf(EventId id) {
        return index.find(hash(id.a(), id.b()), slot -> halves[2 * slot] == id.a() && halves[2 * slot + 1] == id.b());
    }

    private long hash(int slot) {
        return hash(halves[2 * slot], halves[2 * slot + 1]);
    }

    private long hash(long a, long b) {
        return hashes.of(new EventId(a, b, 0, 0));
    }
}
