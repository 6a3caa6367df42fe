package dev.grapnel.sync.index;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.PurgatoryView.Waiting;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/// One comparison of the announcements that wait in purgatory with the index (R1.17). What is missing once may
/// be on its way from purgatory to the store, which are read one after the other; only what is missing twice is
/// gone.
final class Registration implements Work {
    private final Following following;
    private final Repos repos;
    private final Map<Integer, Held> held;
    private final Function<Waiting, List<RemoteUrl>> relaysOf;
    private final Predicate<Waiting> isStored;
    private final IndexChange change;
    private final Work telling;
    private final Iterator<Waiting> waiting;
    private final Set<Integer> seen = new HashSet<>();
    private Iterator<Integer> missing = List.<Integer>of().iterator();
    private boolean isPastWaiting;

    /// An announcement that waited.
    ///
    /// @param isMissing whether it did not in the last comparison
    record Held(Waiting announcement, boolean isMissing) {}

    Registration(
            Following following,
            Repos repos,
            Map<Integer, Held> held,
            List<Waiting> waiting,
            Function<Waiting, List<RemoteUrl>> relaysOf,
            Predicate<Waiting> isStored,
            IndexChange change,
            Work telling) {
        this.following = following;
        this.repos = repos;
        this.held = held;
        this.waiting = waiting.iterator();
        this.relaysOf = relaysOf;
        this.isStored = isStored;
        this.change = change;
        this.telling = telling;
    }

    @Override
    public boolean advance() {
        if (waiting.hasNext()) {
            register(waiting.next());
            return true;
        }
        if (!isPastWaiting) {
            isPastWaiting = true;
            var rest = new TreeSet<>(held.keySet());
            rest.removeAll(seen);
            missing = rest.iterator();
        }
        if (missing.hasNext()) {
            miss(missing.next());
            return true;
        }
        return telling.advance();
    }

    private void register(Waiting announcement) {
        int repo = following.intern(announcement);
        if (repo < 0) {
            return;
        }
        seen.add(repo);
        var former = held.get(repo);
        if (repos.is(repo, Repos.STORED)) {
            return; // never less than what is served asks for
        }
        if (former == null
                || !former.announcement().equals(announcement)
                || following.mayHaveMore(repo, Level.STATE_ONLY)) {
            following.follow(repo, Level.STATE_ONLY, relaysOf.apply(announcement), change);
        }
        held.put(repo, new Held(announcement, false));
    }

    private void miss(int repo) {
        var former = held.get(repo);
        if (former == null || isStored.test(former.announcement())) {
            return; // the feed will tell
        }
        if (!former.isMissing()) {
            held.put(repo, new Held(former.announcement(), true));
            return;
        }
        held.remove(repo);
        following.unfollow(repo, change);
        repos.letGo(repo);
    }
}
