package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.DataDirectory.Area;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.util.FS;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Objects that were fetched from elsewhere for events that wait: one area for each identifier, apart from
/// every repository, so that nothing of it is ever served, and all of it can go at once (purgatory P-660).
///
/// Packs of several fetches gather in an area, and stay there over a restart: a pack is in it whole, or not
/// at all. Nothing here deletes an area by itself. Its directory is called by a digest, because any
/// identifier must have one and none may lead elsewhere; what it is for stands in it.
///
/// Used by many threads. Several may fetch for one identifier at a time.
public final class HuntingAreas {
    private static final String LABEL = "identifier";

    /// There while an area is read for the first time since a start: what ends the process then would end the next
    /// one, too.
    private static final String READING = "reading";

    private static final Logger LOG = LoggerFactory.getLogger(HuntingAreas.class);

    private final DataDirectory data;
    private final Disk disk;

    /// Held while a directory comes, gets a pack or goes.
    private final ReentrantLock placing = new ReentrantLock();

    /// Held for a moment, also while the other one is.
    private final ReentrantLock counting = new ReentrantLock();

    private final Map<Identifier, Room> rooms = new HashMap<>();
    private long total;

    /// What an area takes.
    private static final class Room {
        /// On disk, and on the way there.
        private long bytes;

        private boolean isThere;
        private int incoming;

        /// Whether it was here before this process and nobody has read it to an end since.
        private boolean isUntried;

        /// Packs that came while this process runs and name nothing outside of themselves, so that nobody need look
        /// through them again.
        private final Set<String> closed = new HashSet<>();
    }

    private HuntingAreas(DataDirectory data, Disk disk) {
        this.data = data;
        this.disk = disk;
    }

    /// Looks what there is. An area that nobody can name any more goes, and so does one that cannot be read, or over
    /// which the last process ended: all of it can be fetched again, and no area is worth a start.
    static HuntingAreas load(DataDirectory data, Disk disk) throws IOException {
        var areas = new HuntingAreas(data, disk);
        for (var area : FileTree.entries(data.require(Area.HUNTING))) {
            try {
                if (!areas.load(area)) {
                    FileTree.delete(area);
                }
            } catch (IOException e) {
                LOG.warn("hunting.dropped directory={} error={}: it cannot be read", area, e.toString());
                deleteIfPossible(area);
            }
        }
        return areas;
    }

    private static void deleteIfPossible(Path area) {
        try {
            FileTree.delete(area);
        } catch (IOException e) {
            LOG.warn("hunting area left behind, it is not used directory={} error={}", area, e.toString());
        }
    }

    /// Whether it is to stay.
    private boolean load(Path area) throws IOException {
        var identifier = findIdentifier(area);
        if (Files.exists(area.resolve(READING))) {
            LOG.warn(
                    "hunting.dropped identifier={} directory={}: the last process ended while it read what was fetched;"
                            + " it can be fetched again",
                    identifier.map(Identifier::text).orElse("?"),
                    area);
            return false;
        }
        if (identifier.isPresent()) {
            var room = new Room();
            room.isThere = true;
            room.isUntried = true;
            room.bytes = bytesIn(Quarantine.packDirectory(area));
            rooms.put(identifier.get(), room);
            total += room.bytes;
        }
        return identifier.isPresent();
    }

    private static Optional<Identifier> findIdentifier(Path area) throws IOException {
        try {
            return Identifier.parse(new String(Files.readAllBytes(area.resolve(LABEL)), UTF_8))
                    .find()
                    .filter(identifier -> nameOf(identifier).equals(String.valueOf(area.getFileName())));
        } catch (NoSuchFileException | NotDirectoryException _) {
            return Optional.empty();
        }
    }

    /// Whether a file in an area belongs to a pack that came in whole.
    static boolean isWhole(Path file) {
        var name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        var pack = dot < 0 ? name : name.substring(0, dot);
        return Quarantine.PACK.matcher(pack + ".pack").matches()
                && Files.exists(file.resolveSibling(pack + ".pack"))
                && Files.exists(file.resolveSibling(pack + Quarantine.INDEX));
    }

    /// Begins to receive a pack for an identifier, whose area is made if there is none.
    ///
    /// @param restsOn what the pack may rest on besides the area; they stay open as long
    /// @throws NoRoom if there is none left already
    public HuntingQuarantine receive(Identifier identifier, List<RepositoryLease> restsOn, HuntingLimits limits)
            throws IOException {
        begin(identifier);
        try {
            grow(identifier, 1, limits);
            grow(identifier, -1, limits);
            require(identifier);
            return HuntingQuarantine.at(data.fresh(Area.QUARANTINE), this, identifier, restsOn, limits);
        } catch (IOException | RuntimeException e) {
            end(identifier, 0);
            throw e;
        }
    }

    private void begin(Identifier identifier) {
        counting.lock();
        try {
            rooms.computeIfAbsent(identifier, _ -> new Room()).incoming++;
        } finally {
            counting.unlock();
        }
    }

