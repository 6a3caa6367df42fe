package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.Mutation.MemberServed;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// The events below roots (R3.21, R3.22). For each event that tags a root directly, the branch below it is what
/// a walk would find that goes breadth first by (`created_at`, id) and stops at a depth and a number, so a
/// restart finds the same. It is kept so whatever comes in whatever order: the order of a branch is (depth,
/// created_at, id), whoever comes into a full branch before its last takes that one's place, and a shorter way
/// to a member lets its answers be looked for again. Nobody stands below the last, since what does is deeper,
/// so nothing is cut off with it.
///
/// An event that tags a root itself is in no other branch of that root. One that was deleted stays where it is,
/// unseen, so that its descendants stay (R1.13), too; answers to it that come later are not followed.
/// Reactions, reports and zaps (7, 1984, 9734, 9735) and deletions (5) never come here, because the archive
/// leaves them out.
///
/// Few events stand in more than one place, but an answer stands wherever all that it names do, which without
/// a limit would be more at each level. Of one that names too much it depends on the order of arrival which
/// places it gets.
final class Threads {
    /// Branches in which one member may stand.
    static final int PLACES_MAX = 64;

    private static final int GAP = -1;
    private static final long CREATED_MAX = 0xffff_ffffL;

    private final IndexLimits limits;
    private final Roots roots;
    private final Members members;
    private final Branches branches;
    private final IntLists lists;
    private final Searches searches = new Searches();
    private final IntConsumer changed;
    private final IntConsumer thinned;
    private int live;
    private long refused;

    /// An event that may have a place.
    ///
    /// @param tagged roots that it tags itself, even if they are gone
    /// @param nodes where it stands, by branch: what it names may stand in thousands of places, and going through
    /// its own for each of them would take long
    private record Comer(MemberServed served, Set<Integer> tagged, Map<Integer, Integer> nodes) {
        boolean tags(int root) {
            return tagged.contains(root);
        }
    }

    /// @param changed hears of roots whose list of members changed
    /// @param thinned hears of roots that lost a member to an older one: relays may have been asked about it
    Threads(IndexTables tables, Salt salt, IndexLimits limits, Roots roots, IntConsumer changed, IntConsumer thinned) {
        this.limits = limits;
        this.roots = roots;
        this.members = new Members(tables, salt, limits);
        this.branches = new Branches(tables, members);
        this.lists = roots.threads(tables);
        this.changed = changed;
        this.thinned = thinned;
    }

    Members members() {
        return members;
    }

    Searches searches() {
        return searches;
    }

    /// Members that are followed.
    int live() {
        return live;
    }

    /// How often a member was not followed because there are too many.
    long refused() {
        return refused;
    }

    int sizeOf(int root) {
        return lists.size(root);
    }

    int get(int root, int place) {
        int member = lists.get(root, place);
        return member == GAP || members.isGone(member) ? GAP : member;
    }

    /// Puts an event where it belongs.
    ///
    /// @return whether it is followed
    boolean take(MemberServed served) {
        int known = members.find(served.id());
        if (known >= 0 && members.isGone(known)) {
            comeBack(known);
            members.name(known, served.address());
        }
        var comer = comer(served);
        for (int root : comer.tagged()) {
            if (!roots.isGone(root)) {
                putDirectly(served, root);
            }
        }
        note(comer);
        for (var id : served.events()) {
            putBelow(comer, members.find(id));
        }
        for (var address : served.addresses()) {
            putBelow(comer, members.find(address));
        }
        int member = members.find(served.id());
        return member >= 0 && isFollowed(member);
    }

    private Comer comer(MemberServed served) {
        var tagged = new LinkedHashSet<Integer>();
        for (var id : served.events()) {
            int root = roots.find(id);
            if (root >= 0) {
                tagged.add(root);
            }
        }
        return new Comer(served, tagged, new HashMap<>());
    }

    /// Notes where it stands now.
    private void note(Comer comer) {
        int member = members.find(comer.served().id());
        if (member >= 0 && members.stand(member) == Members.Stand.CHAIN) {
            for (int node = members.value(member); node != Branches.NONE; node = next(node)) {
                comer.nodes().put(branches.branch(node), node);
            }
        }
    }

