package dev.grapnel.git.pool;

import dev.grapnel.git.pool.LocalPool.Shown;
import dev.grapnel.git.reach.Neighbours;
import dev.grapnel.git.reach.Reach;
import dev.grapnel.git.repository.CombinedReader;
import dev.grapnel.git.repository.RepositoryLease;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A repository of somebody else, of which only what everybody may see counts.
final class ShownPlace {
    private static final Logger LOG = LoggerFactory.getLogger(ShownPlace.class);

    private final RepositoryLease lease;
    private final Place place;
    private final Shown shown;
    private @Nullable SequencedSet<ObjectId> tips;

    ShownPlace(RepositoryLease lease, Place place, Shown shown) {
        this.lease = lease;
        this.place = place;
        this.shown = shown;
    }

    Place place() {
        return place;
    }

    /// New objects that rest on what is asked for: what they were made from stands beside it.
    ///
    /// @param places where they are
    /// @param from where they begin
    record Newcomers(List<Place> places, Collection<ObjectId> from, Predicate<ObjectId> isNew) {}

    /// Those of some objects that may be seen here. When the search meets something that is missing or cannot be
    /// read, none of them: what would be taken for complete might not be.
    ///
    /// @throws InterruptedIOException if nobody wants to know any more
    Set<ObjectId> visible(Collection<ObjectId> ids, Newcomers newcomers) throws InterruptedIOException {
        try {
            return findVisible(ids, newcomers);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (MissingObjectException _) {
            return Set.of();
        } catch (IOException | LargeObjectException e) {
            LOG.warn("repository cannot be read repo={} error={}", lease.address(), e.toString());
            return Set.of();
        }
    }

    private Set<ObjectId> findVisible(Collection<ObjectId> ids, Newcomers newcomers) throws IOException {
        var present = new TreeSet<ObjectId>();
        for (var id : ids) {
            if (place.has(id)) {
                present.add(id);
            }
        }
        if (present.isEmpty() || tips().containsAll(present)) {
            return present;
        }
        var hidden = new TreeSet<>(present);
        hidden.removeAll(tips());
        try (var reader = place.newReader()) {
            var reach = new Reach(reader, tips());
            strikeOutNeighbours(hidden, reach, newcomers);
            present.removeAll(reach.unreachable(hidden));
            return present;
        }
    }

    /// Spares a search of the whole history, nearly always.
    private void strikeOutNeighbours(Set<ObjectId> hidden, Reach reach, Newcomers newcomers) throws IOException {
        if (newcomers.places().isEmpty()) {
            return;
        }
        try (var all = readWith(newcomers.places())) {
            new Neighbours(all, newcomers.isNew(), hidden).strikeOut(newcomers.from(), reach);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | LargeObjectException _) {
            // of the new ones something is missing or bad, which says nothing about what is visible here
        }
    }

    private ObjectReader readWith(List<Place> others) {
        var readers = new ArrayList<ObjectReader>();
        others.forEach(other -> readers.add(other.newReader()));
        readers.add(place.newReader());
        return new CombinedReader(readers);
    }

    private SequencedSet<ObjectId> tips() throws IOException {
        var known = tips;
        if (known == null) {
            known = shown.tips(lease);
            tips = known;
        }
        return known;
    }
}
