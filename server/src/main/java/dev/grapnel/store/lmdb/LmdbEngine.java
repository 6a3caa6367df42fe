package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.lmdb.LMDB;

/// An embedded database in one file, `data.mdb`.
///
/// Opening it only looks at a few pages. A store that is there already is walked through in the background, and
/// the first transaction waits for that: a file with broken structure can be read as far as it goes, but not
/// written to.
public final class LmdbEngine implements TableEngine {
    /// Schema this version writes.
    public static final int SCHEMA = 2;

    private static final byte[] SCHEMA_KEY = "schema".getBytes(StandardCharsets.US_ASCII);

    private final Path directory;
    private final LmdbConfig config;
    private final Access access;
    private final StoreLock lock;
    private final Commits commits;
    private final Soundness soundness;
    private final Scratch scratch = new Scratch();

    /// Held shared while something reads through the native map, exclusively while that map is made, moved or
    /// dropped.
    private final ReentrantReadWriteLock nativeMap = new ReentrantReadWriteLock();

    private PageFile file;
    private volatile @Nullable Environment environment;
    private @Nullable LmdbWrites writing;
    private volatile boolean closed;

    /// The environment must be opened again before the next transaction.
    private volatile boolean isSpoiled;

    /// The system may have lost pages: the file must be checked again before the next transaction.
    private volatile boolean isSuspect;

    /// There are commits that the device may not have.
    private volatile boolean isUnflushed;

    private LmdbEngine(
            Path directory, LmdbConfig config, StoreLock lock, PageFile file, Commit commit, Soundness soundness) {
        this.directory = directory;
        this.config = config;
        this.access = lock.access();
        this.lock = lock;
        this.file = file;
        this.commits = new Commits(config, commit);
        this.soundness = soundness;
    }

    /// Whether there is a store in a directory, or at least the file of one.
    public static boolean exists(Path directory) {
        return StoreFiles.exists(directory);
    }

    /// Length of a store's file.
    ///
    /// @throws StoreFailure if there is none
    public static long fileBytes(Path directory) {
        return StoreFiles.bytes(directory);
    }

    /// Opens the store of a directory, which must exist; its files are created if they are missing. A file that
    /// is there but empty is refused: stores are made in a way that never leaves one.
    ///
    /// @throws StoreFailure if that is not possible; its message says what to do
    public static LmdbEngine open(Path directory, LmdbConfig config) {
        ForeignDatabase.refuse(directory);
        return open(directory, Access.WRITING, lock -> {
            StoreFiles.removeLeftovers(directory);
            return StoreFiles.exists(directory)
                    ? openExisting(config, lock, directory, Soundness::checking)
                    : create(config, lock, directory);
        });
    }

    /// Opens and closes it without a lock.
    static void look(Path directory) throws IOException {
        openExisting(LmdbConfig.DEFAULTS, StoreLock.untaken(directory), directory, _ -> Soundness.sound())
                .close();
    }

    /// Opens the store of a directory to read it, perhaps beside others who read. None of its files is changed;
    /// a directory that cannot be written to is good enough.
    ///
    /// @throws StoreFailure if that is not possible; its message says what to do
    public static LmdbEngine openToRead(Path directory) {
        return open(
                directory,
                Access.READING,
                lock -> openExisting(LmdbConfig.DEFAULTS, lock, directory, _ -> Soundness.sound()));
    }

