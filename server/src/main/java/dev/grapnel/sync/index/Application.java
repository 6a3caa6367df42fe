package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Mutation.Announced;
import dev.grapnel.sync.world.Mutation.Left;
import dev.grapnel.sync.world.Mutation.MemberServed;
import dev.grapnel.sync.world.Mutation.RootServed;
import dev.grapnel.sync.world.Mutation.StatesChanged;
import dev.grapnel.sync.world.Mutation.Unannounced;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One batch of mutations, applied step by step in the order of R1.13, whatever order they came in: what goes,
/// then announcements, roots, states, members. Of several mutations of one event or repository the last one
/// counts.
final class Application implements Work {
    /// Whether everything that follows from the mutations is seen to.
    enum Extent {
        COMPLETE,
        /// More of the store is still to be read, and that brings it.
        PART,
        /// More announcements are still to be read, and no roots.
        ANNOUNCEMENTS
    }

    private enum Stage {
        REMOVALS,
        ANNOUNCEMENTS,
        ROOTS,
        STATES,
        MEMBERS,
        TELLING,
        DONE
    }

    private final WantedIndex index;
    private final IndexChange change;
    private final Extent extent;
    private final Work telling;
    private final List<Mutation> removals = new ArrayList<>();
    private final List<Announced> announcements = new ArrayList<>();
    private final List<RootServed> roots = new ArrayList<>();
    private final Set<String> identifiers = new LinkedHashSet<>();
    private List<MemberServed> members = new ArrayList<>();
    private List<MemberServed> early = new ArrayList<>();
    private Stage stage = Stage.REMOVALS;
    private int next;
    private int passes;

    Application(WantedIndex index, List<Mutation> window, IndexChange change, Extent extent) {
        this.index = index;
        this.change = change;
        this.extent = extent;
        this.telling = index.telling(change);
        sortOut(window);
    }

    private void sortOut(List<Mutation> window) {
        Map<RepositoryAddress, Mutation> ofRepositories = new LinkedHashMap<>();
        Map<EventId, Mutation> ofEvents = new LinkedHashMap<>();
        for (var mutation : window) {
            switch (mutation) {
                case Announced announced -> ofRepositories.put(announced.repository(), announced);
                case Unannounced gone -> ofRepositories.put(gone.repository(), gone);
                case RootServed root -> ofEvents.put(root.id(), root);
                case MemberServed member -> ofEvents.put(member.id(), member);
                case Left left -> ofEvents.put(left.id(), left);
                case StatesChanged states -> identifiers.add(states.identifier());
            }
        }
        ofRepositories.values().forEach(this::sortOut);
        ofEvents.values().forEach(this::sortOut);
    }

    private void sortOut(Mutation mutation) {
        switch (mutation) {
            case Announced announced -> announcements.add(announced);
            case Unannounced gone -> removals.add(gone);
            case RootServed root -> roots.add(root);
            case MemberServed member -> members.add(member);
            case Left left -> removals.add(left);
            case StatesChanged states -> identifiers.add(states.identifier());
        }
    }

    /// States of an identifier may be others now, for a reason that is no mutation.
    Application alsoStates(Set<String> ofIdentifiers) {
        identifiers.addAll(ofIdentifiers);
        return this;
    }

    @Override
    public boolean advance() {
        switch (stage) {
            case REMOVALS ->
                step(
                        removals.size(),
                        Stage.ANNOUNCEMENTS,
                        () -> isLeavingOne(removals.get(next)),
                        () -> remove(removals.get(next)));
            case ANNOUNCEMENTS ->
                step(
                        announcements.size(),
                        Stage.ROOTS,
                        () -> isLeavingOne(announcements.get(next)),
                        () -> announce(announcements.get(next)));
            case ROOTS -> step(roots.size(), Stage.STATES, () -> false, () -> takeRoot(roots.get(next)));
            case STATES -> refreshStates();
            case MEMBERS -> takeMember();
            case TELLING -> tell();
            case DONE -> {}
        }
        return stage != Stage.DONE;
    }

    /// @param before whether something was done that has to be done before; if so, that is the step
    private void step(int size, Stage following, BooleanSupplier before, Runnable work) {
        if (next >= size) {
            begin(following);
        } else if (!before.getAsBoolean()) {
            work.run();
            next++;
        }
    }

    private void begin(Stage following) {
        stage = following;
        next = 0;
    }

