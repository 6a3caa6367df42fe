package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.DataDirectory.Area;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// All repositories of the server.
public final class Repositories implements AutoCloseable {
    private final DataDirectory data;
    private final RepositoryPlaces places;
    private final OpenRepositories open;
    private final Trash trash;
    private final Staging staging;
    private final HuntingAreas hunting;
    private final Disk disk;
    private final InstantSource clock;
    private final DirectoryLock lock;

    /// Held while a repository gets or loses its place: a rename and a forced directory.
    private final ReentrantLock placing = new ReentrantLock();

    private Repositories(
            DataDirectory data,
            RepositoryPlaces places,
            RepositoriesConfig config,
            Disk disk,
            InstantSource clock,
            DirectoryLock lock)
            throws IOException {
        this.data = data;
        this.places = places;
        this.open = new OpenRepositories(
                config.openMax(), config.openBytesMax(), disk, clock, LeftBehind.before(data.lock()));
        this.trash = new Trash(data, disk);
        this.staging = new Staging(data, disk, clock);
        this.hunting = HuntingAreas.load(data, disk);
        this.disk = disk;
        this.clock = clock;
        this.lock = lock;
    }

    /// Takes the directory for this process alone, makes what is missing, and removes what a kill left
    /// behind.
    ///
    /// @throws IOException also if another process has it
    public static Repositories open(Path gitData, RepositoriesConfig config, InstantSource clock) throws IOException {
        return open(gitData, config, clock, Disk.REAL);
    }

    /// The same on a disk of the caller's.
    public static Repositories open(Path gitData, RepositoriesConfig config, InstantSource clock, Disk disk)
            throws IOException {
        return open(gitData, config, clock, disk, EntryNames::probe);
    }

    /// Finds out what a file system does with names, with the help of a directory.
    interface NameProbe {
        EntryNames in(Path directory) throws IOException;
    }

