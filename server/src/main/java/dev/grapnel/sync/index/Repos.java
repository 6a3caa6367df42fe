package dev.grapnel.sync.index;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// The repositories that are known: key, level, and who shares their identifier. One whose announcement was served once
/// and that is followed no more stays with level [Level#NONE], and what is known of it stays right, so that it can
/// return at any time. One whose announcement only waited goes, and its ordinal is used again.
final class Repos {
    /// Its roots are complete: they were looked for in the store, and everything since came through the feed.
    static final int LOADED = 1 << 8;
    /// Its state addresses are to be compared with the store.
    static final int STALE = 1 << 9;
    /// More of it is wanted; not told yet.
    static final int GREW = 1 << 10;
    /// Less of it is wanted; not told yet.
    static final int SHRANK = 1 << 11;
    /// Its announcement is served.
    static final int STORED = 1 << 12;

    private static final int WIDTH = 3;
    private static final int OWNER = 0;
    private static final int NAME = 1;
    private static final int FLAGS = 2;
    private static final int LEVEL_MASK = 0xff;
    private static final int NOBODY = -1;

    /// So many ordinals rest before the first of them is used again: a request that is under way may still name it.
    private static final int RESTING = 50_000;

    private final Salt salt;
    private final IdTable keys;
    private final Cells rows;
    private final HashIndex index;
    private final HashIndex nameIndex;
    private final IntLists namesakes;
    private final HeldNames held = new HeldNames();
    /// Ordinals that stand for nothing now, the one that has rested longest first.
    private final IntQueue free = new IntQueue();
    /// All that were served in the order of their ordinals, for the next process, which must give them the same.
    private final TextLog met;
    /// For each, whether it is [#LOADED].
    private final Cells loaded;

    private final int[] levels = new int[Level.values().length];
    private Identifier[] names = new Identifier[16];
    private int count;

    /// @param keys owners and authors of states
    /// @param kept for what the next process needs
    Repos(IndexTables tables, Salt salt, IdTable keys, IndexTables kept) {
        this.salt = salt;
        this.keys = keys;
        this.rows = new Cells(tables, "repos");
        this.index = new HashIndex(tables, "repo-index", repo -> hash(owner(repo), name(repo)));
        this.nameIndex = new HashIndex(tables, "name-index", name -> salt.hash(names[name].text()));
        this.namesakes = new IntLists(tables, "namesakes");
        this.met = new TextLog(kept, "repos");
        this.loaded = new Cells(kept, "repos-loaded");
    }

    /// Ordinals that were ever given.
    int count() {
        return count;
    }

    /// Those whose announcements wait and never were served.
    int heldCount() {
        return held.count();
    }

    /// Those whose announcements were served once.
    int servedCount() {
        return count - held.count() - free.size();
    }

    /// How many have a level.
    int count(Level level) {
        return levels[level.code()];
    }

    /// The ordinal of a repository; -1 if it is not known.
    int find(RepositoryAddress address) {
        int waiting = held.find(address);
        return waiting >= 0 ? waiting : findServed(address);
    }

    private int findServed(RepositoryAddress address) {
        int owner = keys.find(address.owner());
        int name = findName(address.identifier());
        return owner < 0 || name < 0 ? -1 : find(owner, name);
    }

    private int find(int owner, int name) {
        return index.find(hash(owner, name), repo -> owner(repo) == owner && name(repo) == name);
    }

    /// The ordinal of a repository whose announcement is served.
    int intern(RepositoryAddress address) {
        int known = find(address);
        if (known >= 0 && !held.remove(known)) {
            return known;
        }
        int repo = known >= 0 ? known : add();
        register(repo, address);
        met.append(repo, address.toString());
        loaded.set(repo, 0);
        return repo;
    }

    /// The ordinal of a repository whose announcement waits.
    int internHeld(RepositoryAddress address) {
        int known = find(address);
        if (known >= 0) {
            return known;
        }
        int repo = add();
        held.add(repo, address);
        return repo;
    }

    /// Whether its announcement waits and never was served.
    boolean isHeld(int repo) {
        return held.has(repo);
    }

    /// The announcement of a repository waits no more. If it was served once, it stays known.
    void letGo(int repo) {
        if (held.remove(repo)) {
            free.add(repo);
        }
    }

    private int add() {
        if (free.size() <= RESTING) {
            extend();
            return count - 1;
        }
        int repo = free.poll();
        clear(repo);
        return repo;
    }

    private void extend() {
        clear(count);
        levels[Level.NONE.code()]++;
        count++;
    }

    private void clear(int repo) {
        rows.set(cell(repo, OWNER), NOBODY);
        rows.set(cell(repo, NAME), NOBODY);
        rows.set(cell(repo, FLAGS), Level.NONE.code());
    }

    private void register(int repo, RepositoryAddress address) {
        int owner = keys.intern(address.owner());
        int name = internName(address.identifier());
        rows.set(cell(repo, OWNER), owner);
        rows.set(cell(repo, NAME), name);
        index.add(hash(owner, name), repo);
        namesakes.insertSorted(name, repo);
    }

