package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.BitSet;
import java.util.List;

/// What an initiator has found in its session: a bit for each own item, 32 bytes for each id needed.
///
/// Ids of a message are collected first and joined with the earlier ones in one merge. A hash table would do,
/// were the ids not chosen by the peer; sorted arrays cannot be made slow by a choice of ids.
final class Differences {
    private final NegentropyItems items;
    private final BitSet haveAll = new BitSet();
    private final IdBuffer needAll = new IdBuffer();

    private final IdBuffer have = new IdBuffer();
    private final IdBuffer need = new IdBuffer();

    private final IdBuffer listed = new IdBuffer();
    private final BitSet common = new BitSet();

    Differences(NegentropyItems items) {
        this.items = items;
    }

    /// Compares a list with the own items from `lower` to `upper`.
    void compare(RangeReader ranges, Range.IdList list, int lower, int upper) {
        listed.clear();
        ranges.copyIds(list, listed);
        listed.sortAndDropRepeats();
        common.clear();
        for (int i = lower; i < upper; i++) {
            compareOwn(i);
        }
        for (int i = common.nextClearBit(0); i < listed.size(); i = common.nextClearBit(i + 1)) {
            need.add(listed.id(i));
        }
    }

    /// Ends a message: what it added to the ids known before is in [#have] and [#need] until the next begins.
    void close() {
        need.sortAndDropRepeats();
        need.removeAll(needAll);
        needAll.merge(need);
    }

    /// Begins a message.
    void open() {
        have.clear();
        need.clear();
    }

    List<EventId> have() {
        return have.toList();
    }

    List<EventId> need() {
        return need.toList();
    }

    /// How many different ids the session needs.
    int needCount() {
        return needAll.size();
    }

    private void compareOwn(int index) {
        var id = items.id(index);
        int found = listed.find(id);
        if (found >= 0) {
            common.set(found);
        } else if (!haveAll.get(index)) {
            haveAll.set(index);
            have.add(id);
        }
    }
}
