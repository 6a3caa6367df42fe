package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Lineage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A store that holds what a test serves, with a feed. Everything is answered by later tasks of the loop, in
/// slices as small as they are asked for.
public class ScriptedArchive implements Archive {
    private static final PublicKey NOBODY =
            PublicKey.parse("0".repeat(63) + "1").require();

    private final Scheduler loop;
    private final Map<RepositoryAddress, Mutation.Announced> announcements = new TreeMap<>();
    private final Map<EventId, Mutation> events = new LinkedHashMap<>();
    private final Map<RepositoryAddress, Set<PublicKey>> states = new TreeMap<>();
    private final List<Mutation> log = new ArrayList<>();
    private final Set<Integer> skipped = new HashSet<>();
    private @Nullable Following following;
    private int sliceMax = Integer.MAX_VALUE;
    private boolean isQuiet;
    /// Runs after each slice of a scan, to let something happen in between.
    private Runnable between = () -> {};

    private long floor;
    public Lineage lineage = Lineage.UNKNOWN;
    /// What scans overlook.
    public final Set<RepositoryAddress> overlooked = new HashSet<>();

    /// So many scans end after their first slice.
    public int broken;

    public int scans;
    public int tagged;

    public ScriptedArchive(Scheduler loop) {
        this.loop = loop;
    }

    public ScriptedArchive slices(int max) {
        sliceMax = max;
        return this;
    }

    public void between(Runnable work) {
        between = work;
    }

    /// Commits without telling anybody.
    public void quietly(Runnable work) {
        isQuiet = true;
        work.run();
        isQuiet = false;
    }

    /// Commits that the feed leaves out for ever.
    public void skip(Runnable work) {
        int from = log.size();
        quietly(work);
        for (int at = from; at < log.size(); at++) {
            skipped.add(at);
        }
    }

    public void serve(Mutation... mutations) {
        for (var mutation : mutations) {
            put(mutation);
            commit(mutation);
        }
    }

    private void put(Mutation mutation) {
        switch (mutation) {
            case Mutation.Announced announced -> announcements.put(announced.repository(), announced);
            case Mutation.Unannounced gone -> announcements.remove(gone.repository());
            case Mutation.RootServed root -> events.put(root.id(), root);
            case Mutation.MemberServed member -> events.put(member.id(), member);
            case Mutation.Left left -> events.remove(left.id());
            case Mutation.StatesChanged _ -> {}
        }
    }

    /// Somebody's state counts for a repository, or no more.
    public void state(RepositoryAddress repository, PublicKey author, boolean isServed) {
        var authors = states.computeIfAbsent(repository, _ -> new LinkedHashSet<>());
        if (isServed) {
            authors.add(author);
        } else {
            authors.remove(author);
        }
        commit(new Mutation.StatesChanged(author, repository.identifier().text()));
    }

    private void commit(Mutation mutation) {
        log.add(mutation);
        if (following != null && !isQuiet) {
            following.tell();
        }
    }

    /// A commit that means nothing to sync.
    public void commitNothing() {
        log.add(new Mutation.StatesChanged(NOBODY, "nobody's"));
    }

    /// The same store, followed by nobody.
    public ScriptedArchive copy(Scheduler of) {
        var copy = new ScriptedArchive(of);
        copy.announcements.putAll(announcements);
        copy.events.putAll(events);
        states.forEach((repository, authors) -> copy.states.put(repository, new LinkedHashSet<>(authors)));
        copy.log.addAll(log);
        return copy;
    }

    /// The store is put back from a copy: the last commits have never been.
    public void takeBack(int commits) {
        var rest = List.copyOf(log.subList(0, log.size() - commits));
        announcements.clear();
        events.clear();
        states.clear();
        log.clear();
        rest.forEach(this::put);
        log.addAll(rest);
    }

    /// What was committed up to a number cannot be told any more.
    public void forgetUpTo(long number) {
        floor = number;
    }

    public void lose() {
        var lost = following;
        following = null;
        if (lost != null) {
            loop.post(() -> lost.follower.lost(log.size()));
        }
    }

    public boolean isFollowed() {
        return following != null;
    }

    public List<Mutation> events() {
        return List.copyOf(events.values());
    }