    private void require(Identifier identifier) throws IOException {
        placing.lock();
        try {
            if (!FileTree.isDirectory(place(identifier))) {
                make(identifier);
            }
            setThere(identifier, true, 0);
        } finally {
            placing.unlock();
        }
    }

    private void setThere(Identifier identifier, boolean isThere, long gone) {
        counting.lock();
        try {
            var room = room(identifier);
            room.isThere = isThere;
            if (!isThere) {
                room.isUntried = false;
                room.closed.clear();
            }
            count(room, -gone);
            forgetIfEmpty(identifier, room);
        } finally {
            counting.unlock();
        }
    }

    /// The label comes first: without it nobody could say what the area is for.
    private void make(Identifier identifier) throws IOException {
        var made = data.fresh(Area.MAKING);
        try {
            Files.createDirectory(made);
            Files.createDirectory(Quarantine.packDirectory(made));
            disk.write(made.resolve(LABEL), out -> out.write(identifier.text().getBytes(UTF_8)));
            disk.forceDirectory(made);
            data.require(Area.HUNTING);
            disk.rename(made, place(identifier));
            disk.forceDirectory(data.area(Area.HUNTING));
        } finally {
            FileTree.delete(made);
        }
    }

    /// More comes.
    void grow(Identifier identifier, long more, HuntingLimits limits) throws NoRoom {
        counting.lock();
        try {
            var room = room(identifier);
            if (more > 0) {
                requireRoom(room, more, limits);
            }
            count(room, more);
        } finally {
            counting.unlock();
        }
    }

    private void requireRoom(Room room, long more, HuntingLimits limits) throws NoRoom {
        if (more > limits.areaBytes() - room.bytes) {
            throw new NoRoom(NoRoom.Where.AREA, limits.areaBytes());
        }
        if (more > limits.totalBytes() - total) {
            throw new NoRoom(NoRoom.Where.TOTAL, limits.totalBytes());
        }
    }

    private void count(Room room, long more) {
        room.bytes += more;
        total += more;
    }

    private Room room(Identifier identifier) {
        var room = rooms.get(identifier);
        if (room == null) {
            throw new IllegalStateException("nothing is received for " + identifier);
        }
        return room;
    }

    /// Puts packs into an area, durably.
    ///
    /// @param packs whose room was asked for
    /// @param areClosed whether none of them names anything that is not in it
    /// @return the bytes that are there now and were not before; empty if the area was deleted meanwhile
    OptionalLong keep(Identifier identifier, List<String> packs, boolean areClosed, Path from) throws IOException {
        placing.lock();
        try {
            if (!isThere(identifier)) {
                return OptionalLong.empty();
            }
            var target = Quarantine.packDirectory(place(identifier));
            long added = 0;
            for (var pack : packs) {
                added += move(pack, from, target);
            }
            disk.forceDirectory(target);
            if (areClosed) {
                noteClosed(identifier, packs);
            }
            return OptionalLong.of(added);
        } finally {
            placing.unlock();
        }
    }

    private void noteClosed(Identifier identifier, List<String> packs) {
        counting.lock();
        try {
            packs.forEach(pack -> room(identifier).closed.add(pack + ".pack"));
        } finally {
            counting.unlock();
        }
    }

    private Set<String> closed(Identifier identifier) {
        counting.lock();
        try {
            var room = rooms.get(identifier);
            return room == null ? Set.of() : Set.copyOf(room.closed);
        } finally {
            counting.unlock();
        }
    }

    /// The index last: a pack counts from the moment it has one. Its name is the digest of what is in it,
    /// so one that is there already is the same.
    private long move(String pack, Path from, Path target) throws IOException {
        var moved = target.resolve(pack + ".pack");
        var index = target.resolve(pack + Quarantine.INDEX);
        if (Files.exists(index)) {
            if (Files.exists(moved)) {
                return 0;
            }
            disk.delete(index); // somebody took its pack away
        }
        disk.rename(from.resolve(moved.getFileName()), moved);
        try {
            disk.rename(from.resolve(index.getFileName()), index);
        } catch (IOException e) {
            disk.delete(moved);
            throw e;
        }
        return Files.size(moved) + Files.size(index);
    }

    /// Nothing more comes from one who received.
    ///
    /// @param unused what was counted and did not stay
    void end(Identifier identifier, long unused) {
        counting.lock();
        try {
            var room = room(identifier);
            count(room, -unused);
            room.incoming--;
            forgetIfEmpty(identifier, room);
        } finally {
            counting.unlock();
        }
    }

    private void forgetIfEmpty(Identifier identifier, Room room) {
        if (!room.isThere && room.incoming == 0) {
            count(room, -room.bytes);
            rooms.remove(identifier);
        }
    }

    /// What lies in an area, if there is one. For one thread, who closes it.
    public Optional<StagedObjects> open(Identifier identifier) throws IOException {
        if (!isThere(identifier) || !FileTree.isDirectory(place(identifier))) {
            return Optional.empty();
        }
        markIfUntried(identifier);
        return Optional.of(new StagedObjects(
                new ObjectDirectory(new Config(), place(identifier).toFile(), null, FS.DETECTED, null),
                closed(identifier)));
    }

