package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pool.LocalPool.Shown;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sources of a pool, opened when they are first needed, in the order in which they were named. What
/// does not exist has nothing and is left out.
final class Places implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Places.class);

    private final Repositories repositories;
    private final Shown shown;
    private final List<Source> sources;
    private final Optional<Quarantine> received;
    private final List<Place> open = new ArrayList<>();
    private @Nullable List<RelatedPlace> related;
    private @Nullable List<Place> areas;
    private @Nullable List<ShownPlace> unrelated;
    private @Nullable List<Place> copied;

    Places(Repositories repositories, Shown shown, List<Source> sources, Optional<Quarantine> received) {
        this.repositories = repositories;
        this.shown = shown;
        this.sources = List.copyOf(sources);
        this.received = received;
    }

    /// A repository that is complete, and of which everything counts.
    record RelatedPlace(RepositoryLease lease, Place place) {}

    List<RelatedPlace> related() throws IOException {
        var opened = related;
        if (opened == null) {
            var opening = new ArrayList<RelatedPlace>();
            for (var source : sources) {
                if (source instanceof Source.Related(var address)) {
                    open(address, false)
                            .ifPresent(lease -> opening.add(new RelatedPlace(lease, keep(Place.of(lease)))));
                }
            }
            opened = opening;
            related = opened;
        }
        return opened;
    }

    /// A repository, if it is there and something in it may lack what it names, or nothing does.
    private Optional<RepositoryLease> open(RepositoryAddress address, boolean isPartial) throws IOException {
        var lease = find(address);
        if (lease.isPresent() && lease.get().isPartial() != isPartial) {
            lease.get().close();
            return Optional.empty();
        }
        return lease;
    }

    /// What is complete only together with others: staging areas, what was fetched, what a push has just
    /// brought, and related repositories that another server made or that have lost files.
    List<Place> areas() throws IOException {
        var opened = areas;
        if (opened == null) {
            var opening = new ArrayList<Place>();
            received.ifPresent(push -> opening.add(keep(Place.of(push))));
            for (var source : sources) {
                switch (source) {
                    case Source.Area(var name) ->
                        repositories.staging().open(name).ifPresent(area -> opening.add(keep(Place.of(area))));
                    case Source.Hunted(var identifier) ->
                        repositories.hunting().open(identifier).ifPresent(area -> opening.add(keep(Place.of(area))));
                    case Source.Related(var address) ->
                        open(address, true).ifPresent(lease -> opening.add(keep(Place.of(lease))));
                    case Source.Unrelated _, Source.Named _ -> {
                        // counts only as far as it shows something
                    }
                }
            }
            opened = opening;
            areas = opened;
        }
        return opened;
    }

    /// Repositories of which only what they show counts, or what one ref reaches.
    List<ShownPlace> unrelated() throws IOException {
        var opened = unrelated;
        if (opened == null) {
            opened = new ArrayList<>();
            for (var source : sources) {
                if (source instanceof Source.Unrelated(var address)) {
                    openShown(address, shown).ifPresent(opened::add);
                } else if (source instanceof Source.Named(var address, var ref)) {
                    openShown(address, lease -> target(ref, lease)).ifPresent(opened::add);
                }
            }
            unrelated = opened;
        }
        return opened;
    }

    /// One that cannot be opened has nothing for anybody; its own owner is told.
    private Optional<RepositoryLease> find(RepositoryAddress address) {
        try {
            return repositories.find(address);
        } catch (IOException e) {
            LOG.warn("repository cannot be read repo={} error={}", address, e.toString());
            return Optional.empty();
        }
    }

    private Optional<ShownPlace> openShown(RepositoryAddress address, Shown tips) {
        var lease = find(address);
        return lease.isPresent()
                ? Optional.of(new ShownPlace(lease.get(), keep(Place.of(lease.get())), tips))
                : Optional.empty();
    }

    /// What another server left may not be whole, nor what has lost files.
    private static SequencedSet<ObjectId> target(RefName ref, RepositoryLease lease) throws IOException {
        var target = lease.refs().current().target(ref);
        boolean isNothing = target.isZero() || lease.isForeign() || lease.isLacking();
        return new LinkedHashSet<>(isNothing ? List.of() : List.of(GitIds.of(target)));
    }

    /// All that is copied from and never linked as a whole.
    List<Place> copied() throws IOException {
        var all = copied;
        if (all == null) {
            all = Stream.concat(areas().stream(), unrelated().stream().map(ShownPlace::place))
                    .toList();
            copied = all;
        }
        return all;
    }

    private Place keep(Place place) {
        open.add(place);
        return place;
    }

    @Override
    public void close() {
        for (var place : open.reversed()) {
            place.close();
        }
    }
}
