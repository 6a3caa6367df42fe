package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// Root events: ids, the repositories they name, and the lists from the other side. Lists only grow; one that
/// is served no more shows as a gap wherever it stands, and if it returns it gets a new place.
final class Roots {
    private static final int WIDTH = 1 + IntLists.HEAD_WIDTH;
    /// 0: no repository; above: the only one, plus one; below: a list of several, by -1 - list.
    private static final int HOME = 0;
    /// The head of its list of members, and flags in bits that such a head leaves alone.
    private static final int THREAD = 1;

    private static final int GONE = 1 << 31;
    private static final int DIRTY = 1 << 30;
    private static final int GAP = -1;
    /// In the list of a repository: others have it, too. Looking that up root by root would miss every cache.
    private static final int SHARED = 1 << 30;

    private static final int ROOT_MASK = SHARED - 1;

    private final IdTable ids;
    private final Cells rows;
    private final IntLists homes;
    private final IntLists ofRepo;
    private int live;

    Roots(IndexTables tables, Salt salt) {
        ids = new IdTable(tables, "roots", salt);
        rows = new Cells(tables, "root-rows");
        homes = new IntLists(tables, "root-homes");
        ofRepo = new IntLists(tables, "roots-of-repo");
    }

    /// Roots ever met.
    int count() {
        return ids.count();
    }

    /// Roots that are served.
    int live() {
        return live;
    }

    int find(EventId id) {
        return ids.find(id);
    }

    EventId id(int root) {
        return ids.make(root, EventId::new);
    }

    int intern(EventId id) {
        int known = ids.find(id);
        if (known >= 0) {
            return known;
        }
        int root = ids.intern(id);
        rows.set(cell(root, HOME), 0);
        rows.set(cell(root, THREAD), 0);
        rows.set(cell(root, THREAD + 1), 0);
        live++;
        return root;
    }

    boolean isGone(int root) {
        return (rows.get(cell(root, THREAD)) & GONE) != 0;
    }

    /// Leaves a gap in all lists.
    void leave(int root) {
        setFlag(root, GONE, true);
        live--;
    }

    /// Comes back, at the ends of the lists.
    void comeBack(int root) {
        setFlag(root, GONE, false);
        live++;
        forEachHome(root, repo -> {
            int place = placeIn(repo, root);
            ofRepo.append(repo, ofRepo.get(repo, place));
            ofRepo.set(repo, place, GAP);
        });
    }

    /// Puts it into the list of a repository.
    ///
    /// @return whether this is new
    boolean addTo(int root, int repo) {
        if (isIn(root, repo)) {
            return false;
        }
        addHome(root, repo);
        while (ofRepo.count() <= repo) {
            ofRepo.add();
        }
        boolean isShared = homeCount(root) > 1;
        ofRepo.append(repo, isShared ? root | SHARED : root);
        if (homeCount(root) == 2) {
            int other = home(root, home(root, 0) == repo ? 1 : 0);
            ofRepo.set(other, placeIn(other, root), root | SHARED);
        }
        return true;
    }

    /// From the end, for most that are looked for are new.
    private int placeIn(int repo, int root) {
        int place = ofRepo.size(repo) - 1;
        while (entry(repo, place) != root) {
            place--;
        }
        return place;
    }

    private void addHome(int root, int repo) {
        int home = rows.get(cell(root, HOME));
        if (home == 0) {
            rows.set(cell(root, HOME), repo + 1);
            return;
        }
        if (home > 0) {
            int list = homes.add();
            homes.append(list, home - 1);
            rows.set(cell(root, HOME), -1 - list);
        }
        homes.insertSorted(-1 - rows.get(cell(root, HOME)), repo);
    }

    /// Whether a repository has it, as a gap or not.
    boolean isIn(int root, int repo) {
        int home = rows.get(cell(root, HOME));
        return home > 0 ? home - 1 == repo : home < 0 && homes.indexOf(-1 - home, repo) >= 0;
    }

    /// Visits the repositories that have it, as a gap or not, ascending.
    void forEachHome(int root, IntConsumer visitor) {
        int homeCount = homeCount(root);
        for (int place = 0; place < homeCount; place++) {
            visitor.accept(home(root, place));
        }
    }

    /// Whether one of them is meant; they are looked at in order until one is.
    boolean hasAnyHome(int root, IntPredicate isMeant) {
        int homeCount = homeCount(root);
        for (int place = 0; place < homeCount; place++) {
            if (isMeant.test(home(root, place))) {
                return true;
            }
        }
        return false;
    }

    /// How many repositories have it.
    int homeCount(int root) {
        int home = rows.get(cell(root, HOME));
        return home >= 0 ? Math.min(home, 1) : homes.size(-1 - home);
    }

    /// One of them, ascending.
    int home(int root, int place) {
        int home = rows.get(cell(root, HOME));
        return home > 0 ? home - 1 : homes.get(-1 - home, place);
    }

    int sizeOf(int repo) {
        return repo < ofRepo.count() ? ofRepo.size(repo) : 0;
    }

    int get(int repo, int place) {
        int root = entry(repo, place);
        return root == GAP || isGone(root) ? GAP : root;
    }

    /// The same, even if it is gone.
    int entry(int repo, int place) {
        int entry = ofRepo.get(repo, place);
        return entry == GAP ? GAP : entry & ROOT_MASK;
    }

    /// Whether other repositories have it, too.
    boolean isShared(int repo, int place) {
        int entry = ofRepo.get(repo, place);
        return entry != GAP && (entry & SHARED) != 0;
    }

    /// Lists of members, by root.
    IntLists threads(IndexTables tables) {
        return IntLists.beside(tables, "members-of-root", rows, WIDTH, THREAD);
    }

    /// Marks it dirty.
    ///
    /// @return whether it was not before
    boolean soil(int root) {
        boolean isNew = (rows.get(cell(root, THREAD)) & DIRTY) == 0;
        setFlag(root, DIRTY, true);
        return isNew;
    }

    void clean(int root) {
        setFlag(root, DIRTY, false);
    }

    private void setFlag(int root, int flag, boolean isSet) {
        int row = rows.get(cell(root, THREAD));
        rows.set(cell(root, THREAD), isSet ? row | flag : row & ~flag);
    }

    private static long cell(int root, int column) {
        return (long) root * WIDTH + column;
    }

    void keep(Kept kept) {
        ids.keep(kept);
        kept.table(rows);
        homes.keep(kept);
        ofRepo.keep(kept);
        live = kept.number(live);
    }

    long bytes() {
        return ids.bytes() + rows.bytes() + homes.bytes() + ofRepo.bytes();
    }
}