    private int findName(Identifier identifier) {
        return nameIndex.find(salt.hash(identifier.text()), name -> names[name].equals(identifier));
    }

    private int internName(Identifier identifier) {
        int known = findName(identifier);
        if (known >= 0) {
            return known;
        }
        int name = namesakes.add();
        if (name == names.length) {
            names = Arrays.copyOf(names, name + (name >> 1));
        }
        names[name] = identifier;
        nameIndex.add(salt.hash(identifier.text()), name);
        return name;
    }

    RepositoryAddress address(int repo) {
        return held.has(repo)
                ? held.address(repo)
                : new RepositoryAddress(keys.make(owner(repo), PublicKey::new), names[name(repo)]);
    }

    Identifier identifier(int repo) {
        return name(repo) == NOBODY ? held.address(repo).identifier() : names[name(repo)];
    }

    Level level(int repo) {
        return Level.of((byte) (flags(repo) & LEVEL_MASK));
    }

    void setLevel(int repo, Level level) {
        levels[level(repo).code()]--;
        levels[level.code()]++;
        rows.set(cell(repo, FLAGS), (flags(repo) & ~LEVEL_MASK) | level.code());
    }

    boolean is(int repo, int flag) {
        return (flags(repo) & flag) != 0;
    }

    void mark(int repo, int flag) {
        rows.set(cell(repo, FLAGS), flags(repo) | flag);
    }

    /// Its roots are, or are about to be, looked for in the store.
    ///
    /// @return whether they were not before
    boolean load(int repo) {
        boolean isNew = !is(repo, LOADED);
        if (isNew) {
            mark(repo, LOADED);
            loaded.set(repo, 1);
        }
        return isNew;
    }

    void unmark(int repo, int flag) {
        rows.set(cell(repo, FLAGS), flags(repo) & ~flag);
    }

    /// Visits all with an identifier, ascending.
    void forEach(Identifier identifier, IntConsumer visitor) {
        hasAny(identifier, repo -> isNot(repo, visitor));
    }

    /// Visits all with the same identifier as one, ascending.
    void forEachNamesake(int repo, IntConsumer visitor) {
        hasAnyNamesake(repo, namesake -> isNot(namesake, visitor));
    }

    private static boolean isNot(int repo, IntConsumer visitor) {
        visitor.accept(repo);
        return false;
    }

    /// Whether one of those with an identifier is meant; they are looked at in order until one is.
    boolean hasAny(Identifier identifier, IntPredicate isMeant) {
        return hasAnyNamed(findName(identifier), held.of(identifier), isMeant);
    }

    /// The same of those with the identifier of one.
    boolean hasAnyNamesake(int repo, IntPredicate isMeant) {
        var identifier = identifier(repo);
        int name = name(repo) == NOBODY ? findName(identifier) : name(repo);
        return hasAnyNamed(name, held.of(identifier), isMeant);
    }

    private boolean hasAnyNamed(int name, SortedSet<Integer> waiting, IntPredicate isMeant) {
        int size = name < 0 ? 0 : namesakes.size(name);
        int place = 0;
        for (int repo : waiting) {
            for (; place < size && namesakes.get(name, place) < repo; place++) {
                if (isMeant.test(namesakes.get(name, place))) {
                    return true;
                }
            }
            if (isMeant.test(repo)) {
                return true;
            }
        }
        for (; place < size; place++) {
            if (isMeant.test(namesakes.get(name, place))) {
                return true;
            }
        }
        return false;
    }

    private int owner(int repo) {
        return rows.get(cell(repo, OWNER));
    }

    private int name(int repo) {
        return rows.get(cell(repo, NAME));
    }

    private int flags(int repo) {
        return rows.get(cell(repo, FLAGS));
    }

    private long hash(int owner, int name) {
        return salt.hash(owner, name);
    }

    private static long cell(int repo, int column) {
        return (long) repo * WIDTH + column;
    }

    void keep(Kept kept) {
        met.keep(kept);
        kept.table(loaded);
    }

    /// Meets those that an earlier process had met, with the same ordinals; before anybody else is met.
    Work meeting() {
        int[] at = {0};
        return () -> {
            if (at[0] == met.end()) {
                freeGaps();
                return false;
            }
            var entry = met.read(at[0]);
            int repo = entry.number();
            while (count <= repo) {
                extend();
            }
            register(repo, RepositoryAddress.parse(entry.text()).require());
            if (loaded.get(repo) != 0) {
                mark(repo, LOADED);
            }
            at[0] = entry.next();
            return true;
        };
    }

    /// Ordinals that the earlier process gave to those it let go.
    private void freeGaps() {
        for (int repo = 0; repo < count; repo++) {
            if (name(repo) == NOBODY) {
                free.add(repo);
            }
        }
    }

    long bytes() {
        return rows.bytes() + index.bytes() + nameIndex.bytes() + namesakes.bytes();
    }
}
