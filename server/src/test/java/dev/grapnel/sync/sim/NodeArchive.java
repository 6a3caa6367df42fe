package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.Change;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.Viewer;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.home.StoreFacts;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The store of a node as sync reads it. Everything is read on the loop, and told a little later.
final class NodeArchive implements Archive {
    private static final Duration READING = Duration.ofMillis(2);
    private static final int CHANGES_MAX = 500;

    private final EventStore store;
    private final StoreFacts facts;
    private final ServedMeaning meaning;
    private final Scheduler loop;
    private final StoreShelf shelf;
    private final Set<Following> followings = new LinkedHashSet<>();

    NodeArchive(EventStore store, Pools pools, ServedMeaning meaning, Scheduler loop) {
        this.store = store;
        this.facts = new StoreFacts(store, pools, true);
        this.meaning = meaning;
        this.loop = loop;
        this.shelf = new StoreShelf(store);
    }

    @Override
    public Standing standing(EventId id) {
        return facts.standing(id);
    }

    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        loop.after(READING, () -> answer.accept(store.items(filter, Viewer.ALL, itemsMax)));
    }

    @Override
    public long commitNumber() {
        return store.commitNumber();
    }

    // ---- following

    @Override
    public Runnable follow(long after, Follower follower) {
        var following = new Following(store.tail(after), follower);
        followings.add(following);
        following.look();
        return () -> followings.remove(following);
    }

    /// Something may have changed.
    void look() {
        List.copyOf(followings).forEach(Following::look);
    }

    /// Whoever follows is told that it is too far behind (R1.11).
    void lose() {
        var lost = List.copyOf(followings);
        followings.clear();
        lost.forEach(following -> loop.post(() -> following.follower.lost(store.commitNumber())));
    }

    private final class Following {
        private final Tail tail;
        private final Follower follower;
        private boolean isBusy;

        Following(Tail tail, Follower follower) {
            this.tail = tail;
            this.follower = follower;
        }

        void look() {
            if (!isBusy && tail.position() < store.commitNumber()) {
                isBusy = true;
                loop.post(this::tell);
            }
        }

        private void tell() {
            if (!followings.contains(this)) {
                return;
            }
            switch (next(tail)) {
                case TailStep.Changes(var changes) -> tell(changes);
                case TailStep.Lost(var number) -> {
                    followings.remove(this);
                    follower.lost(number);
                }
            }
        }

        private void tell(List<Change> changes) {
            var mutations = new ArrayList<Mutation>();
            var appeared = new ArrayList<Appearance>();
            for (var change : changes) {
                switch (change) {
                    case Change.Served(var stored) -> {
                        var event = stored.read();
                        meaning.ofServed(event).ifPresent(mutations::add);
                        appeared.add(ServedMeaning.appearance(event));
                    }
                    case Change.Removed(var _, var removal) ->
                        ServedMeaning.ofRemoved(removal).ifPresent(mutations::add);
                }
            }
            follower.changed(mutations, appeared, tail.position(), () -> {
                isBusy = false;
                look();
            });
        }
    }

    static TailStep next(Tail tail) {
        try {
            return tail.next(CHANGES_MAX, Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nobody interrupts a simulation", e);
        }
    }

    // ---- scans

    @Override
    public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
        var filter = Filter.builder()
                .kinds(kinds.stream().mapToInt(kind -> kind).toArray())
                .build();
        begin(filter, sliceMax, slices);
    }

    @Override
    public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
        begin(Filter.builder().tag(letter, values).build(), sliceMax, slices);
    }

    private void begin(Filter filter, int sliceMax, Slices slices) {
        var found = shelf.find(filter, Integer.MAX_VALUE);
        loop.after(READING, () -> slice(found, 0, sliceMax, slices));
    }

    private void slice(List<Event> found, int from, int sliceMax, Slices slices) {
        int to = Math.min(from + sliceMax, found.size());
        if (from >= to) {
            slices.done();
            return;
        }
        var some = found.subList(from, to).stream()
                .flatMap(event -> meaning.ofServed(event).stream())
                .toList();
        slices.slice(some, () -> loop.after(READING, () -> slice(found, to, sliceMax, slices)));
    }

    @Override
    public boolean isListless(PublicKey person) {
        return facts.isListless(person);
    }

    @Override
    public boolean isAnnounced(RepositoryAddress repository) {
        return facts.isAnnounced(repository);
    }

    @Override
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return facts.stateAuthors(repository);
    }
}