    /// One relay a step: each may have many roots to let go of (sync 8.3).
    private boolean isLeavingOne(Mutation mutation) {
        return switch (mutation) {
            case Unannounced(var repository) -> leavesOne(repository, List.of());
            case Announced announced -> leavesOne(announced.repository(), announced.relays());
            case Left _, RootServed _, StatesChanged _, MemberServed _ -> false;
        };
    }

    private boolean leavesOne(RepositoryAddress repository, List<RemoteUrl> named) {
        int repo = index.repos().find(repository);
        return repo >= 0
                && index.repos().is(repo, Repos.STORED)
                && index.following().leaveOne(repo, named, change);
    }

    private void remove(Mutation mutation) {
        switch (mutation) {
            case Unannounced(var repository) -> unannounce(repository);
            case Left(var id) -> leave(id);
            case Announced _, RootServed _, StatesChanged _, MemberServed _ ->
                throw new IllegalStateException("no removal");
        }
    }

    private void unannounce(RepositoryAddress repository) {
        int repo = index.repos().find(repository);
        if (repo >= 0) {
            index.following().unstore(repo, change);
            identifiers.add(repository.identifier().text());
        }
    }

    private void leave(EventId id) {
        int root = index.roots().find(id);
        if (root >= 0 && !index.roots().isGone(root)) {
            index.roots().leave(root);
            index.roots().forEachHome(root, repo -> index.dirt().change(repo, Repos.SHRANK));
        }
        int member = index.threads().members().find(id);
        if (member >= 0) {
            index.threads().leave(member);
        }
    }

    private void announce(Announced announced) {
        int repo = index.repos().intern(announced.repository());
        boolean wasFull = index.level(repo) == Level.FULL;
        index.following().store(repo, announced.relays(), change);
        if (!wasFull) {
            load(repo);
        }
        // Who may speak for one repository may depend on the announcement of another.
        identifiers.add(announced.repository().identifier().text());
    }

    /// Roots that were stored before anybody followed the repository; once is enough, for it stays known.
    private void load(int repo) {
        if (index.repos().load(repo) && extent != Extent.PART) {
            index.dirt().loads().add(repo);
        }
    }

    private void takeRoot(RootServed served) {
        int root = index.roots().find(served.id());
        if (root >= 0 && index.roots().isGone(root)) {
            comeBack(root);
        }
        for (var repository : served.repositories()) {
            int repo = index.repos().find(repository);
            if (takesRoots(repo) && index.roots().addTo(index.roots().intern(served.id()), repo)) {
                index.dirt().change(repo, Repos.GREW);
            }
        }
        noteDate(index.roots().find(served.id()), served.createdAt());
    }

    /// One whose announcement only waits gets its roots with that: it may be gone before.
    private boolean takesRoots(int repo) {
        return repo >= 0 && !index.repos().isHeld(repo);
    }

    private void noteDate(int root, long createdAt) {
        if (root >= 0) {
            index.recent().note(root, createdAt);
        }
    }

    private void comeBack(int root) {
        index.roots().comeBack(root);
        index.roots().forEachHome(root, repo -> index.dirt().change(repo, Repos.GREW));
        index.dirt().rootSearches().again(root);
    }

    private void refreshStates() {
        identifiers.forEach(index::ageStates);
        identifiers.clear();
        var stale = index.dirt().stale();
        if (stale.isEmpty() || extent != Extent.COMPLETE) {
            begin(Stage.MEMBERS);
            return;
        }
        int repo = stale.poll();
        index.repos().unmark(repo, Repos.STALE);
        if (index.level(repo) == Level.FULL) {
            index.dirt().change(repo, index.stateAddresses().refresh(repo));
        }
    }

    /// Parents first: who is not followed yet gets another chance as long as somebody of this batch was taken.
    private void takeMember() {
        if (next < members.size()) {
            var member = members.get(next);
            next++;
            if (index.threads().take(member)) {
                index.threads().forEachRoot(index.findMember(member.id()), root -> noteDate(root, member.createdAt()));
            } else {
                early.add(member);
            }
            return;
        }
        passes++;
        boolean isProgress = early.size() < members.size();
        members = early;
        early = new ArrayList<>();
        begin(isProgress && passes < index.limits().depthMax() ? Stage.MEMBERS : Stage.TELLING);
    }

    private void tell() {
        if (!telling.advance()) {
            begin(Stage.DONE);
        }
    }
}
