package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.pool.LocalPool.Shown;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sources of a pool, opened when they are first needed, in the order in which they were named. What
/// does not exist has nothing and is left out.
final class Places implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Places.class);

    /// Objects of one source that are looked for when something of it goes; the rest is found the next time.
    private static final int NOTED_MAX = 1000;

    private final Repositories repositories;
    private final Shown shown;
    private final List<Source> sources;
    private final Optional<Quarantine> received;
    private final List<Place> open = new ArrayList<>();
    private final Map<Source, Unreadable> unreadable = new LinkedHashMap<>();
    private final Map<Identifier, Place> hunted = new LinkedHashMap<>();
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
                            .ifPresent(lease ->
                                    opening.add(new RelatedPlace(lease, keep(Place.of(lease, troubleOf(source))))));
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
                openPart(source).ifPresent(place -> opening.add(keep(place)));
            }
            opened = opening;
            areas = opened;
        }
        return opened;
    }

    /// One that cannot be opened has nothing for anybody.
    private Optional<Place> openPart(Source source) throws IOException {
        var trouble = troubleOf(source);
        try {
            return switch (source) {
                case Source.Area(var name) -> repositories.staging().open(name).map(area -> Place.of(area, trouble));
                case Source.Hunted(var identifier) -> {
                    var place = repositories.hunting().open(identifier).map(area -> Place.of(area, trouble));
                    place.ifPresent(opened -> hunted.put(identifier, opened));
                    yield place;
                }
                case Source.Related(var address) -> open(address, true).map(lease -> Place.of(lease, trouble));
                case Source.Unrelated _, Source.Named _ -> Optional.empty(); // counts only as far as it shows something
            };
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            trouble.hear(Optional.empty(), e);
            return Optional.empty();
        }
    }

    /// What could not be read of a source, and why the first of it.
    private record Unreadable(Set<ObjectId> objects, boolean isWhole, IOException first) {
        Unreadable and(Optional<ObjectId> object) {
            var all = new LinkedHashSet<>(objects);
            object.filter(_ -> all.size() < NOTED_MAX).ifPresent(all::add);
            return new Unreadable(all, isWhole || object.isEmpty(), first);
        }
    }

    /// Strangers bring what is in most sources. What cannot be read there is absent for the event that needs it,
    /// and nothing at all for everybody else.
    private Place.Trouble troubleOf(Source source) {
        return (id, problem) -> unreadable.put(
                source,
                unreadable
                        .getOrDefault(source, new Unreadable(Set.of(), false, problem))
                        .and(id));
    }

    /// Repositories of which only what they show counts, or what one ref reaches.
    List<ShownPlace> unrelated() throws IOException {
        var opened = unrelated;
        if (opened == null) {
            opened = new ArrayList<>();
            for (var source : sources) {
                if (source instanceof Source.Unrelated(var address)) {
                    openShown(source, address, shown).ifPresent(opened::add);
                } else if (source instanceof Source.Named(var address, var ref)) {
                    openShown(source, address, lease -> target(ref, lease)).ifPresent(opened::add);
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

    private Optional<ShownPlace> openShown(Source source, RepositoryAddress address, Shown tips) {
        var lease = find(address);
        return lease.isPresent()
                ? Optional.of(new ShownPlace(lease.get(), keep(Place.of(lease.get(), troubleOf(source))), tips))
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

    /// Something that was to be copied is damaged, and nobody can say what: what was fetched goes.
    void doubtHunted(IOException problem) throws IOException {
        for (var identifier : hunted.keySet()) {
            troubleOf(new Source.Hunted(identifier)).hear(Optional.empty(), problem);
        }
    }

    @Override
    public void close() {
        hunted.forEach((identifier, place) -> {
            if (!place.unreadablePacks().isEmpty()) {
                note(new Source.Hunted(identifier), place.unreadablePacks());
            }
        });
        for (var place : open.reversed()) {
            place.close();
        }
        unreadable.forEach(this::settle);
        unreadable.clear();
    }

    private void note(Source source, Set<String> packs) {
        unreadable.putIfAbsent(
                source, new Unreadable(Set.of(), false, new IOException("indexes cannot be read of " + packs)));
    }

    /// What was fetched can be fetched again, so whatever is wrong there goes; everything else stays for its owner.
    private void settle(Source source, Unreadable found) {
        var problem = String.valueOf(found.first());
        switch (source) {
            case Source.Hunted(var identifier) -> drop(identifier, found, problem);
            case Source.Area(var name) -> LOG.warn("staging.unreadable area={} error={}", name, problem);
            case Source.Related(var address) -> warn(address, problem);
            case Source.Unrelated(var address) -> warn(address, problem);
            case Source.Named(var address, var _) -> warn(address, problem);
        }
    }

    private static void warn(RepositoryAddress address, String problem) {
        LOG.warn("repository cannot be read repo={} error={}", address, problem);
    }

    /// One line for what went: what was gone already, another has told of.
    private void drop(Identifier identifier, Unreadable found, String problem) {
        try {
            var hunting = repositories.hunting();
            var dropped = hunting.dropUnreadable(identifier, found.objects());
            boolean isGone = dropped.isEmpty() && found.isWhole() && hunting.delete(identifier);
            if (isGone || !dropped.isEmpty()) {
                LOG.warn(
                        "hunting.unreadable identifier={} dropped={} error={}: what was fetched counts no more and can"
                                + " be fetched again",
                        identifier,
                        isGone ? "all" : dropped,
                        problem);
            }
        } catch (IOException e) {
            LOG.warn("hunting.unreadable identifier={} error={} stays={}", identifier, problem, e.toString());
        }
    }
}
