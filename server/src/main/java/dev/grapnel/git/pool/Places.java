package dev.grapnel.git.pool;

import dev.grapnel.git.pool.LocalPool.Shown;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The sources of a pool, opened when they are first needed, in the order in which they were named. What
/// does not exist has nothing and is left out.
final class Places implements AutoCloseable {
    private final Repositories repositories;
    private final Shown shown;
    private final List<Source> sources;
    private final Optional<Quarantine> received;
    private final List<Place> open = new ArrayList<>();
    private @Nullable List<RelatedPlace> related;
    private @Nullable List<Place> areas;
    private @Nullable List<ShownPlace> unrelated;

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
            opened = new ArrayList<>();
            for (var source : sources) {
                if (source instanceof Source.Related(var address)) {
                    var lease = repositories.find(address);
                    if (lease.isPresent()) {
                        opened.add(new RelatedPlace(lease.get(), keep(Place.of(lease.get()))));
                    }
                }
            }
            related = opened;
        }
        return opened;
    }

    /// What is complete only together with others: staging areas, and what a push has just brought.
    List<Place> areas() throws IOException {
        var opened = areas;
        if (opened == null) {
            opened = new ArrayList<>();
            if (received.isPresent()) {
                opened.add(keep(Place.of(received.get())));
            }
            for (var source : sources) {
                if (source instanceof Source.Area(var name)) {
                    var area = repositories.staging().open(name);
                    if (area.isPresent()) {
                        opened.add(keep(Place.of(area.get())));
                    }
                }
            }
            areas = opened;
        }
        return opened;
    }

    /// Repositories of which only what they show counts.
    List<ShownPlace> unrelated() throws IOException {
        var opened = unrelated;
        if (opened == null) {
            opened = new ArrayList<>();
            for (var source : sources) {
                if (source instanceof Source.Unrelated(var address)) {
                    var lease = repositories.find(address);
                    if (lease.isPresent()) {
                        opened.add(new ShownPlace(lease.get(), keep(Place.of(lease.get())), shown));
                    }
                }
            }
            unrelated = opened;
        }
        return opened;
    }

    /// All that is copied from and never linked as a whole.
    List<Place> copied() throws IOException {
        return Stream.concat(areas().stream(), unrelated().stream().map(ShownPlace::place))
                .toList();
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
