package dev.grapnel.sync;

import dev.grapnel.sync.index.FeedListener;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.received.Intake;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// Hears what has changed in what is wanted, and has those looked at whom it concerns.
final class WantedChanges implements FeedListener {
    private final WantedIndex index;
    private final IntFunction<Optional<RelayEntry>> entries;
    private final Intake intake;
    private final Scheduler loop;
    private final Consumer<List<Integer>> look;
    private final Consumer<SyncNote> notes;
    private final Set<Integer> touched = new LinkedHashSet<>();
    /// Relays to be looked at, one a turn: each may have its live filters packed anew (sync 8.3).
    private final Set<Integer> due = new LinkedHashSet<>();

    private boolean isReady;

    /// @param look is told of relays of which something else is wanted now
    WantedChanges(
            WantedIndex index,
            IntFunction<Optional<RelayEntry>> entries,
            Intake intake,
            Scheduler loop,
            Consumer<List<Integer>> look,
            Consumer<SyncNote> notes) {
        this.index = index;
        this.entries = entries;
        this.intake = intake;
        this.loop = loop;
        this.look = look;
        this.notes = notes;
    }

    /// Whether everything that was stored at the start is in the index.
    boolean isReady() {
        return isReady;
    }

    @Override
    public void grown(int pair) {
        touch(index.relayOf(pair)).ifPresent(entry -> entry.link().grown(pair));
    }

    @Override
    public void setBack(int pair) {
        touch(index.relayOf(pair)).ifPresent(entry -> entry.link().setBack(pair));
    }

    @Override
    public void shrunk(int pair) {
        touch(index.relayOf(pair)).ifPresent(entry -> entry.link().shrunk(pair));
    }

    @Override
    public void ended(int pair) {
        touch(index.relayOf(pair)).ifPresent(entry -> entry.link().ended(pair));
    }

    @Override
    public void threadChanged(int root) {
        index.forEachRepoOf(
                root,
                repo -> index.forEachRelayOf(
                        repo,
                        relay -> touch(relay).ifPresent(entry -> entry.link().threadChanged(root))));
    }

    private Optional<RelayEntry> touch(int relay) {
        touched.add(relay);
        return entries.apply(relay);
    }

    @Override
    public void appeared(List<Archive.Appearance> events, long upTo, Runnable taken) {
        intake.appeared(events, upTo, taken);
    }

    @Override
    public void applied() {
        boolean isLooking = !due.isEmpty();
        due.addAll(touched);
        touched.clear();
        if (!isLooking && !due.isEmpty()) {
            loop.post(this::lookAtNext);
        }
    }

    private void lookAtNext() {
        int relay = due.iterator().next();
        if (due.size() > 1) {
            loop.post(this::lookAtNext); // first: whatever fails below must not keep the others waiting
        }
        due.remove(relay);
        long begun = loop.nanos();
        look.accept(List.of(relay));
        notes.accept(new SyncNote.Looked(1, Duration.ofNanos(loop.nanos() - begun)));
    }

    @Override
    public void ready() {
        isReady = true;
        var figures = index.figures();
        notes.accept(
                new SyncNote.Ready(figures.fullRepos() + figures.stateOnlyRepos(), figures.roots(), figures.relays()));
    }

    @Override
    public void caughtUp() {
        intake.missed();
    }

    @Override
    public void drifted(int differences) {
        notes.accept(new SyncNote.Drifted(differences));
    }
}
