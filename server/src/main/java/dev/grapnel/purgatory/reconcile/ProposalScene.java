package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.WaitingProposal;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.HeldProposal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Pull requests and updates for the repositories of one identifier (purgatory 4), the oldest first.
record ProposalScene(List<Candidate> candidates) {
    ProposalScene {
        candidates = candidates.stream()
                .sorted(Comparator.comparing(
                        candidate -> candidate.proposal().event().version()))
                .toList();
    }

    /// @param targets the repositories it names
    /// @param areas where what was pushed for it is, as long as it waits
    /// @param elsewhere repositories of other names that may show its commit to everybody
    /// @param written repositories that have its ref already
    record Candidate(
            Proposal proposal,
            List<RepositoryAddress> targets,
            boolean isHeld,
            List<String> areas,
            List<RepositoryAddress> elsewhere,
            List<RepositoryAddress> written) {
        Candidate {
            targets = List.copyOf(targets);
            areas = List.copyOf(areas);
            elsewhere = List.copyOf(elsewhere);
            written = List.copyOf(written);
        }

        Candidate(Proposal proposal, List<RepositoryAddress> targets, boolean isHeld, List<String> areas) {
            this(proposal, targets, isHeld, areas, List.of(), List.of());
        }

        /// One that is served may be shown by repositories of other names that it was for.
        Candidate shownBy(Pools pools, Identifier here) {
            var others = targets.stream()
                    .map(RepositoryAddress::identifier)
                    .distinct()
                    .filter(identifier -> !identifier.equals(here))
                    .flatMap(identifier -> pools.of(identifier).announced().stream()
                            .filter(Announced::carries)
                            .map(entry -> new RepositoryAddress(entry.author(), identifier)))
                    .toList();
            return new Candidate(proposal, targets, isHeld, areas, others, written);
        }

        Candidate writtenIn(List<RepositoryAddress> repositories) {
            return new Candidate(proposal, targets, isHeld, areas, elsewhere, repositories);
        }

        EventId id() {
            return proposal.event().id();
        }
    }

    /// Those that wait, without what lingers of uploads.
    static ProposalScene held(Pool pool, StoreView view, Pools pools) {
        return held(pool, view, pools, StagedObjects.NONE);
    }

    /// Those that wait.
    static ProposalScene held(Pool pool, StoreView view, Pools pools, StagedObjects staged) {
        var found = new ArrayList<Candidate>();
        Stream.concat(pool.proposals().stream(), pools.namelessProposals().stream())
                .map(WaitingProposal::id)
                .distinct()
                .flatMap(id -> view.findHeld(id).stream())
                .forEach(row -> addHeld((HeldProposal) row, pool, view, staged, found));
        return new ProposalScene(found);
    }

    private static void addHeld(
            HeldProposal row, Pool pool, StoreView view, StagedObjects staged, List<Candidate> found) {
        var targets = Targets.of(row.proposal(), view);
        if (names(targets, pool)) {
            var complete = row.pushedTo().stream()
                    .filter(upload -> !upload.receiving())
                    .map(upload -> upload.area().text());
            var areas = Stream.concat(complete, staged.lingering(row.event().id()).stream())
                    .toList();
            found.add(new Candidate(row.proposal(), targets, true, areas));
        }
    }

    private static boolean names(List<RepositoryAddress> targets, Pool pool) {
        return targets.stream().anyMatch(target -> target.identifier().equals(pool.identifier()));
    }

    /// Those that are served and concern one of these owners' repositories: their refs may be missing there.
    static ProposalScene served(Collection<PublicKey> owners, Pool pool, StoreView view) {
        var people = new TreeSet<PublicKey>();
        for (var owner : owners) {
            people.add(owner);
            people.addAll(pool.maintainers(owner).members());
        }
        var found = new LinkedHashMap<EventId, Candidate>();
        for (var person : people) {
            var coordinate = new RepositoryAddress(person, pool.identifier()).toString();
            for (int kind : List.of(Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE)) {
                addServed(new Lookup.TaggedOfKind(kind, 'a', coordinate), view, found);
            }
        }
        for (var candidate : List.copyOf(found.values())) {
            addUpdates(candidate, view, found);
        }
        return new ProposalScene(List.copyOf(found.values()));
    }

    private static void addServed(Lookup lookup, StoreView view, Map<EventId, Candidate> found) {
        view.forEachServed(lookup, event -> {
            add(event, view, found);
            return true;
        });
    }

    /// Updates that name no repository themselves.
    private static void addUpdates(Candidate candidate, StoreView view, Map<EventId, Candidate> found) {
        for (char letter : new char[] {'E', 'e'}) {
            addServed(
                    new Lookup.TaggedOfKind(
                            Kinds.PULL_REQUEST_UPDATE, letter, candidate.id().toHex()),
                    view,
                    found);
        }
    }

    private static void add(StoredEvent event, StoreView view, Map<EventId, Candidate> found) {
        Targets.read(event.read())
                .find()
                .ifPresent(proposal -> found.putIfAbsent(
                        proposal.event().id(), new Candidate(proposal, Targets.of(proposal, view), false, List.of())));
    }

    /// Whether a repository of an identifier can have the ref of a proposal that waits.
    static boolean isServable(HeldProposal row, Pool pool, StoreView view) {
        var candidate = new Candidate(row.proposal(), Targets.of(row.proposal(), view), true, List.of());
        return !relevant(candidate, pool, Set.of()).isEmpty();
    }

    /// The owners whose repositories get the ref of a proposal (P-400).
    ///
    /// @param released owners whose announcement is served from now on
    static List<PublicKey> relevant(Candidate candidate, Pool pool, Set<PublicKey> released) {
        return pool.announced().stream()
                .filter(entry -> entry.isServedHosted() || released.contains(entry.author()))
                .map(entry -> entry.author())
                .filter(owner -> candidate.targets().stream()
                        .filter(target -> target.identifier().equals(pool.identifier()))
                        .anyMatch(target -> target.owner().equals(owner) || pool.isMember(target.owner(), owner)))
                .toList();
    }
}