    /// Not durable: this is for processes that end, not for machines that do.
    private void markIfUntried(Identifier identifier) {
        if (isUntried(identifier)) {
            try {
                Files.write(place(identifier).resolve(READING), new byte[0]);
            } catch (IOException e) {
                LOG.warn("hunting area not marked identifier={} error={}", identifier, e.toString());
            }
        }
    }

    private boolean isUntried(Identifier identifier) {
        counting.lock();
        try {
            var room = rooms.get(identifier);
            return room != null && room.isUntried;
        } finally {
            counting.unlock();
        }
    }

    /// All of an area that anybody needs was read, and this process goes on.
    public void tried(Identifier identifier) {
        if (!isUntried(identifier)) {
            return;
        }
        counting.lock();
        try {
            var room = rooms.get(identifier);
            if (room != null) {
                room.isUntried = false;
            }
        } finally {
            counting.unlock();
        }
        try {
            Files.deleteIfExists(place(identifier).resolve(READING));
        } catch (IOException e) {
            LOG.warn("hunting area stays marked identifier={} error={}", identifier, e.toString());
        }
    }

    /// This process ends as it should.
    void close() {
        list().forEach(this::tried);
    }

    /// Whether there is an area, be it empty.
    public boolean isThere(Identifier identifier) {
        counting.lock();
        try {
            var room = rooms.get(identifier);
            return room != null && room.isThere;
        } finally {
            counting.unlock();
        }
    }

    /// Deletes an area; whether there was one. What is being received for it goes nowhere.
    public boolean delete(Identifier identifier) throws IOException {
        var doomed = data.fresh(Area.DOOMED);
        placing.lock();
        try {
            if (!isThere(identifier)) {
                return false;
            }
            if (FileTree.isDirectory(place(identifier))) {
                disk.rename(place(identifier), doomed);
            }
            setThere(identifier, false, bytesIn(Quarantine.packDirectory(doomed)));
        } finally {
            placing.unlock();
        }
        FileTree.delete(doomed);
        return true;
    }

    /// Deletes packs of an area, the index first: without it a pack does not count. Whoever reads one of them meanwhile
    /// fails as if the disk did.
    ///
    /// @param isKept by the name of a pack, without what stands behind its dot
    /// @return bytes that are free now
    public long deletePacks(Identifier identifier, Predicate<String> isKept) throws IOException {
        placing.lock();
        try {
            if (!isThere(identifier)) {
                return 0;
            }
            var directory = Quarantine.packDirectory(place(identifier));
            long freed = 0;
            for (var pack : Quarantine.packNames(directory)) {
                if (!isKept.test(pack)) {
                    freed += delete(directory.resolve(pack + Quarantine.INDEX));
                    freed += delete(directory.resolve(pack + ".pack"));
                }
            }
            disk.forceDirectory(directory);
            setThere(identifier, true, freed);
            return freed;
        } finally {
            placing.unlock();
        }
    }

    /// Deletes packs that have one of some objects, which cannot be read, and those whose index cannot be read.
    ///
    /// @return their names
    public Set<String> dropUnreadable(Identifier identifier, Set<ObjectId> objects) throws IOException {
        var bad = new TreeSet<String>();
        try (var area = open(identifier).orElse(null)) {
            if (area == null) {
                return bad;
            }
            for (var pack : area.objects().getPacks()) {
                if (isBad(pack, objects)) {
                    bad.add("pack-" + pack.getPackName());
                }
            }
        }
        if (!bad.isEmpty()) {
            deletePacks(identifier, name -> !bad.contains(name));
        }
        return bad;
    }

    private static boolean isBad(Pack pack, Set<ObjectId> objects) {
        try {
            pack.getIndex();
            for (var object : objects) {
                if (pack.hasObject(object)) {
                    return true;
                }
            }
            return false;
        } catch (IOException _) { // nobody can read it, so nothing is lost with it
            return true;
        }
    }

    private long delete(Path file) throws IOException {
        long bytes = Files.size(file);
        disk.delete(file);
        return bytes;
    }

    /// Identifiers for which there is an area, in order.
    public List<Identifier> list() {
        counting.lock();
        try {
            return rooms.entrySet().stream()
                    .filter(entry -> entry.getValue().isThere)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
        } finally {
            counting.unlock();
        }
    }

    /// Bytes of an area, those on their way into it included.
    public long bytes(Identifier identifier) {
        counting.lock();
        try {
            var room = rooms.get(identifier);
            return room == null ? 0 : room.bytes;
        } finally {
            counting.unlock();
        }
    }

    /// Bytes of all areas.
    public long bytes() {
        counting.lock();
        try {
            return total;
        } finally {
            counting.unlock();
        }
    }

    private static long bytesIn(Path directory) throws IOException {
        long bytes = 0;
        for (var file : FileTree.entries(directory)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    private Path place(Identifier identifier) {
        return data.area(Area.HUNTING).resolve(nameOf(identifier));
    }

    private static String nameOf(Identifier identifier) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(identifier.text().getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
