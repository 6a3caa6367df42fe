package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.VirtualScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Store, gate and purgatory of a server that has what a test gave it.
final class HomeStore implements Archive, Gate, PurgatoryView {
    /// Every event that came to the gate, as often as it came.
    final List<Event> admitted = new ArrayList<>();
    /// What the gate says.
    Function<Event, Ruling> policy = _ -> new Ruling.Stored();
    /// Whether the gate lets everybody wait.
    boolean isShut;

    private final VirtualScheduler loop;
    private final Map<RepositoryAddress, Mutation.Announced> announcements = new TreeMap<>();
    private final Map<EventId, Mutation> events = new LinkedHashMap<>();
    private final Map<RepositoryAddress, Set<PublicKey>> states = new TreeMap<>();
    private final Map<RepositoryAddress, Held> held = new TreeMap<>();
    private final Set<EventId> stored = new LinkedHashSet<>();
    private final List<Mutation> log = new ArrayList<>();
    private final List<Runnable> inGate = new ArrayList<>();
    private @Nullable Following following;

    private record Held(EventId id, List<RemoteUrl> relays) {}

    HomeStore(VirtualScheduler loop) {
        this.loop = loop;
    }

    // ---- what a test does

    void serve(Mutation mutation) {
        switch (mutation) {
            case Mutation.Announced announced -> announcements.put(announced.repository(), announced);
            case Mutation.Unannounced gone -> announcements.remove(gone.repository());
            case Mutation.RootServed root -> events.put(root.id(), root);
            case Mutation.MemberServed member -> events.put(member.id(), member);
            case Mutation.Left left -> events.remove(left.id());
            case Mutation.StatesChanged(var author, var identifier) ->
                states.computeIfAbsent(
                                new RepositoryAddress(author, new Identifier(identifier)), _ -> new LinkedHashSet<>())
                        .add(author);
        }
        log.add(mutation);
        if (following != null) {
            following.tell();
        }
    }

    /// An announcement waits.
    void hold(RepositoryAddress repository, EventId id, List<RemoteUrl> relays) {
        held.put(repository, new Held(id, relays));
    }

    void letGo(RepositoryAddress repository) {
        held.remove(repository);
    }

    boolean has(Event event) {
        return stored.contains(event.id());
    }

    /// How often an event came to the gate.
    int timesAdmitted(Event event) {
        return (int)
                admitted.stream().filter(one -> one.id().equals(event.id())).count();
    }

    /// Lets everybody in who waits.
    void open() {
        isShut = false;
        var all = List.copyOf(inGate);
        inGate.clear();
        all.forEach(Runnable::run);
    }

    // ---- Gate

    @Override
    public void admit(Event event, RemoteUrl relay, Consumer<Ruling> answer) {
        admitted.add(event);
        Runnable decision = () -> {
            var ruling = policy.apply(event);
            if (ruling instanceof Ruling.Stored) {
                stored.add(event.id());
            }
            answer.accept(ruling);
        };
        if (isShut) {
            inGate.add(decision);
        } else {
            loop.post(decision);
        }
    }

    // ---- Archive

    @Override
    public Standing standing(EventId id) {
        return stored.contains(id) || events.containsKey(id) ? Standing.SERVED : Standing.UNKNOWN;
    }

    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        loop.post(() -> answer.accept(
                new ItemsOutcome.Items(NegentropyItems.builder(0, 1).seal())));
    }

    @Override
    public long commitNumber() {
        return log.size();
    }

    @Override
    public Runnable follow(long after, Follower follower) {
        var begun = new Following(follower, (int) after);
        following = begun;
        begun.tell();
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
            if (!isOut && position < log.size()) {
                isOut = true;
                loop.post(this::deliver);
            }
        }

        private void deliver() {
            var some = List.copyOf(log.subList(position, log.size()));
            position = log.size();
            follower.changed(some, List.of(), position, () -> {
                isOut = false;
                tell();
            });
        }
    }

    @Override
    public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
        loop.post(() -> slice(
                switch (kinds.getFirst()) {
                    case 30_617 -> List.copyOf(announcements.values());
                    case 30_618 ->
                        states.keySet().stream()
                                .<Mutation>map(repository -> new Mutation.StatesChanged(
                                        repository.owner(),
                                        repository.identifier().text()))
                                .toList();
                    default ->
                        events.values().stream()
                                .filter(Mutation.RootServed.class::isInstance)
                                .toList();
                },
                sliceMax,
                slices));
    }

    @Override
    public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
        var wanted = Set.copyOf(values);
        loop.post(() -> slice(
                events.values().stream()
                        .filter(event -> refers(event, letter, wanted))
                        .toList(),
                sliceMax,
                slices));
    }

    private static boolean refers(Mutation event, char letter, Set<String> values) {
        return switch (event) {
            case Mutation.RootServed root ->
                letter == 'a'
                        && root.repositories().stream()
                                .map(RepositoryAddress::toString)
                                .anyMatch(values::contains);
            case Mutation.MemberServed member ->
                letter == 'e' && member.events().stream().map(EventId::toHex).anyMatch(values::contains);
            case Mutation.Announced _, Mutation.Unannounced _, Mutation.StatesChanged _, Mutation.Left _ -> false;
        };
    }

    private void slice(List<? extends Mutation> found, int max, Slices slices) {
        if (found.isEmpty()) {
            slices.done();
            return;
        }
        int end = Math.min(max, found.size());
        slices.slice(
                List.copyOf(found.subList(0, end)),
                () -> loop.post(() -> slice(found.subList(end, found.size()), max, slices)));
    }

    @Override
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return states.getOrDefault(repository, Set.of()).stream()
                .map(author -> new StateAuthor("30618:" + author + ":" + repository.identifier()))
                .toList();
    }

    // ---- PurgatoryView

    @Override
    public List<Waiting> announcements() {
        return held.entrySet().stream()
                .map(entry -> new Waiting(entry.getKey(), entry.getValue().id()))
                .toList();
    }

    @Override
    public List<RemoteUrl> relays(Waiting waiting) {
        return Optional.ofNullable(held.get(waiting.repository()))
                .map(Held::relays)
                .orElse(List.of());
    }

    @Override
    public Set<PublicKey> maintainers(RepositoryAddress repository) {
        return Set.of(repository.owner());
    }

    @Override
    public List<RepositoryAddress> announced(String identifier) {
        return List.of();
    }

    @Override
    public Set<PublicKey> listed(String identifier) {
        return Set.of();
    }

    @Override
    public boolean isHeld(RepositoryAddress repository) {
        return held.containsKey(repository);
    }

    @Override
    public Runnable watch(Consumer<Set<String>> changed) {
        return () -> {};
    }
}