    private void putDirectly(MemberServed served, int root) {
        int member = intern(served);
        if (member < 0 || isDirectlyBelow(member, root)) {
            return;
        }
        boolean isOnly = members.stand(member) == Members.Stand.NOWHERE;
        if (!isOnly && !hasPlaceLeft(member)) {
            return;
        }
        int place = list(root, member);
        if (isOnly) {
            members.setHead(member, root);
            live++;
        } else {
            int first = chain(member);
            members.setChain(member, branches.addHead(member, branches.add(root), place, first));
        }
        searches.again(member);
    }

    private boolean isDirectlyBelow(int member, int root) {
        return switch (members.stand(member)) {
            case NOWHERE -> false;
            case HEAD, BRANCH -> onlyRoot(member) == root;
            case CHAIN -> nodeBelow(member, root) != Branches.NONE;
        };
    }

    /// The root of a member that stands below no other, and directly.
    private int onlyRoot(int member) {
        int value = members.value(member);
        return members.stand(member) == Members.Stand.HEAD ? value : branches.root(value);
    }

    private boolean isOnlyDirect(int member) {
        return switch (members.stand(member)) {
            case HEAD, BRANCH -> true;
            case NOWHERE, CHAIN -> false;
        };
    }

    /// Any node of a member in a thread.
    private int nodeBelow(int member, int root) {
        int node = members.value(member);
        while (node != Branches.NONE && branches.rootOf(node) != root) {
            node = next(node);
        }
        return node;
    }

    private void putBelow(Comer comer, int parent) {
        var served = comer.served();
        if (parent < 0 || !isFollowed(parent) || parent == members.find(served.id())) {
            return;
        }
        if (isOnlyDirect(parent)) {
            if (limits.depthMax() > 1 && !comer.tags(onlyRoot(parent))) {
                put(comer, branchOf(parent), 2);
            }
            return;
        }
        for (int node = members.value(parent); node != Branches.NONE; node = next(node)) {
            int depth = branches.depth(node) + 1;
            if (depth <= limits.depthMax() && !comer.tags(branches.rootOf(node))) {
                put(comer, branches.branch(node), depth);
            }
        }
    }

    private void put(Comer comer, int branch, int depth) {
        var served = comer.served();
        int node = comer.nodes().getOrDefault(branch, Branches.NONE);
        if (node != Branches.NONE) {
            lift(branches.member(node), node, depth);
            return;
        }
        if (comer.nodes().size() >= PLACES_MAX) {
            return;
        }
        int created = (int) Math.clamp(served.createdAt(), 0, CREATED_MAX);
        boolean isFull = branches.size(branch) >= limits.descendantsMax();
        if (isFull && isAfter(depth, created, served.id(), branches.last(branch))) {
            return;
        }
        int member = intern(served);
        if (member < 0 || !hasPlaceLeft(member)) {
            return;
        }
        if (isFull) {
            evict(branches.last(branch));
        }
        add(member, branch, depth, created);
        note(comer);
    }

    /// Whether a member may stand in one more place.
    private boolean hasPlaceLeft(int member) {
        boolean isRoom = branches.hasRoom(limits.membersMax());
        if (!isRoom) {
            refused++;
        }
        return isRoom && placeCount(member) < PLACES_MAX;
    }

    private int placeCount(int member) {
        return switch (members.stand(member)) {
            case NOWHERE -> 0;
            case HEAD, BRANCH -> 1;
            case CHAIN -> {
                int places = 0;
                for (int node = members.value(member); node != Branches.NONE; node = next(node)) {
                    places++;
                }
                yield places;
            }
        };
    }

    private int nodeIn(int member, int branch) {
        if (members.stand(member) != Members.Stand.CHAIN) {
            return Branches.NONE;
        }
        int node = members.value(member);
        while (node != Branches.NONE && branches.branch(node) != branch) {
            node = next(node);
        }
        return node;
    }

    private void lift(int member, int node, int depth) {
        if (depth < branches.depth(node)) {
            branches.lift(node, depth);
            searches.again(member);
        }
    }

