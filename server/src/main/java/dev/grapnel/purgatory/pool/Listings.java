package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.LeadPath;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Roster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Who lists whom among those who announce one identifier, and who is in whose confirmed set (service 5.1.3).
/// Immutable, but for sets that are found when somebody asks; they are kept as long as nothing they depend on
/// changes.
///
/// Strangers decide how many owners there are and how many of them list each other, and one announcement may change
/// the sets of all. So everybody has a number, a slot, that stays when others come and go, and a round of the
/// specification is a few operations on bits: who is listed by members, and who lists members, is a sum over those
/// who joined in the round before.
final class Listings {
    /// The rank of a slot that nobody has.
    private static final int FREE = -1;

    /// The leads of those who name none, and have not left.
    private static final int NOBODY = -1;

    /// The leads of those whose lead path ends without a root.
    private static final int LOST = -2;

    /// The slots in order of keys, which is the order of the pool's announcements.
    private final int[] slots;
    /// Beside all slots: their places in that order.
    private final int[] ranks;

    /// Those who announce it and have not left.
    private final long[] active;

    private final int[] leads;
    /// Whom somebody lists, as far as they announce it too.
    private final SparseBits[] listed;
    /// Who lists somebody.
    private final SparseBits[] listing;
    /// The sets by the slots of their roots. Filled in by whoever comes first: a set is immutable, and two threads
    /// find equal ones.
    private final @Nullable SparseBits[] sets;

    private Listings(int[] slots, int size) {
        this.slots = slots;
        this.ranks = new int[size];
        this.active = SparseBits.room(size);
        this.leads = new int[size];
        this.listed = new SparseBits[size];
        this.listing = new SparseBits[size];
        this.sets = new SparseBits[size];
        Arrays.fill(leads, LOST);
        Arrays.fill(listed, SparseBits.EMPTY);
        Arrays.fill(listing, SparseBits.EMPTY);
        rank();
    }

    private Listings(Listings other, int[] slots, int size) {
        this.slots = slots;
        this.ranks = new int[size];
        this.active = Arrays.copyOf(other.active, SparseBits.room(size).length);
        this.leads = Arrays.copyOf(other.leads, size);
        this.listed = Arrays.copyOf(other.listed, size);
        this.listing = Arrays.copyOf(other.listing, size);
        this.sets = Arrays.copyOf(other.sets, size);
        rank();
    }

    private void rank() {
        Arrays.fill(ranks, FREE);
        for (int index = 0; index < slots.length; index++) {
            ranks[slots[index]] = index;
        }
    }

    /// Reads all announcements of a pool.
    static Listings of(Pool pool) {
        int size = pool.size();
        var slots = new int[size];
        Arrays.setAll(slots, index -> index);
        var made = new Listings(slots, size);
        for (int index = 0; index < size; index++) {
            made.read(index, pool);
        }
        var listers = new ArrayList<List<Integer>>();
        for (int slot = 0; slot < size; slot++) {
            listers.add(new ArrayList<>());
        }
        for (int slot = 0; slot < size; slot++) {
            for (int other : made.listed[slot].numbers()) {
                listers.get(other).add(slot);
            }
        }
        Arrays.setAll(made.listing, slot -> SparseBits.of(listers.get(slot), size));
        return made;
    }

    /// After one author of the pool has said something else.
    Listings replaced(int index, Pool after) {
        var made = new Listings(this, slots, ranks.length);
        made.say(index, after);
        return made;
    }

    /// After another author has come.
    Listings inserted(int index, Pool after) {
        int slot = 0;
        while (slot < ranks.length && ranks[slot] != FREE) {
            slot++;
        }
        int size = Math.max(ranks.length, slot + 1);
        var more = new int[slots.length + 1];
        System.arraycopy(slots, 0, more, 0, index);
        more[index] = slot;
        System.arraycopy(slots, index, more, index + 1, slots.length - index);
        var made = new Listings(this, more, size);
        if (slot == ranks.length) {
            made.listed[slot] = SparseBits.EMPTY;
            made.listing[slot] = SparseBits.EMPTY;
        }
        made.welcome(index, after);
        made.say(index, after);
        return made;
    }

    /// After the author who was at this place of the pool has gone.
    Listings removed(int index, Pool after) {
        int gone = slots[index];
        var less = new int[slots.length - 1];
        System.arraycopy(slots, 0, less, 0, index);
        System.arraycopy(slots, index + 1, less, index, less.length - index);
        var made = new Listings(this, less, ranks.length);
        made.forget(gone);
        made.link(gone, SparseBits.EMPTY);
        SparseBits.set(made.active, gone, false);
        made.leads[gone] = LOST;
        for (int lister : listing[gone].numbers()) {
            made.listed[lister] = made.listed[lister].with(gone, false, ranks.length);
            made.leads[lister] = made.leadOf(lister, after);
        }
        made.listing[gone] = SparseBits.EMPTY;
        return made;
    }

    /// Links those who list an author already with the author.
    private void welcome(int index, Pool after) {
        int slot = slots[index];
        var author = after.authorAt(index);
        var listers = SparseBits.room(ranks.length);
        for (int other = 0; other < slots.length; other++) {
            if (other != index
                    && after.rosterAt(other)
                            .filter(roster -> roster.lists(author))
                            .isPresent()) {
                int lister = slots[other];
                SparseBits.set(listers, lister, true);
                listed[lister] = listed[lister].with(slot, true, ranks.length);
                leads[lister] = leadOf(lister, after);
            }
        }
        listing[slot] = SparseBits.of(listers);
    }

    private void say(int index, Pool after) {
        int slot = slots[index];
        forget(slot);
        var before = listed[slot];
        read(index, after);
        var now = listed[slot];
        listed[slot] = before;
        link(slot, now);
    }

