package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.ScriptedPurgatory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// Store, gate and purgatory of a server that has what a test gave it.
final class HomeStore extends ScriptedArchive implements Gate {
    /// What waits.
    final ScriptedPurgatory purgatory = new ScriptedPurgatory();
    /// Every event that came to the gate, as often as it came.
    final List<Event> admitted = new ArrayList<>();
    /// What the gate says.
    Function<Event, Ruling> policy = _ -> new Ruling.Stored();
    /// Whether the gate lets everybody wait.
    boolean isShut;
    /// What cannot be looked up, for a fault of ours.
    final Set<EventId> unreadable = new LinkedHashSet<>();
    /// Whether what is compared is not read yet.
    boolean isReading;

    private final Scheduler loop;
    private final Set<EventId> stored = new LinkedHashSet<>();
    private final List<Runnable> inGate = new ArrayList<>();
    private final List<Runnable> unread = new ArrayList<>();

    HomeStore(Scheduler loop) {
        super(loop);
        this.loop = loop;
    }

    // ---- what a test does

    boolean has(Event event) {
        return stored.contains(event.id());
    }

    /// How often an event came to the gate.
    int timesAdmitted(Event event) {
        return (int)
                admitted.stream().filter(one -> one.id().equals(event.id())).count();
    }

    /// It comes from elsewhere.
    void take(Event event) {
        stored.add(event.id());
    }

    /// Lets everybody in who waits.
    void open() {
        isShut = false;
        var all = List.copyOf(inGate);
        inGate.clear();
        all.forEach(Runnable::run);
    }

    /// Tells everybody who wants to compare what there is.
    void read() {
        isReading = false;
        var all = List.copyOf(unread);
        unread.clear();
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
        if (unreadable.contains(id)) {
            throw new IllegalStateException("failing, as the test wants");
        }
        return stored.contains(id) ? Standing.SERVED : super.standing(id);
    }

    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        Runnable answering = () -> answer.accept(
                new ItemsOutcome.Items(NegentropyItems.builder(0, 1).seal()));
        if (isReading) {
            unread.add(answering);
        } else {
            loop.post(answering);
        }
    }
}