    @Override
    public Standing standing(EventId id) {
        boolean isAnnounced =
                announcements.values().stream().anyMatch(one -> one.id().equals(id));
        return isAnnounced || events.containsKey(id) ? Standing.SERVED : Standing.UNKNOWN;
    }

    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        throw new UnsupportedOperationException("the index asks for no items");
    }

    @Override
    public long commitNumber() {
        return log.size();
    }

    @Override
    public Lineage lineage() {
        return lineage;
    }

    @Override
    public Runnable follow(long after, Follower follower) {
        var begun = new Following(follower, (int) after);
        following = begun;
        if (after < floor) {
            lose();
        } else {
            begun.tell();
        }
        return () -> following = null;
    }

    private final class Following {
        private final Follower follower;
        private int position;
        private boolean isOut;

        Following(Follower follower, int position) {
            this.follower = follower;
            this.position = position;
        }

        void tell() {
            while (skipped.contains(position)) {
                position++;
            }
            if (!isOut && position < log.size() && following == this) {
                isOut = true;
                loop.post(this::deliver);
            }
        }

        private void deliver() {
            if (following != this) {
                return;
            }
            int end = position;
            while (end < log.size() && !skipped.contains(end) && end - position < Math.min(sliceMax, 10_000)) {
                end++;
            }
            var mutations = List.copyOf(log.subList(position, end));
            position = end;
            var appeared = mutations.stream()
                    .filter(Mutation.RootServed.class::isInstance)
                    .map(root -> new Appearance(((Mutation.RootServed) root).id(), Optional.empty(), List.of()))
                    .toList();
            follower.changed(mutations, appeared, end, () -> {
                isOut = false;
                tell();
            });
        }
    }

    @Override
    public void scan(List<Integer> kinds, int max, Slices slices) {
        scans++;
        loop.post(() -> slice(ofKind(kinds.getFirst()), Math.min(max, sliceMax), slices));
    }

    private List<Mutation> ofKind(int kind) {
        return switch (kind) {
            case 30_617 ->
                announcements.values().stream()
                        .filter(one -> !overlooked.contains(one.repository()))
                        .<Mutation>map(one -> one)
                        .toList();
            case 1617 -> events(Mutation.RootServed.class::isInstance);
            case 30_618 ->
                states.keySet().stream()
                        .<Mutation>map(repository -> new Mutation.StatesChanged(
                                repository.owner(), repository.identifier().text()))
                        .toList();
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    @Override
    public void scanTagged(char letter, List<String> values, int max, Slices slices) {
        tagged++;
        var wanted = Set.copyOf(values);
        loop.post(() -> slice(events(event -> refers(event, letter, wanted)), Math.min(max, sliceMax), slices));
    }

    private static boolean refers(Mutation event, char letter, Set<String> values) {
        return switch (event) {
            case Mutation.RootServed root ->
                letter == 'a'
                        && root.repositories().stream()
                                .map(RepositoryAddress::toString)
                                .anyMatch(values::contains);
            case Mutation.MemberServed member ->
                switch (letter) {
                    case 'e' -> member.events().stream().map(EventId::toHex).anyMatch(values::contains);
                    case 'A' -> member.addresses().stream().anyMatch(values::contains);
                    default -> false;
                };
            case Mutation.Announced _, Mutation.Unannounced _, Mutation.StatesChanged _, Mutation.Left _ -> false;
        };
    }

    private List<Mutation> events(Predicate<Mutation> wanted) {
        return events.values().stream().filter(wanted).toList();
    }

    private void slice(List<Mutation> found, int max, Slices slices) {
        if (found.isEmpty()) {
            slices.done();
            return;
        }
        int end = Math.min(max, found.size());
        slices.slice(List.copyOf(found.subList(0, end)), () -> {
            between.run();
            if (broken > 0) {
                broken--;
                loop.post(slices::failed);
            } else {
                loop.post(() -> slice(found.subList(end, found.size()), max, slices));
            }
        });
    }

    @Override
    public boolean isAnnounced(RepositoryAddress repository) {
        return announcements.containsKey(repository);
    }

    @Override
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return states.getOrDefault(repository, Set.of()).stream()
                .map(author -> new StateAuthor("30618:" + author + ":" + repository.identifier()))
                .toList();
    }
}
