package dev.grapnel.git.repository;

import dev.grapnel.git.Hosting.Hosted;
import dev.grapnel.git.refs.Peeler;
import dev.grapnel.git.refs.RefStore;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.ObjectReader;

/// The right to use an open repository until it is closed. By any thread; several may have one at a time.
///
/// A repository that is removed meanwhile can be read no longer: then reading fails as if the disk did.
public final class RepositoryLease implements AutoCloseable {
    private final OpenRepositories open;
    private final OpenRepository repository;
    private final AtomicBoolean closed = new AtomicBoolean();

    RepositoryLease(OpenRepositories open, OpenRepository repository) {
        this.open = open;
        this.repository = repository;
    }

    /// Whose it is, and what it is called.
    public RepositoryAddress address() {
        return repository.address();
    }

    /// Where it lies.
    public Path directory() {
        return repository.directory();
    }

    /// Its refs: the only way to read and change them, because the git library's own knows nothing of our
    /// locks.
    public RefStore refs() {
        return repository.refs();
    }

    /// Whether another server made it and nobody has compared its refs with events yet: until then they are
    /// hints where objects are, and not to be shown (purgatory P-715).
    public boolean isForeign() {
        return repository.isForeign();
    }

    /// Whether something in it may lack what it names. Other servers' rubbish does, and what lost files; what we
    /// make never.
    public boolean isPartial() {
        return repository.isPartial();
    }

    /// Whether its refs are known to lack something that they reach, because files were lost.
    public boolean isLacking() {
        return repository.isLacking();
    }

    /// Something that its refs reach is missing: durably so, until somebody has brought it. Packs that cannot
    /// be read are put aside, so that others can take their place; who reads it must open it anew then. One
    /// that another server made is looked at as a whole anyway before it is used.
    public void markLacking() throws IOException {
        if (!isForeign()) {
            if (!isLacking()) {
                open.markLacking(repository);
            }
            open.putDamagedAside(repository);
        }
    }

    /// Everything that its refs reach is there again.
    ///
    /// @param isPartial whether something that its refs do not reach lacks what it names
    public void markWhole(boolean isPartial) throws IOException {
        open.markWhole(repository, isPartial);
    }

    /// Makes it ours, durably: its refs are what events say.
    ///
    /// @param isPartial whether something that its refs do not reach lacks what it names
    /// @throws FamilyLayout if it borrows objects
    public void takeOver(boolean isPartial) throws IOException {
        open.takeOver(repository, isPartial);
    }

    /// What of it may be seen; to be asked before its refs are read.
    public Hosted seenAs(Hosted hosted) {
        return isForeign() && !hosted.trustsFound() ? Hosted.NOTHING : hosted;
    }

    /// Its objects.
    public ObjectDirectory objects() {
        return repository.git().getObjectDatabase();
    }

    /// Makes a pack that came into its directory known to everybody who reads it.
    void openPack(Path pack) throws IOException {
        repository.openPack(pack);
    }

    /// How many packs came since it was opened, by this process.
    int arrivals() {
        return repository.arrivals();
    }

    /// Reads its objects; by one thread, who closes it.
    public ObjectReader newReader() {
        return repository.git().newObjectReader();
    }

    /// The repository as the git library sees it. Not for refs.
    public FileRepository git() {
        return repository.git();
    }

    /// Knows what the tags in it stand for.
    public Peeler peeler() {
        return id -> OpenRepository.peel(repository.git(), id);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            open.giveBack(repository);
        }
    }
}
