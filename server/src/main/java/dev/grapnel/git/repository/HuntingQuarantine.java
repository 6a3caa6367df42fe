package dev.grapnel.git.repository;

import dev.grapnel.nostr.repository.Identifier;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where one pack waits until it may come into a hunting area. Closing it deletes what was not moved in.
///
/// The leases it was made with must stay open as long. Used by one thread.
public final class HuntingQuarantine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HuntingQuarantine.class);

    private final Path directory;
    private final HuntingAreas areas;
    private final Identifier identifier;
    private final List<RepositoryLease> restsOn;
    private final HuntingLimits limits;
    private final Optional<StagedObjects> area;
    private long counted;
    private boolean isClosed;

    private HuntingQuarantine(
            Path directory,
            HuntingAreas areas,
            Identifier identifier,
            List<RepositoryLease> restsOn,
            HuntingLimits limits)
            throws IOException {
        this.directory = directory;
        this.areas = areas;
        this.identifier = identifier;
        this.restsOn = List.copyOf(restsOn);
        this.limits = limits;
        this.area = areas.open(identifier);
    }

    static HuntingQuarantine at(
            Path directory,
            HuntingAreas areas,
            Identifier identifier,
            List<RepositoryLease> restsOn,
            HuntingLimits limits)
            throws IOException {
        Files.createDirectory(directory);
        Files.createDirectory(Quarantine.packDirectory(directory));
        return new HuntingQuarantine(directory, areas, identifier, restsOn, limits);
    }

    /// Where the pack is to be written. Whoever does makes sure that it lies on the device before it is
    /// moved in.
    public Path packDirectory() {
        return Quarantine.packDirectory(directory);
    }

    /// Reads what was here before: the area, and the repositories it may rest on. By one thread, who closes
    /// it.
    public ObjectReader here() {
        var readers = new ArrayList<ObjectReader>();
        area.ifPresent(objects -> readers.add(objects.newReader()));
        restsOn.forEach(lease -> readers.add(lease.newReader()));
        return new CombinedReader(readers);
    }

    /// Counts what comes. Ends with [NoRoom] when there is too much of it.
    public InputStream watching(InputStream pack) {
        return new FilterInputStream(pack) {
            @Override
            public int read() throws IOException {
                int next = super.read();
                count(next < 0 ? 0 : 1);
                return next;
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int got = super.read(bytes, from, length);
                count(Math.max(0, got));
                return got;
            }
        };
    }

    private void count(long more) throws NoRoom {
        areas.grow(identifier, more, limits);
        counted += more;
    }

    /// Gives the pack to the area, where whoever opens it from now on sees it. Durable when it returns.
    ///
    /// @param isClosed whether no object of the pack names anything that is not in it
    /// @return whether the area is still there; otherwise nobody wants the pack any more
    /// @throws NoRoom if the pack takes more than came, and that is too much
    public boolean moveIn(boolean isClosed) throws IOException {
        var packs = Quarantine.packNames(packDirectory());
        long bytes = 0;
        for (var pack : packs) {
            bytes += Files.size(packDirectory().resolve(pack + ".pack"));
            bytes += Files.size(packDirectory().resolve(pack + Quarantine.INDEX));
        }
        count(bytes - counted);
        var added = areas.keep(identifier, packs, isClosed, packDirectory());
        counted -= added.orElse(0);
        return added.isPresent();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        area.ifPresent(StagedObjects::close);
        areas.end(identifier, counted);
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            LOG.warn("quarantine left behind, the next start removes it directory={}", directory, e);
        }
    }
}