    private static LmdbEngine open(Path directory, Access access, Opening opening) {
        StoreFiles.requireUsable(directory);
        var lock = StoreLock.acquire(directory, access);
        try {
            return opening.open(lock);
        } catch (IOException e) {
            lock.close();
            throw new StoreFailure("could not open the store in " + directory + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private interface Opening {
        LmdbEngine open(StoreLock lock) throws IOException;
    }

    private static LmdbEngine openExisting(
            LmdbConfig config, StoreLock lock, Path directory, Function<Commit, Soundness> soundness)
            throws IOException {
        var file = new PageFile(directory.resolve(StoreFiles.DATA), lock.access());
        try {
            var commit =
                    commit(file.map(), MetaChoice.newest(directory, file.map().bytes()));
            requireSchema(directory, commit);
            return new LmdbEngine(directory, config, lock, file, commit, soundness.apply(commit));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static LmdbEngine create(LmdbConfig config, StoreLock lock, Path directory) throws IOException {
        StoreFiles.make(directory, config);
        var engine = openExisting(config, lock, directory, _ -> Soundness.sound());
        try {
            engine.connect();
            engine.flush();
            return engine;
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static void requireSchema(Path directory, Commit commit) {
        int found = schema(directory, commit);
        if (found > SCHEMA) {
            throw new StoreFailure(
                    "the store in " + directory + " has schema " + found + ", and this version of Grapnel"
                            + " knows up to " + SCHEMA + "; start the newer version that wrote it");
        }
        if (found != SCHEMA) {
            throw new StoreFailure("the store in " + directory + " has schema " + found
                    + ", and this version of Grapnel" + " needs " + SCHEMA + "; it cannot be converted");
        }
    }

    private static int schema(Path directory, Commit commit) {
        try (var snapshot = new LmdbSnapshot(pinned(commit))) {
            var row = snapshot.find(Table.META, SCHEMA_KEY);
            if (row != null && row.length == Integer.BYTES) {
                return ByteBuffer.wrap(row).getInt();
            }
            if (row == null && commit.meta().main().isEmpty()) {
                return SCHEMA; // made by a start that did not get further
            }
        } catch (StoreDamage _) {
            return SCHEMA; // the check will find it too, and nothing will be written
        }
        throw new StoreFailure(
                "the database in " + directory + " is not a store of Grapnel but another program's, perhaps that of"
                        + " ngit-grasp; nothing was changed: name another directory with --relay-data-path, events come"
                        + " from grapnel import or from clients that publish them again");
    }

    private static Commit pinned(Commit commit) {
        commit.pin();
        return commit;
    }

    private static long mapBytes(LmdbConfig config, long fileBytes) {
        long bytes = config.mapBytes();
        while (bytes < 2 * fileBytes) {
            bytes *= 2;
        }
        return bytes;
    }

    private static Commit commit(PageMap map, Meta meta) {
        var pages = new Pages(map.bytes(), meta.pageBytes(), meta.transaction(), meta.lastPage());
        return new Commit(meta, map, pages, Roots.read(pages, meta.main()));
    }

    @Override
    public TableSnapshot pin() {
        return new LmdbSnapshot(commits.pin());
    }

    /// {@inheritDoc}
    ///
    /// Not for virtual threads: LMDB's lock belongs to the thread of the system.
    ///
    /// @throws MapFull later, from a change or the commit, if the changes need more room than the map had:
    ///     then the map is larger, and the same changes succeed in a new transaction
    @Override
    public WriteTables begin() {
        requireWritable();
        if (writing != null) {
            throw new IllegalStateException("the last transaction has not ended");
        }
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread cannot write: LMDB's lock belongs to a system thread");
        }
        soundness.require();
        var open = connected();
        commits.endForgotten();
        makeRoom(open);
        var begun = begun(open);
        writing = begun;
        return begun;
    }

    private void requireWritable() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
        if (access == Access.READING) {
            throw new IllegalStateException("the store was opened to read it");
        }
    }

    private LmdbWrites begun(Environment open) {
        var usable = open;
        int code = usable.begin();
        if (code == LMDB.MDB_PANIC) {
            isSuspect = true; // it could not write the page from which everything is found
            usable = connected();
            code = usable.begin();
        }
        if (code != 0) {
            throw LmdbError.failure("begin a transaction", code);
        }
        return new LmdbWrites(this, usable, scratch, usable.begun());
    }

    private Environment connected() {
        if (isSpoiled) {
            disconnect();
            isSpoiled = false;
        }
        if (isSuspect) {
            disconnect();
            soundness.recheck(commits.newest());
            isSuspect = false;
            soundness.require();
        }
        var open = environment;
        return open != null && open.isOpen() ? open : connect();
    }

    private Environment connect() {
        nativeMap.writeLock().lock();
        try {
            requireWritable(); // here, because whoever copies may come while another closes
            var open = environment;
            if (open != null && open.isOpen()) {
                return open;
            }
            disconnect();
            var opened = Environment.open(directory, config, mapBytes(config, usedBytes()));
            environment = opened;
            commits.attach(opened);
            openTables(opened);
            return opened;
        } catch (RuntimeException e) {
            disconnect();
            throw e;
        } finally {
            nativeMap.writeLock().unlock();
        }
    }

    private void openTables(Environment opened) {
        int code = opened.begin();
        if (code != 0) {
            throw LmdbError.failure("open the tables", code);
        }
        long transaction = opened.begun();
        try (var writes = new LmdbWrites(this, opened, scratch, transaction)) {
            opened.openTables(transaction);
            if (writes.find(Table.META, SCHEMA_KEY) == null) {
                writes.put(Table.META, SCHEMA_KEY, new byte[] {0, 0, 0, SCHEMA});
            }
            writes.commit();
        }
    }

    private void disconnect() {
        nativeMap.writeLock().lock();
        try {
            var open = environment;
            if (open != null) {
                commits.detach();
                scratch.forgetLasts();
                open.close();
                environment = null;
            }
        } finally {
            nativeMap.writeLock().unlock();
        }
    }

    private long usedBytes() {
        var meta = commits.newest().meta();
        return (meta.lastPage() + 1) * meta.pageBytes();
    }

    private void makeRoom(Environment open) {
        long bytes = open.mapBytes();
        while (usedBytes() > bytes / 4 * 3) {
            bytes *= 2;
        }
        if (bytes != open.mapBytes()) {
            enlarge(open, bytes);
        }
    }

    private void enlarge(Environment open, long bytes) {
        nativeMap.writeLock().lock();
        try {
            open.enlarge(bytes);
        } catch (RuntimeException e) {
            isSpoiled = true;
            throw e;
        } finally {
            nativeMap.writeLock().unlock();
        }
    }

    /// LMDB has committed a transaction.
    void committed(long transaction) {
        writing = null;
        int pageBytes = commits.newest().meta().pageBytes();
        var meta = Meta.read(file.map().bytes(), transaction & 1, pageBytes);
        if (meta.transaction() != transaction) {
            return; // nothing was changed, so nothing was written
        }
        isUnflushed = true;
        try {
            file.cover((meta.lastPage() + 1) * pageBytes);
            commits.publish(commit(file.map(), meta));
        } catch (RuntimeException e) {
            isSpoiled = true;
            throw e;
        }
    }

    /// A transaction was undone.
    void ended() {
        writing = null;
    }

    /// LMDB has refused a change or a commit, and the transaction is undone.
    void failed(int code) {
        writing = null;
        var open = environment;
        if (code == LMDB.MDB_MAP_FULL && open != null) {
            enlarge(open, open.mapBytes() * 2);
        } else if (LmdbError.needsReopening(code, config.durability())) {
            isSpoiled = true;
            isSuspect |= LmdbError.isSerious(code);
        }
    }

    @Override
    public void flush() {
        if (config.durability() == Durability.NONE || !isUnflushed) {
            return;
        }
        isUnflushed = false;
        try {
            file.flush();
        } catch (IOException e) {
            isUnflushed = true;
            isSuspect = true;
            throw new StoreFailure(
                    "could not write the store in " + directory + " to the device: " + e.getMessage()
                            + "; what was stored since the last success may be lost if the machine stops now",
                    e);
        }
    }

    /// Ends snapshots that were held too long after a newer commit came. The writer does so too, at each
    /// transaction.
    public void endForgotten() {
        commits.endForgotten();
    }

    /// What is wrong with the structure of the file as of the last commit; nothing, if it is sound. At most
    /// [PageCheck#PROBLEMS_MAX] are told, and then how many there are.
    public List<String> checkPages() {
        var commit = commits.pin();
        try {
            return PageCheck.problems(commit);
        } finally {
            commit.unpin();
        }
    }

    /// Writes a copy of the last commit, without free pages, while reading and writing go on; only enlarging
    /// the map waits. The file must not exist.
    ///
    /// @throws StoreFailure if that failed, or if the store is damaged
    public void copyTo(Path target) {
        requireWritable();
        soundness.require();
        if (Files.exists(target)) {
            throw new StoreFailure("could not copy the store to " + target + ": there is such a file");
        }
        try {
            var partial = Files.createTempDirectory(target.toAbsolutePath().getParent(), StoreFiles.PARTIAL);
            try {
                copyInto(partial);
                Files.move(partial.resolve(StoreFiles.DATA), target);
            } finally {
                Files.deleteIfExists(partial.resolve(StoreFiles.DATA));
                Files.delete(partial);
            }
        } catch (IOException e) {
            throw new StoreFailure("could not copy the store to " + target + ": " + e.getMessage(), e);
        }
    }

    private void copyInto(Path empty) {
        var open = connectShared();
        try {
            open.copyTo(empty);
        } finally {
            nativeMap.readLock().unlock();
        }
    }

    /// Opens the file if necessary; it stays open until the caller gives the shared lock back.
    private Environment connectShared() {
        nativeMap.writeLock().lock();
        try {
            var open = connect();
            nativeMap.readLock().lock();
            return open;
        } finally {
            nativeMap.writeLock().unlock();
        }
    }

    /// {@inheritDoc}
    ///
    /// The compact copy takes the place of the file in one step, so that a kill at any moment leaves the one or
    /// the other. Snapshots of the newest commit go on reading the old file, which has no name any more; older
    /// ones end.
    @Override
    public void compact() {
        requireWritable();
        if (writing != null) {
            throw new IllegalStateException("the last transaction has not ended");
        }
        requireFileItself();
        var copy = directory.resolve(StoreFiles.COPY);
        try {
            Files.deleteIfExists(copy);
            copyTo(copy);
            Ownership.copy(directory.resolve(StoreFiles.DATA), copy);
            try (var fresh = new PageFile(copy, Access.WRITING)) {
                fresh.flush();
                takePlace(
                        copy,
                        requireSame(commit(
                                fresh.map(),
                                MetaChoice.newest(directory, fresh.map().bytes()))));
            }
        } catch (IOException e) {
            throw new StoreFailure("could not compact the store in " + directory + ": " + e.getMessage(), e);
        }
    }

    /// A copy cannot take the place of a link: what it leads to would stay, with all that was to be forgotten.
    private void requireFileItself() {
        var data = directory.resolve(StoreFiles.DATA);
        if (Files.isSymbolicLink(data)) {
            throw new StoreFailure("could not compact the store in " + directory + ": " + data
                    + " is a link; move the file here, and make the directory a link instead");
        }
    }

    /// A copy must be sound and have as much in every table as the original.
    private Commit requireSame(Commit copy) {
        var problems = PageCheck.problems(copy);
        for (var table : Table.values()) {
            if (!problems.isEmpty()
                    || copy.tree(table).entries()
                            != commits.newest().tree(table).entries()) {
                throw new StoreFailure("the compact copy of the store in " + directory
                        + " is not what it should be, so the store stays as it is: "
                        + (problems.isEmpty() ? table.storedName() + " differs" : problems.getFirst()));
            }
        }
        return copy;
    }

    /// Nobody may open the old file meanwhile, not even to copy it: what is written to it then is lost.
    private void takePlace(Path copy, Commit commit) throws IOException {
        nativeMap.writeLock().lock();
        try {
            disconnect();
            replaceFile(copy, commit);
        } finally {
            nativeMap.writeLock().unlock();
        }
    }

    private void replaceFile(Path copy, Commit commit) throws IOException {
        Files.move(copy, directory.resolve(StoreFiles.DATA), StandardCopyOption.ATOMIC_MOVE);
        file.close();
        file = new PageFile(directory.resolve(StoreFiles.DATA), Access.WRITING);
        commits.publish(commit);
        StoreFiles.flushNames(directory);
    }

    /// What the file is used for as of the last commit.
    public LmdbStats stats() {
        var commit = commits.pin();
        try {
            var meta = commit.meta();
            var tables = new EnumMap<Table, LmdbStats.TableStats>(Table.class);
            for (var table : Table.values()) {
                var tree = commit.tree(table);
                tables.put(
                        table, new LmdbStats.TableStats(tree.entries(), tree.pages() * meta.pageBytes(), tree.depth()));
            }
            long free = FreeList.pages(commit.pages(), meta.free());
            long used = (meta.lastPage() + 1 - free) * meta.pageBytes();
            return new LmdbStats(fileBytes(directory), used, free, tables);
        } finally {
            commit.unpin();
        }
    }

    /// Ends all snapshots, an open transaction too, and lets others have the directory. Not while another
    /// thread writes.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        var open = writing;
        if (open != null) {
            open.close();
        }
        closed = true;
        boolean hasWritten = environment != null;
        try {
            flush();
        } finally {
            disconnect();
            commits.close();
            soundness.close();
            commits.letGo();
            if (hasWritten) {
                trim();
            }
            file.close();
            lock.close();
        }
    }

    private void trim() {
        try {
            file.trim(usedBytes());
        } catch (IOException _) {
            // Then the file ends with a hole; it is as good.
        }
    }
}