    private boolean isAfter(int depth, int created, EventId id, int last) {
        int order = Integer.compare(depth, branches.depth(last));
        if (order == 0) {
            order = Integer.compareUnsigned(created, branches.created(last));
        }
        return (order != 0 ? order : -members.compare(branches.member(last), id)) > 0;
    }

    private void add(int member, int branch, int depth, int created) {
        if (members.stand(member) == Members.Stand.NOWHERE) {
            live++;
        }
        int root = branches.root(branch);
        int first = members.stand(member) == Members.Stand.NOWHERE ? Branches.NONE : chain(member);
        int elsewhere = first == Branches.NONE ? Branches.NONE : nodeBelow(member, root);
        int place = elsewhere == Branches.NONE ? list(root, member) : branches.place(elsewhere);
        int node = branches.addBelow(member, branch, depth, created, first);
        branches.setPlace(node, place);
        members.setChain(member, node);
        if (depth < limits.depthMax()) {
            searches.again(member);
        }
    }

    /// The first node of a member that stands somewhere.
    private int chain(int member) {
        if (isOnlyDirect(member)) {
            members.setChain(member, branches.addHead(member, branchOf(member), GAP, Branches.NONE));
        }
        return members.value(member);
    }

    /// The branch that hangs from a member with one root only.
    private int branchOf(int member) {
        if (members.stand(member) == Members.Stand.HEAD) {
            members.setBranch(member, branches.add(members.value(member)));
        }
        return members.value(member);
    }

    private void evict(int node) {
        int member = branches.member(node);
        int root = branches.rootOf(node);
        int place = branches.place(node);
        unchain(member, node);
        branches.remove(node);
        boolean isNowhere = members.stand(member) == Members.Stand.NOWHERE;
        if (isNowhere && !members.isGone(member)) {
            live--;
        }
        if (isNowhere || nodeBelow(member, root) == Branches.NONE) {
            lists.set(root, place, GAP);
            changed.accept(root);
            thinned.accept(root);
        }
    }

    private void unchain(int member, int node) {
        int first = members.value(member);
        if (first == node) {
            if (next(node) == Branches.NONE) {
                members.setNowhere(member);
            } else {
                members.setChain(member, next(node));
            }
            return;
        }
        int before = first;
        while (next(before) != node) {
            before = next(before);
        }
        branches.setNext(before, next(node));
    }

    /// Whether an event is where [#take] would put it.
    boolean isRight(MemberServed served) {
        int member = members.find(served.id());
        if ((member < 0 && members.isFull()) || !branches.hasRoom(limits.membersMax())) {
            return true;
        }
        if (member >= 0 && members.isGone(member)) {
            return false;
        }
        if (member >= 0 && placeCount(member) >= PLACES_MAX) {
            return true;
        }
        var comer = comer(served);
        boolean isRight = comer.tagged().stream()
                .filter(root -> !roots.isGone(root))
                .allMatch(root -> member >= 0 && isDirectlyBelow(member, root));
        return isRight
                && served.events().stream().allMatch(id -> isRightBelow(comer, member, members.find(id)))
                && served.addresses().stream().allMatch(address -> isRightBelow(comer, member, members.find(address)));
    }

    private boolean isRightBelow(Comer comer, int member, int parent) {
        if (parent < 0 || parent == member || !isFollowed(parent)) {
            return true;
        }
        if (isOnlyDirect(parent)) {
            return limits.depthMax() == 1
                    || comer.tags(onlyRoot(parent))
                    || (members.stand(parent) == Members.Stand.BRANCH
                            && isRightIn(comer.served(), member, members.value(parent), 2));
        }
        boolean isRight = true;
        for (int node = members.value(parent); node != Branches.NONE && isRight; node = next(node)) {
            int depth = branches.depth(node) + 1;
            isRight = depth > limits.depthMax()
                    || comer.tags(branches.rootOf(node))
                    || isRightIn(comer.served(), member, branches.branch(node), depth);
        }
        return isRight;
    }

