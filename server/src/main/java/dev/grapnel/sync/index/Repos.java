package dev.grapnel.sync.index;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// The repositories that were ever met: key, level, and who shares their identifier. One that is followed no
/// more stays with level [Level#NONE], and what is known of it stays right, so that it can return at any time.
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

    private final Salt salt;
    private final IdTable keys;
    private final Cells rows;
    private final HashIndex index;
    private final HashIndex nameIndex;
    private final IntLists namesakes;
    /// All of them in the order of their ordinals, for the next process, which must give them the same.
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

    int count() {
        return count;
    }

    /// How many have a level.
    int count(Level level) {
        return levels[level.code()];
    }

    /// The ordinal of a repository; -1 if it was never met.
    int find(RepositoryAddress address) {
        int owner = keys.find(address.owner());
        int name = findName(address.identifier());
        return owner < 0 || name < 0 ? -1 : find(owner, name);
    }

    private int find(int owner, int name) {
        return index.find(hash(owner, name), repo -> owner(repo) == owner && name(repo) == name);
    }

    int intern(RepositoryAddress address) {
        int known = find(address);
        if (known >= 0) {
            return known;
        }
        int repo = add(address);
        met.append(repo, address.toString());
        loaded.set(repo, 0);
        return repo;
    }

    private int add(RepositoryAddress address) {
        return add(keys.intern(address.owner()), internName(address.identifier()));
    }

    private int add(int owner, int name) {
        int repo = count;
        count++;
        rows.set(cell(repo, OWNER), owner);
        rows.set(cell(repo, NAME), name);
        rows.set(cell(repo, FLAGS), Level.NONE.code());
        levels[Level.NONE.code()]++;
        index.add(hash(owner, name), repo);
        namesakes.append(name, repo);
        return repo;
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
        return new RepositoryAddress(keys.make(owner(repo), PublicKey::new), identifier(repo));
    }

    Identifier identifier(int repo) {
        return names[name(repo)];
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
        int name = findName(identifier);
        if (name >= 0) {
            forEachNamed(name, visitor);
        }
    }

    /// Whether one of those with an identifier is meant; they are looked at in order until one is.
    boolean hasAny(Identifier identifier, IntPredicate isMeant) {
        int name = findName(identifier);
        return name >= 0 && hasAnyNamed(name, isMeant);
    }

    /// The same of those with the identifier of one.
    boolean hasAnyNamesake(int repo, IntPredicate isMeant) {
        return hasAnyNamed(name(repo), isMeant);
    }

    private boolean hasAnyNamed(int name, IntPredicate isMeant) {
        int size = namesakes.size(name);
        for (int place = 0; place < size; place++) {
            if (isMeant.test(namesakes.get(name, place))) {
                return true;
            }
        }
        return false;
    }

    /// Visits all with the same identifier as one, ascending.
    void forEachNamesake(int repo, IntConsumer visitor) {
        forEachNamed(name(repo), visitor);
    }

    private void forEachNamed(int name, IntConsumer visitor) {
        int size = namesakes.size(name);
        for (int place = 0; place < size; place++) {
            visitor.accept(namesakes.get(name, place));
        }
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

    /// Meets those that an earlier process had met; before anybody else is met.
    Work meeting() {
        int[] at = {0};
        return () -> {
            if (at[0] == met.end()) {
                return false;
            }
            var entry = met.read(at[0]);
            int repo = add(RepositoryAddress.parse(entry.text()).require());
            if (loaded.get(repo) != 0) {
                mark(repo, LOADED);
            }
            at[0] = entry.next();
            return true;
        };
    }

    long bytes() {
        return rows.bytes() + index.bytes() + nameIndex.bytes() + namesakes.bytes();
    }
}
