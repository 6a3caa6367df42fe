package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Thread members that were ever met: ids, addresses, and where they stand. Nearly all tag one root directly,
/// and for those that root is all there is to know; the others have a chain of [Branches] nodes.
final class Members {
    /// How a member stands in threads.
    enum Stand {
        NOWHERE,
        /// Directly below one root.
        HEAD,
        /// Wherever its chain of nodes says.
        CHAIN
    }

    private static final int VALUE_MASK = (1 << 28) - 1;
    private static final int GONE = 1 << 28;
    private static final int HEAD = 1 << 30;
    private static final int CHAIN = 1 << 31;

    private final IdTable ids;
    private final Cells stands;
    private final IndexLimits limits;
    private final Map<String, Integer> byAddress = new HashMap<>();
    private final Map<Integer, String> addresses = new HashMap<>();

    Members(IndexTables tables, Salt salt, IndexLimits limits) {
        this.ids = new IdTable(tables, "members", salt);
        this.stands = new Cells(tables, "member-rows");
        this.limits = limits;
    }

    int count() {
        return ids.count();
    }

    boolean isFull() {
        return ids.count() >= limits.membersMax();
    }

    int find(EventId id) {
        return ids.find(id);
    }

    /// The newest member with an address; -1 if there is none.
    int find(String address) {
        return byAddress.getOrDefault(address, -1);
    }

    int intern(EventId id, Optional<String> address) {
        int known = ids.find(id);
        if (known >= 0) {
            return known;
        }
        int member = ids.intern(id);
        stands.set(member, 0);
        name(member, address);
        return member;
    }

    /// Gives an address to the member that is served under it now; nobody else has it any more.
    void name(int member, Optional<String> address) {
        address.ifPresent(text -> {
            var former = byAddress.get(text);
            if (former != null) {
                addresses.remove(former);
            }
            if (former != null || byAddress.size() < limits.addressedMax()) {
                addresses.put(member, text);
                byAddress.put(text, member);
            }
        });
    }

    EventId id(int member) {
        return ids.make(member, EventId::new);
    }

    Optional<String> address(int member) {
        return Optional.ofNullable(addresses.get(member));
    }

    int compare(int left, int right) {
        return ids.compare(left, right);
    }

    int compare(int left, EventId right) {
        return ids.compare(left, right);
    }

    boolean isGone(int member) {
        return (stands.get(member) & GONE) != 0;
    }

    void setGone(int member, boolean isGone) {
        int row = stands.get(member);
        stands.set(member, isGone ? row | GONE : row & ~GONE);
    }

    Stand stand(int member) {
        return switch (stands.get(member) >>> 30) {
            case 0 -> Stand.NOWHERE;
            case 1 -> Stand.HEAD;
            default -> Stand.CHAIN;
        };
    }

    /// Its root, or the first of its nodes.
    int value(int member) {
        return stands.get(member) & VALUE_MASK;
    }

    void setHead(int member, int root) {
        set(member, HEAD, root);
    }

    void setChain(int member, int node) {
        set(member, CHAIN, node);
    }

    void setNowhere(int member) {
        set(member, 0, 0);
    }

    private void set(int member, int stand, int value) {
        if (value > VALUE_MASK) {
            throw new IllegalStateException("too many roots or nodes");
        }
        stands.set(member, (stands.get(member) & GONE) | stand | value);
    }

    long bytes() {
        return ids.bytes() + stands.bytes();
    }
}