    private boolean isRightIn(MemberServed served, int member, int branch, int depth) {
        int node = member < 0 ? Branches.NONE : nodeIn(member, branch);
        if (node != Branches.NONE) {
            return branches.depth(node) <= depth;
        }
        int created = (int) Math.clamp(served.createdAt(), 0, CREATED_MAX);
        return branches.size(branch) >= limits.descendantsMax()
                && isAfter(depth, created, served.id(), branches.last(branch));
    }

    /// A deleted member shows no more.
    void leave(int member) {
        if (members.isGone(member)) {
            return;
        }
        members.setGone(member, true);
        if (members.stand(member) != Members.Stand.NOWHERE) {
            live--;
        }
        forEachRoot(member, changed);
    }

    private void comeBack(int member) {
        members.setGone(member, false);
        switch (members.stand(member)) {
            case NOWHERE -> {}
            case HEAD, BRANCH -> {
                live++;
                relist(onlyRoot(member), member, GAP);
            }
            case CHAIN -> {
                live++;
                relistChain(member);
            }
        }
        searches.again(member);
    }

    private void relistChain(int member) {
        for (int node = members.value(member); node != Branches.NONE; node = next(node)) {
            int root = branches.rootOf(node);
            if (node == nodeBelow(member, root)) {
                int place = relist(root, member, branches.place(node));
                for (int same = node; same != Branches.NONE; same = next(same)) {
                    if (branches.rootOf(same) == root) {
                        branches.setPlace(same, place);
                    }
                }
            }
        }
    }

    /// A new place at the end of a root's list.
    private int relist(int root, int member, int place) {
        lists.set(root, place == GAP ? lists.indexOf(root, member) : place, GAP);
        return list(root, member);
    }

    private int list(int root, int member) {
        changed.accept(root);
        return lists.append(root, member);
    }

    /// Visits the roots a member stands below; the same one more than once if it is in several branches.
    void forEachRoot(int member, IntConsumer visitor) {
        switch (members.stand(member)) {
            case NOWHERE -> {}
            case HEAD, BRANCH -> visitor.accept(onlyRoot(member));
            case CHAIN -> {
                for (int node = members.value(member); node != Branches.NONE; node = next(node)) {
                    visitor.accept(branches.rootOf(node));
                }
            }
        }
    }

    /// Whether one of them is meant; they are looked at until one is.
    boolean hasAnyRoot(int member, IntPredicate isMeant) {
        return switch (members.stand(member)) {
            case NOWHERE -> false;
            case HEAD, BRANCH -> isMeant.test(onlyRoot(member));
            case CHAIN -> hasAnyRootInChain(members.value(member), isMeant);
        };
    }

    private boolean hasAnyRootInChain(int first, IntPredicate isMeant) {
        for (int node = first; node != Branches.NONE; node = next(node)) {
            if (isMeant.test(branches.rootOf(node))) {
                return true;
            }
        }
        return false;
    }

    boolean isFollowed(int member) {
        return !members.isGone(member) && members.stand(member) != Members.Stand.NOWHERE;
    }

    /// Whether a member can have answers that are followed.
    boolean isWorthSearching(int member) {
        if (members.isGone(member)) {
            return false;
        }
        return switch (members.stand(member)) {
            case NOWHERE -> false;
            case HEAD, BRANCH -> limits.depthMax() > 1;
            case CHAIN -> isAboveBottom(members.value(member));
        };
    }

    private boolean isAboveBottom(int first) {
        int node = first;
        while (node != Branches.NONE && branches.depth(node) >= limits.depthMax()) {
            node = next(node);
        }
        return node != Branches.NONE;
    }

    private int intern(MemberServed served) {
        if (members.isFull() && members.find(served.id()) < 0) {
            refused++;
            return -1;
        }
        return members.intern(served.id(), served.address());
    }

    private int next(int node) {
        return branches.next(node);
    }

    Optional<String> address(int member) {
        return members.address(member);
    }

    void keep(Kept kept) {
        members.keep(kept);
        branches.keep(kept);
        lists.keep(kept);
        searches.keep(kept);
        live = kept.number(live);
    }

    long bytes() {
        return members.bytes() + branches.bytes() + lists.bytes();
    }
}
