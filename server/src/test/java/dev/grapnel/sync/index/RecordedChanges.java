package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Archive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Remembers what was told.
final class RecordedChanges implements FeedListener {
    final Set<Integer> grown = new HashSet<>();
    final Set<Integer> shrunk = new HashSet<>();
    final List<Integer> ended = new ArrayList<>();
    final Set<Integer> threads = new HashSet<>();
    final List<Archive.Appearance> appeared = new ArrayList<>();
    /// What was told while it was slow, and not looked at yet.
    final List<Runnable> untaken = new ArrayList<>();
    /// Whether it takes its time to look at what appeared.
    boolean isSlow;

    int applied;
    int ready;
    int caughtUp;
    int drifted;
    /// Whether whoever is told fails.
    boolean isFailing;

    private void tell() {
        if (isFailing) {
            throw new IllegalStateException("failing, as the test wants");
        }
    }

    void forget() {
        grown.clear();
        shrunk.clear();
        ended.clear();
        threads.clear();
    }

    @Override
    public void grown(int pair) {
        tell();
        grown.add(pair);
    }

    @Override
    public void shrunk(int pair) {
        shrunk.add(pair);
    }

    @Override
    public void ended(int pair) {
        ended.add(pair);
        grown.remove(pair);
        shrunk.remove(pair);
    }

    @Override
    public void threadChanged(int root) {
        threads.add(root);
    }

    @Override
    public void appeared(List<Archive.Appearance> events, long upTo, Runnable taken) {
        appeared.addAll(events);
        if (isSlow) {
            untaken.add(taken);
        } else {
            taken.run();
        }
    }

    @Override
    public void applied() {
        tell();
        applied++;
    }

    @Override
    public void ready() {
        ready++;
    }

    @Override
    public void caughtUp() {
        caughtUp++;
    }

    @Override
    public void drifted(int differences) {
        drifted += differences;
    }
}