    static Repositories open(Path gitData, RepositoriesConfig config, InstantSource clock, Disk disk, NameProbe names)
            throws IOException {
        GitLibrary.configure(config.caches());
        var data = DataDirectory.at(gitData);
        var lock = DirectoryLock.take(data);
        try {
            StartSweep.run(data, disk);
            var places = new RepositoryPlaces(data, names.in(data.area(Area.PROBE)));
            return new Repositories(data, places, config, disk, clock, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// The repository, if it is there.
    public Optional<RepositoryLease> find(RepositoryAddress address) throws IOException {
        var place = places.find(address);
        try {
            return place.isPresent() ? Optional.of(open.lend(address, place.get())) : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty(); // removed at this moment
        }
    }

    /// The repository; an empty one is made if there is none. It is never to be seen half made.
    public RepositoryLease create(RepositoryAddress address) throws IOException {
        var found = find(address);
        if (found.isPresent()) {
            return found.get();
        }
        var made = data.fresh(Area.MAKING);
        try {
            NewRepository.write(made, address.identifier(), disk);
            return open.lend(address, place(made, address));
        } finally {
            FileTree.delete(made);
        }
    }

    /// Puts a repository in its place, unless one is there.
    private Path place(Path made, RepositoryAddress address) throws IOException {
        placing.lock();
        try {
            var there = places.find(address);
            if (there.isPresent()) {
                return there.get();
            }
            var place = places.forNew(address);
            putAt(made, place);
            return place;
        } finally {
            placing.unlock();
        }
    }

    private void putAt(Path repository, Path place) throws IOException {
        disk.rename(repository, place);
        disk.forceDirectory(Objects.requireNonNull(place.getParent()));
        disk.forceDirectory(data.root());
    }

    /// Removes a repository. It is gone at once, even though deleting all of it takes a while.
    ///
    /// @return whether it was there
    public boolean remove(RepositoryAddress address) throws IOException {
        var doomed = data.fresh(Area.DOOMED);
        if (!takeAway(address, doomed)) {
            return false;
        }
        FileTree.delete(doomed);
        return true;
    }

    private boolean takeAway(RepositoryAddress address, Path to) throws IOException {
        placing.lock();
        try {
            var place = places.find(address);
            if (place.isEmpty()) {
                return false;
            }
            disk.rename(place.get(), to);
            open.retire(address);
            disk.forceDirectory(Objects.requireNonNull(place.get().getParent()));
            return true;
        } finally {
            placing.unlock();
        }
    }

    /// Reads the index of every pack that whoever uses a repository just now may read. Without, git would
    /// complain at length about each pack whose index goes, before it looks where the objects are now.
    public void readIndexes(RepositoryAddress address) throws IOException {
        open.readIndexes(address);
    }

    /// Makes whoever comes from now on see the files of a repository as they are; those who use it go on as
    /// before.
    public void reopen(RepositoryAddress address) {
        open.retire(address);
    }

    /// Puts a repository aside, from where it can be brought back; empty if there is none.
    public Optional<Trashed> trash(RepositoryAddress address) throws IOException {
        if (places.find(address).isEmpty()) {
            return Optional.empty();
        }
        var trashed = trash.prepare(address, clock.instant());
        if (!takeAway(address, trash.repository(trashed))) {
            trash.forget(trashed);
            return Optional.empty();
        }
        return Optional.of(trashed);
    }

    /// Brings a repository back, unless there is another one in its place by now.
    public Restoration restore(Trashed trashed) throws IOException {
        placing.lock();
        try {
            if (places.find(trashed.address()).isPresent()) {
                return Restoration.OCCUPIED;
            }
            var repository = trash.repository(trashed);
            if (!FileTree.isDirectory(repository)) {
                return Restoration.GONE;
            }
            if (NewRepository.findIdentifier(repository).isEmpty()) {
                NewRepository.addIdentifier(repository, trashed.address().identifier(), disk);
            }
            putAt(repository, places.forNew(trashed.address()));
        } finally {
            placing.unlock();
        }
        trash.forget(trashed);
        return Restoration.DONE;
    }

    /// What was put aside, the oldest first.
    public List<Trashed> listTrash() throws IOException {
        return trash.list();
    }

    /// Deletes what was put aside before a moment.
    ///
    /// @return how many that were
    public int purgeTrash(Instant before) throws IOException {
        int count = 0;
        for (var trashed : trash.list()) {
            if (trashed.time().isBefore(before) && purge(trashed)) {
                count++;
            }
        }
        return count;
    }

    /// Deletes one that was put aside; false if it is there no longer.
    public boolean purge(Trashed trashed) throws IOException {
        var doomed = data.fresh(Area.DOOMED);
        placing.lock();
        try {
            if (!FileTree.isDirectory(trash.repository(trashed))) {
                return false;
            }
            disk.rename(trash.repository(trashed), doomed);
        } finally {
            placing.unlock();
        }
        trash.forget(trashed);
        FileTree.delete(doomed);
        return true;
    }

    /// Where objects are that nobody has signed yet.
    public Staging staging() {
        return staging;
    }

    /// Where objects are that were fetched for events which wait.
    public HuntingAreas hunting() {
        return hunting;
    }

    /// A place for objects on their way into a repository, which may rest on those of others.
    public Quarantine quarantine(RepositoryLease into, List<RepositoryLease> restsOn) throws IOException {
        return Quarantine.at(data.fresh(Area.QUARANTINE), disk, into, restsOn);
    }

    /// A file beside the repositories for something that is to be remembered.
    public Path ownFile(String name) {
        return data.ownFile(name);
    }

    /// A directory to work in.
    public WorkSpace newWorkSpace() throws IOException {
        return new WorkSpace(data.fresh(Area.QUARANTINE));
    }

    /// All of them, in no order.
    public List<RepositoryAddress> list() throws IOException {
        var all = new ArrayList<RepositoryAddress>();
        forEach(all::add);
        return all;
    }

    /// Names them one by one, so that any number may be there. What comes or goes meanwhile may be missed.
    public void forEach(Consumer<RepositoryAddress> visitor) throws IOException {
        forEachPlace(place -> visitor.accept(place.address()));
    }

    /// The same with their places.
    private void forEachPlace(Consumer<RepositoryPlace> visitor) throws IOException {
        RepositoryTree.forEach(
                data.root(),
                (owner, directory) -> places.findAddress(owner.key(), directory)
                        .ifPresent(address -> visitor.accept(new RepositoryPlace(address, directory))));
    }

    /// Where the repository lies, if it is there.
    public Optional<RepositoryPlace> findPlace(RepositoryAddress address) throws IOException {
        return places.find(address).map(directory -> new RepositoryPlace(address, directory));
    }

    /// Whether a repository is there that another server made and nobody has compared with events yet.
    public boolean isForeign(RepositoryAddress address) throws IOException {
        var place = places.find(address);
        return place.isPresent() && NewRepository.findIdentifier(place.get()).isEmpty();
    }

    /// Where all of them lie, in no order.
    public List<RepositoryPlace> listPlaces() throws IOException {
        var all = new ArrayList<RepositoryPlace>();
        forEachPlace(all::add);
        return all;
    }

    /// How many are open.
    int openCount() {
        return open.size();
    }

    /// Where all of it is written.
    public Disk disk() {
        return disk;
    }

    InstantSource clock() {
        return clock;
    }

    /// Closes all repositories as their last uses end, and lets other processes have the directory.
    @Override
    public void close() throws IOException {
        open.retireAll();
        hunting.close();
        lock.close();
    }
}
