package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Looks for objects of one identifier, each event with the eyes of its author. Used by one thread, who closes
/// it.
public final class ObjectExamination implements Supply {
    private final Pool pool;
    private final Pools pools;
    private final List<StagedObjects.Area> areas;
    private final Optional<Quarantine> received;
    private final Set<EventId> receivedFor;
    private final Map<Eyes, LocalPool> byEyes = new HashMap<>();
    private final Map<PublicKey, LocalPool> byAuthor = new HashMap<>();
    private final Map<RepositoryState, Readiness> known = new HashMap<>();

    /// Whose repositories count in full, and which areas count wherever they were pushed to.
    private record Eyes(
            SortedSet<PublicKey> related,
            List<String> ownAreas,
            boolean seesReceived,
            List<RepositoryAddress> elsewhere,
            List<Source.Named> named) {}

    /// Opens pools of objects.
    public interface Pools {
        LocalPool open(List<Source> sources, Optional<Quarantine> received);
    }

    /// @param areas what was pushed for this identifier and nobody has signed
    /// @param received what is being pushed just now
    /// @param receivedFor proposals it is pushed for
    public ObjectExamination(
            Pool pool,
            Pools pools,
            List<StagedObjects.Area> areas,
            Optional<Quarantine> received,
            Set<EventId> receivedFor) {
        this.pool = pool;
        this.pools = pools;
        this.areas = List.copyOf(areas);
        this.received = received;
        this.receivedFor = Set.copyOf(receivedFor);
    }

    @Override
    public Readiness of(RepositoryState state) throws IOException {
        var found = known.get(state);
        if (found == null) {
            found = examine(state);
            known.put(state, found);
        }
        return found;
    }

    private Readiness examine(RepositoryState state) throws IOException {
        if (!state.isSatisfiable()) {
            return Readiness.HOPELESS;
        }
        var objects = poolOf(state.author());
        if (objects.lacksAny(state.refs().values())) { // then no other needs to be proved complete
            return hasOtherThanCommits(state, objects) ? Readiness.HOPELESS : Readiness.INCOMPLETE;
        }
        var types = objects.find(state.refs().values());
        boolean isHopeless =
                state.refs().entrySet().stream().anyMatch(ref -> isWrong(ref.getKey(), types.get(ref.getValue())));
        if (isHopeless) {
            return Readiness.HOPELESS;
        }
        return types.keySet().containsAll(state.refs().values()) ? Readiness.READY : Readiness.INCOMPLETE;
    }

    /// Which of the objects that a state names are here, with all they reach.
    Set<Oid> present(RepositoryState state) throws IOException {
        return poolOf(state.author()).find(state.refs().values()).keySet();
    }

    private static boolean hasOtherThanCommits(RepositoryState state, LocalPool objects) throws IOException {
        for (var ref : state.refs().entrySet()) {
            if (ref.getKey().isBranch() && objects.isOtherThanCommit(ref.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWrong(RefName name, @Nullable ObjectType type) {
        return name.isBranch() && type != null && type != ObjectType.COMMIT;
    }

    /// The type of an object that is here with all it reaches, for states of this author.
    public Optional<ObjectType> find(Oid id, PublicKey author) throws IOException {
        return poolOf(author).find(id);
    }

    /// Whether an object lies here as something else than a commit, with all it reaches.
    public boolean isOtherThanCommit(Oid id, PublicKey author) throws IOException {
        return poolOf(author).isOtherThanCommit(id);
    }

    /// Whether the commit of a proposal is here: also in what was pushed for it, wherever that was.
    boolean isHere(ProposalScene.Candidate candidate) throws IOException {
        var tip = candidate.proposal().tip();
        return tip.isPresent()
                && poolOf(candidate)
                        .find(tip.get())
                        .filter(type -> type == ObjectType.COMMIT)
                        .isPresent();
    }

    private static PublicKey authorOf(ProposalScene.Candidate candidate) {
        return candidate.proposal().event().author();
    }

    @Override
    public void bring(Collection<Oid> tips, RepositoryState state, RepositoryLease into) throws IOException {
        poolOf(state.author()).bring(tips, into);
    }

    /// Gives a repository those of some objects that are here with all they reach, for states of an author.
    ///
    /// @return the others
    Set<Oid> bringFound(Collection<Oid> tips, PublicKey author, RepositoryLease into) throws IOException {
        var found = poolOf(author).find(tips).keySet();
        poolOf(author).bring(found, into);
        return tips.stream().filter(tip -> !found.contains(tip)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// Gives a repository the commit of a proposal.
    void bring(Oid tip, ProposalScene.Candidate candidate, RepositoryLease into) throws IOException {
        poolOf(candidate).bring(List.of(tip), into);
    }

    private LocalPool poolOf(PublicKey author) {
        return byAuthor.computeIfAbsent(
                author, who -> poolOf(new Eyes(Relations.of(who, pool), List.of(), true, List.of(), List.of())));
    }

    /// What is being pushed counts for a proposal only if it is pushed for it.
    private LocalPool poolOf(ProposalScene.Candidate candidate) {
        return poolOf(new Eyes(
                Relations.of(authorOf(candidate), pool),
                candidate.areas(),
                receivedFor.contains(candidate.id()),
                candidate.elsewhere(),
                named(candidate)));
    }

    /// What its own ref reaches was pushed for it.
    private static List<Source.Named> named(ProposalScene.Candidate candidate) {
        return candidate.written().stream()
                .map(repository ->
                        new Source.Named(repository, candidate.proposal().ref()))
                .toList();
    }

    private LocalPool poolOf(Eyes wanted) {
        return byEyes.computeIfAbsent(
                wanted, eyes -> pools.open(sources(eyes), eyes.seesReceived() ? received : Optional.empty()));
    }

    private List<Source> sources(Eyes eyes) {
        var sources = new ArrayList<Source>();
        var others = new TreeMap<PublicKey, Source>();
        for (var entry : pool.announced()) {
            if (entry.hasRepository()) {
                var address = new RepositoryAddress(entry.author(), pool.identifier());
                if (eyes.related().contains(entry.author())) {
                    sources.add(new Source.Related(address));
                } else if (isShown(entry)) {
                    others.put(entry.author(), new Source.Unrelated(address));
                }
            }
        }
        Stream.concat(
                        eyes.ownAreas().stream(),
                        areas.stream()
                                .filter(area -> eyes.related()
                                        .contains(area.repository().owner()))
                                .map(StagedObjects.Area::name))
                .distinct()
                .forEach(name -> sources.add(new Source.Area(name)));
        sources.add(new Source.Hunted(pool.identifier()));
        sources.addAll(others.values());
        eyes.elsewhere().forEach(address -> sources.add(new Source.Unrelated(address)));
        sources.addAll(eyes.named());
        return sources;
    }

    private static boolean isShown(Announced entry) {
        return entry.carries();
    }

    @Override
    public void close() {
        byEyes.values().forEach(LocalPool::close);
        byEyes.clear();
        byAuthor.clear();
    }
}