    /// What depends on somebody: sets of which it is a member, or may become one because a member lists it.
    private void forget(int slot) {
        for (int root = 0; root < sets.length; root++) {
            var set = sets[root];
            if (set != null && (set.contains(slot) || set.meets(listing[slot]))) {
                sets[root] = null;
            }
        }
    }

    private void read(int index, Pool pool) {
        int slot = slots[index];
        var roster = pool.rosterAt(index);
        SparseBits.set(active, slot, roster.filter(Roster::isActive).isPresent());
        leads[slot] = leadOf(slot, pool);
        var bits = SparseBits.room(ranks.length);
        for (var person : roster.map(Roster::listed).orElse(List.of())) {
            int at = pool.indexOf(person);
            if (at >= 0) {
                SparseBits.set(bits, slots[at], true);
            }
        }
        listed[slot] = SparseBits.of(bits);
    }

    private int leadOf(int slot, Pool pool) {
        var roster = pool.rosterAt(ranks[slot]);
        var named = roster.map(Roster::leads).orElse(List.of());
        if (named.isEmpty()) {
            return roster.filter(Roster::isActive).isPresent() ? NOBODY : LOST;
        }
        int at = named.size() > 1 ? -1 : pool.indexOf(named.getFirst());
        return at < 0 ? LOST : slots[at];
    }

    /// Makes others know whom somebody lists now.
    private void link(int slot, SparseBits now) {
        var before = SparseBits.room(ranks.length);
        var after = SparseBits.room(ranks.length);
        listed[slot].addTo(before);
        now.addTo(after);
        for (int i = 0; i < before.length; i++) {
            before[i] ^= after[i];
        }
        for (int other : SparseBits.numbers(before)) {
            listing[other] = listing[other].with(slot, SparseBits.contains(after, other), ranks.length);
        }
        listed[slot] = now;
    }

    /// Whether the author at one place is in the set of the author at another. Whoever lists nobody, and whom nobody
    /// lists, is so in its own view only.
    boolean isMember(int person, int owner) {
        int slot = slots[person];
        int root = root(slots[owner]);
        if (root == slot || root < 0) {
            return root == slot;
        }
        return SparseBits.contains(active, slot)
                && !listed[slot].isEmpty()
                && !listing[slot].isEmpty()
                && set(root).contains(slot);
    }

    /// The places of those among several who are in the set of the author at a place, in no order.
    IntStream membersAmong(SparseBits people, int owner) {
        int root = root(slots[owner]);
        return root < 0
                ? IntStream.empty()
                : Arrays.stream(set(root).numbersIn(people)).map(slot -> ranks[slot]);
    }

    /// Whether one of several is in the set of the author at a place.
    boolean isAnyMember(SparseBits people, int owner) {
        int root = root(slots[owner]);
        return root >= 0 && set(root).meets(people);
    }

    /// Whether anybody is in the set of the author at a place.
    boolean hasMembers(int owner) {
        return root(slots[owner]) >= 0;
    }

    /// People of the pool, for the questions above; others are left out.
    SparseBits people(Iterable<PublicKey> keys, Pool pool) {
        var bits = SparseBits.room(ranks.length);
        for (var key : keys) {
            int index = pool.indexOf(key);
            if (index >= 0) {
                SparseBits.set(bits, slots[index], true);
            }
        }
        return SparseBits.of(bits);
    }

    /// Whose view counts; negative if the path does not end. One that is too long and one that is a cycle need not
    /// be told apart.
    private int root(int owner) {
        int at = owner;
        for (int length = 0; length < LeadPath.LENGTH_MAX; length++) {
            int next = leads[at];
            if (next == at || (next == NOBODY && at == owner)) {
                return at;
            }
            if (next < 0) {
                return LOST;
            }
            at = next;
        }
        return LOST;
    }

    private SparseBits set(int root) {
        var known = sets[root];
        if (known != null) {
            return known;
        }
        var found = resolve(root);
        sets[root] = found;
        return found;
    }

    private SparseBits resolve(int root) {
        var members = SparseBits.room(ranks.length);
        var listedByMembers = SparseBits.room(ranks.length);
        var listingMembers = SparseBits.room(ranks.length);
        var queue = new int[Maintainers.MEMBERS_MAX];
        int seen = 0;
        int count = 1;
        queue[0] = root;
        SparseBits.set(members, root, true);
        while (seen < count && count < Maintainers.MEMBERS_MAX) {
            for (; seen < count; seen++) {
                listed[queue[seen]].addTo(listedByMembers);
                listing[queue[seen]].addTo(listingMembers);
            }
            var joining = SparseBits.room(ranks.length);
            for (int i = 0; i < joining.length; i++) {
                joining[i] = listedByMembers[i] & listingMembers[i] & active[i] & ~members[i];
            }
            for (int slot : first(joining, Maintainers.MEMBERS_MAX - count)) {
                SparseBits.set(members, slot, true);
                queue[count++] = slot;
            }
        }
        return SparseBits.of(members);
    }

    /// Those among several slots whose keys are the lowest.
    private int[] first(long[] among, int most) {
        if (SparseBits.count(among) <= most) {
            return SparseBits.numbers(among);
        }
        var byKey = SparseBits.room(slots.length);
        for (int slot : SparseBits.numbers(among)) {
            SparseBits.set(byKey, ranks[slot], true);
        }
        var first = Arrays.copyOf(SparseBits.numbers(byKey), most);
        for (int i = 0; i < most; i++) {
            first[i] = slots[first[i]];
        }
        return first;
    }

    /// How many sets are known.
    int setsKnown() {
        return (int) Arrays.stream(sets).filter(set -> set != null).count();
    }
}
