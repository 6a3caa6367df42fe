package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Thread members that were ever met: ids, addresses, and where they stand. Nearly all tag one root directly,
/// and for those that root, or the branch that hangs from them, is all there is to know; the others have a chain of
/// [Branches] nodes.
final class Members {
    /// How a member stands in threads.
    enum Stand {
        NOWHERE,
        /// Directly below one root, and nobody below it.
        HEAD,
        /// Directly below one root, with a branch of others below it.
        BRANCH,
        /// Wherever its chain of nodes says.
        CHAIN
    }

    /// Namings that are written before those that hold no more are left out.
    private static final int NAMINGS_SPARE = 1000;

    private static final int VALUE_MASK = (1 << 28) - 1;
    private static final int GONE = 1 << 28;
    private static final int HEAD = 1 << 30;
    private static final int CHAIN = 1 << 31;
    private static final int BRANCH = HEAD | CHAIN;

    private final IdTable ids;
    private final Cells stands;
    private final IndexLimits limits;
    /// Every address that was ever given, in that order, for the next process.
    private final TextLog named;

    private final Map<String, Integer> byAddress = new HashMap<>();
    private final Map<Integer, String> addresses = new HashMap<>();
    private int namings;

    Members(IndexTables tables, Salt salt, IndexLimits limits) {
        this.ids = new IdTable(tables, "members", salt);
        this.stands = new Cells(tables, "member-rows");
        this.named = new TextLog(tables, "member-addresses");
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
            if (byAddress.containsKey(text) || byAddress.size() < limits.addressedMax()) {
                give(member, text);
                write(member, text);
            }
        });
    }

    private void give(int member, String address) {
        var former = byAddress.put(address, member);
        if (former != null) {
            addresses.remove(former);
        }
        addresses.put(member, address);
    }

    private void write(int member, String address) {
        named.append(member, address);
        namings++;
        if (namings > 2 * addresses.size() + NAMINGS_SPARE) {
            named.clear();
            namings = addresses.size();
            new TreeMap<>(addresses).forEach(named::append);
        }
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
            case 2 -> Stand.CHAIN;
            default -> Stand.BRANCH;
        };
    }

    /// Its root, its branch, or the first of its nodes.
    int value(int member) {
        return stands.get(member) & VALUE_MASK;
    }

    void setHead(int member, int root) {
        set(member, HEAD, root);
    }

    void setBranch(int member, int branch) {
        set(member, BRANCH, branch);
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

    void keep(Kept kept) {
        ids.keep(kept);
        kept.table(stands);
        named.keep(kept);
        namings = kept.number(namings);
        if (kept.isReturning()) {
            for (int at = 0; at < named.end(); ) {
                var naming = named.read(at);
                give(naming.number(), naming.text());
                at = naming.next();
            }
        }
    }

    long bytes() {
        return ids.bytes() + stands.bytes();
    }
}
