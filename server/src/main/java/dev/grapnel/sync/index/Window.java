package dev.grapnel.sync.index;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Mutations that wait to be applied together (R1.12). The first arms a timer, later ones do not move it, and a
/// full window does not wait for it. Whoever brings more than fits is told to go on only when the window is
/// emptied.
final class Window {
    static final int MUTATIONS_MAX = 50_000;

    private final Scheduler scheduler;
    private final Duration length;
    private final Runnable due;
    private List<Mutation> mutations = new ArrayList<>();
    private Set<String> identifiers = new LinkedHashSet<>();
    private List<Runnable> waiting = new ArrayList<>();
    private @Nullable Runnable disarm;
    private boolean isDue;

    /// What a window held.
    ///
    /// @param identifiers of repositories whose maintainers may have changed
    record Batch(List<Mutation> mutations, Set<String> identifiers) {}

    /// @param due is run when the window is to be taken, once for each time it is
    Window(Scheduler scheduler, Duration length, Runnable due) {
        this.scheduler = scheduler;
        this.length = length;
        this.due = due;
    }

    /// Adds mutations.
    ///
    /// @param taken run when more may come
    void add(List<Mutation> found, Runnable taken) {
        mutations.addAll(found);
        if (!mutations.isEmpty()) {
            arm();
        }
        if (size() < MUTATIONS_MAX) {
            taken.run();
        } else {
            waiting.add(taken);
            fire();
        }
    }

    void addIdentifiers(Set<String> changed) {
        identifiers.addAll(changed);
        arm();
        if (size() >= MUTATIONS_MAX) {
            fire();
        }
    }

    boolean isEmpty() {
        return size() == 0;
    }

    private int size() {
        return mutations.size() + identifiers.size();
    }

    /// Begins to wait, unless it does.
    void arm() {
        if (disarm == null && !isDue) {
            disarm = scheduler.after(length, this::fire);
        }
    }

    /// Ends the wait.
    void fire() {
        disarm();
        if (!isDue) {
            isDue = true;
            due.run();
        }
    }

    private void disarm() {
        if (disarm != null) {
            disarm.run();
            disarm = null;
        }
    }

    /// Empties it.
    Batch take() {
        var batch = new Batch(mutations, identifiers);
        var told = waiting;
        mutations = new ArrayList<>();
        identifiers = new LinkedHashSet<>();
        waiting = new ArrayList<>();
        isDue = false;
        told.forEach(Runnable::run);
        return batch;
    }

    /// Forgets what it holds; whoever waits goes on.
    void clear() {
        disarm();
        boolean wasDue = isDue;
        take();
        isDue = wasDue;
    }

    /// Repositories with an announcement that waits to be applied.
    Set<RepositoryAddress> announced() {
        return mutations.stream()
                .filter(Mutation.Announced.class::isInstance)
                .map(mutation -> ((Mutation.Announced) mutation).repository())
                .collect(Collectors.toSet());
    }
}
