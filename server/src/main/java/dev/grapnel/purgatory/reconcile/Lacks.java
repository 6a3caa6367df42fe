package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.ClonePlaces;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Finds out which objects an identifier lacks, for which events, and where they were published (P-610, P-620).
/// Changes nothing.
public final class Lacks {
    /// Most places one event names (P-623).
    private static final int URLS_MAX = 20;

    private final EventStore store;
    private final Pools pools;
    private final ObjectExamination.Pools objects;
    private final StagedObjects staged;

    public Lacks(EventStore store, Pools pools, ObjectExamination.Pools objects, StagedObjects staged) {
        this.store = store;
        this.pools = pools;
        this.objects = objects;
        this.staged = staged;
    }

    /// What an identifier waits for.
    ///
    /// @param holdsEvents whether states or proposals wait (P-133) that can ever be served: no object has an id
    ///     that is none of SHA-1
    /// @param isReady whether one of them has all it needs, and waits all the same
    /// @param lacks states first, the newest first, then proposals, then what is served
    /// @param present objects that are needed and here, with all they reach
    public record Picture(boolean holdsEvents, boolean isReady, List<Lack> lacks, Set<Oid> present) {
        public Picture {
            lacks = List.copyOf(lacks);
            present = Set.copyOf(present);
        }
    }

    /// Looks now.
    ///
    /// @throws IOException if something of ours cannot be read
    public Picture look(Identifier identifier) throws IOException {
        var scene = store.read(view -> Scene.read(identifier, view, pools, staged));
        var situation = scene.situation();
        try (var examination =
                new ObjectExamination(situation.pool(), objects, staged.of(identifier), Optional.empty(), Set.of())) {
            return new Look(scene, examination).take();
        }
    }

    /// One look.
    private final class Look {
        private final Scene scene;
        private final Pool pool;
        private final ObjectExamination examination;
        private final List<Lack> lacks = new ArrayList<>();
        private final Set<Oid> present = new HashSet<>();
        private boolean isReady;

        Look(Scene scene, ObjectExamination examination) {
            this.scene = scene;
            this.pool = scene.situation().pool();
            this.examination = examination;
        }

        Picture take() throws IOException {
            var plan = Plan.of(scene.situation(), examination);
            isReady = !plan.ready().isEmpty();
            for (var state : scene.situation().held()) {
                if (pool.authorises(state.author())
                        && !plan.superseded().contains(state.event().id())) {
                    lookAtHeld(state);
                }
            }
            for (var candidate : scene.held().candidates()) {
                lookAtHeld(candidate);
            }
            lookAtServed(plan);
            boolean holdsEvents = scene.situation().held().stream().anyMatch(RepositoryState::isSatisfiable)
                    || !scene.held().candidates().isEmpty();
            return new Picture(holdsEvents, isReady, lacks, present);
        }

        private void lookAtHeld(RepositoryState state) throws IOException {
            if (examination.of(state) == Readiness.READY) {
                present.addAll(state.refs().values());
            }
            if (examination.of(state) == Readiness.INCOMPLETE) {
                var terms = terms(state.event().id());
                lacks.add(new Lack(
                        state.event().id(),
                        state.author(),
                        false,
                        terms.source(),
                        terms.isOverdue(),
                        missing(state),
                        cloneUrls(state)));
            }
        }

        private void lookAtHeld(ProposalScene.Candidate candidate) throws IOException {
            var owners = ProposalScene.relevant(candidate, pool, Set.of());
            var tip = candidate.proposal().tip();
            if (owners.isEmpty() || tip.isEmpty()) {
                return;
            }
            if (examination.isHere(candidate)) {
                isReady = true;
                present.add(tip.get());
            } else {
                var terms = terms(candidate.id());
                lacks.add(lack(candidate, tip.get(), owners, false, terms));
            }
        }

        /// Data that was lost, or that a repository which is new here never had.
        private void lookAtServed(Plan plan) throws IOException {
            var seen = new HashSet<EventId>();
            var served = Set.copyOf(scene.situation().served());
            for (var goal : plan.goals()) {
                boolean counts = scene.repairs().containsKey(goal.owner()) || !goal.isServed();
                var winner = goal.winner().filter(served::contains);
                if (counts
                        && winner.isPresent()
                        && seen.add(winner.get().event().id())
                        && examination.of(winner.get()) == Readiness.INCOMPLETE) {
                    lacks.add(new Lack(
                            winner.get().event().id(),
                            winner.get().author(),
                            true,
                            Source.SYNC,
                            false,
                            missing(winner.get()),
                            cloneUrls(winner.get())));
                }
            }
            if (!scene.repairs().isEmpty()) {
                lookAtServedProposals();
            }
        }

        private void lookAtServedProposals() throws IOException {
            var owners = new TreeSet<>(scene.repairs().keySet());
            var proposals = store.read(view -> ProposalScene.served(owners, pool, view));
            for (var candidate : proposals.candidates()) {
                var relevant = ProposalScene.relevant(candidate, pool, Set.of()).stream()
                        .filter(owners::contains)
                        .toList();
                var tip = candidate.proposal().tip();
                if (!relevant.isEmpty() && tip.isPresent() && !examination.isHere(candidate)) {
                    lacks.add(lack(candidate, tip.get(), relevant, true, new Terms(Source.SYNC, false)));
                }
            }
        }

        private Lack lack(
                ProposalScene.Candidate candidate, Oid tip, List<PublicKey> owners, boolean isServed, Terms terms) {
            return new Lack(
                    candidate.id(),
                    candidate.proposal().event().author(),
                    isServed,
                    terms.source(),
                    terms.isOverdue(),
                    List.of(new Lack.Missing(tip, false, List.of())),
                    store.read(view -> ClonePlaces.ofProposal(candidate.proposal(), owners, pool, view, URLS_MAX)));
        }

        private List<String> cloneUrls(RepositoryState state) {
            return store.read(view -> ClonePlaces.ofStates(state.author(), pool, view, URLS_MAX));
        }

        private List<Lack.Missing> missing(RepositoryState state) throws IOException {
            var here = examination.present(state);
            present.addAll(here);
            var head = state.head();
            var refs = new LinkedHashMap<Oid, List<RefName>>();
            state.refs().entrySet().stream()
                    .filter(ref -> !here.contains(ref.getValue()))
                    .sorted(Comparator.comparing((Map.Entry<RefName, Oid> ref) -> !isHead(ref.getKey(), head)))
                    .forEach(ref -> refs.computeIfAbsent(ref.getValue(), _ -> new ArrayList<>())
                            .add(ref.getKey()));
            return refs.entrySet().stream()
                    .map(entry -> new Lack.Missing(
                            entry.getKey(),
                            entry.getValue().stream().anyMatch(ref -> isHead(ref, head)),
                            entry.getValue()))
                    .toList();
        }

        private static boolean isHead(RefName ref, Optional<RefName> head) {
            return head.equals(Optional.of(ref));
        }

        private Terms terms(EventId id) {
            return store.read((StoreView view) -> view.findHeld(id))
                    .map(this::terms)
                    .orElse(new Terms(Source.SYNC, true)); // gone meanwhile
        }

        private Terms terms(Held row) {
            var time = pools.time();
            return new Terms(row.source(), time.momentOf(row.expiresAt()) <= time.now());
        }
    }

    private record Terms(Source source, boolean isOverdue) {}
}
