package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Repositories that are open. Those that were used last stay open; one that is in use is never closed.
final class OpenRepositories {
    private final int openMax;
    private final long openBytesMax;
    private final Disk disk;
    private final InstantSource clock;
    private final LeftBehind leftBehind;
    private final ReentrantLock lock = new ReentrantLock();

    /// In the order of their last use. Guarded by the lock, as are the counts of what is in it.
    private final LinkedHashMap<RepositoryAddress, OpenRepository> open = new LinkedHashMap<>(16, 0.75f, true);

    OpenRepositories(int openMax, long openBytesMax, Disk disk, InstantSource clock, LeftBehind leftBehind) {
        this.openMax = openMax;
        this.openBytesMax = openBytesMax;
        this.disk = disk;
        this.clock = clock;
        this.leftBehind = leftBehind;
    }

    /// Lends the repository that lies in this directory now.
    RepositoryLease lend(RepositoryAddress address, Path directory) throws IOException {
        var number = OpenRepository.numberOf(directory);
        lock.lock();
        try {
            var known = open.get(address);
            if (known != null && known.isAt(directory, number)) {
                known.lend();
                return new RepositoryLease(this, known);
            }
        } finally {
            lock.unlock();
        }
        leftBehind.removeFrom(directory);
        return lendNew(OpenRepository.open(address, directory, disk, clock));
    }

    /// Two may open the same repository at once, but only one of them keeps it: its refs need one owner.
    private RepositoryLease lendNew(OpenRepository opened) throws IOException {
        var number = OpenRepository.numberOf(opened.directory());
        var idle = new ArrayList<OpenRepository>();
        lock.lock();
        try {
            var used = opened;
            var known = open.get(opened.address());
            if (known != null && known.isAt(opened.directory(), number)) {
                used = known;
                idle.add(opened);
            } else {
                if (known != null && known.retire()) {
                    idle.add(known);
                }
                open.put(opened.address(), opened);
            }
            used.lend();
            takeIdle(idle);
            return new RepositoryLease(this, used);
        } finally {
            lock.unlock();
            idle.forEach(OpenRepository::close);
        }
    }

    void giveBack(OpenRepository used) {
        long weight = weigh(used);
        var idle = new ArrayList<OpenRepository>();
        lock.lock();
        try {
            used.setWeight(weight);
            if (used.giveBack()) {
                idle.add(used);
            }
            takeIdle(idle);
        } finally {
            lock.unlock();
        }
        idle.forEach(OpenRepository::close);
    }

    private void takeIdle(List<OpenRepository> idle) {
        long bytes = open.values().stream().mapToLong(OpenRepository::weight).sum();
        var oldest = open.values().iterator();
        while ((open.size() > openMax || bytes > openBytesMax) && oldest.hasNext()) {
            var candidate = oldest.next();
            if (!candidate.isLent()) {
                oldest.remove();
                bytes -= candidate.weight();
                idle.add(candidate);
            }
        }
    }

    /// What cannot be weighed is on its way out: somebody took its files away.
    private static long weigh(OpenRepository used) {
        try {
            return used.weigh();
        } catch (IOException _) {
            return 0;
        }
    }

    /// See [Repositories#readIndexes].
    void readIndexes(RepositoryAddress address) throws IOException {
        OpenRepository used;
        lock.lock();
        try {
            used = open.get(address);
            if (used == null) {
                return;
            }
            used.lend();
        } finally {
            lock.unlock();
        }
        try {
            used.readIndexes();
        } finally {
            giveBack(used);
        }
    }

    /// See [RepositoryLease#takeOver].
    void takeOver(OpenRepository repository, boolean isPartial) throws IOException {
        ForeignRepository.takeOver(repository.directory(), repository.address().identifier(), isPartial, disk);
        repository.takeOver(isPartial);
    }

    /// See [RepositoryLease#markLacking].
    void markLacking(OpenRepository repository) throws IOException {
        NewRepository.markLacking(repository.directory(), disk);
        repository.markLacking();
    }

    /// See [RepositoryLease#markLacking].
    void putDamagedAside(OpenRepository repository) throws IOException {
        DamagedPacks.putAside(repository.directory(), disk);
    }

    /// See [RepositoryLease#markWhole].
    void markWhole(OpenRepository repository, boolean isPartial) throws IOException {
        NewRepository.markWhole(repository.directory(), isPartial, disk);
        repository.markWhole(isPartial);
    }

    /// Forgets a repository that is no longer there; it is closed when the last use of it ends.
    void retire(RepositoryAddress address) {
        OpenRepository gone;
        lock.lock();
        try {
            gone = open.remove(address);
            if (gone == null || !gone.retire()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        gone.close();
    }

    void retireAll() {
        List<RepositoryAddress> all;
        lock.lock();
        try {
            all = List.copyOf(open.keySet());
        } finally {
            lock.unlock();
        }
        all.forEach(this::retire);
    }

    int size() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }
}
