package dev.grapnel.sync.index;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.PurgatoryView.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Which repositories are followed, how far, and at which relays: those of the current announcement only
/// (R1.6).
final class Following {
    /// Of a repository that leaves all its relays in one step.
    private static final int ROOTS_AT_ONCE = 1_000;

    private final IndexLimits limits;
    private final Repos repos;
    private final Roots roots;
    private final Pairs pairs;
    private final PairMarks marks;
    private final Dirt dirt;
    private final Succession succession;
    private final Relays relays = new Relays();
    /// Relays that no repository names any more.
    private final Set<Integer> unnamed = new LinkedHashSet<>();
    /// By repository: announcements that waited when last looked.
    private final Map<Integer, Registration.Held> held = new HashMap<>();

    /// Repositories that name a relay for which there was no place.
    private final Set<Integer> lacking = new HashSet<>();

    private long refusedRelays;
    private long refusedRepos;

    Following(IndexLimits limits, Repos repos, Roots roots, Pairs pairs, PairMarks marks, Dirt dirt) {
        this.limits = limits;
        this.repos = repos;
        this.roots = roots;
        this.pairs = pairs;
        this.marks = marks;
        this.dirt = dirt;
        this.succession = new Succession(roots, repos, pairs, marks);
    }

    Relays relays() {
        return relays;
    }

    Pairs pairs() {
        return pairs;
    }

    long refusedRelays() {
        return refusedRelays;
    }

    long refusedRepos() {
        return refusedRepos;
    }

    Registration registering(
            List<Waiting> waiting,
            Function<Waiting, List<RemoteUrl>> relaysOf,
            Predicate<Waiting> isStored,
            IndexChange change,
            Work telling) {
        return new Registration(this, repos, held, waiting, relaysOf, isStored, change, telling);
    }

    /// An announcement is served; it takes the place of whatever was.
    void store(int repo, List<RemoteUrl> named, IndexChange change) {
        repos.mark(repo, Repos.STORED);
        held.remove(repo);
        follow(repo, Level.FULL, named, change);
    }

    /// An announcement is served no more. If another version waits, the next comparison finds it (R1.18).
    void unstore(int repo, IndexChange change) {
        if (repos.is(repo, Repos.STORED)) {
            repos.unmark(repo, Repos.STORED);
            unfollow(repo, change);
        }
    }

    /// The ordinal of a repository whose announcement waits; -1 if it cannot be followed, for the time being.
    int intern(Waiting waiting) {
        int known = repos.find(waiting.repository());
        if (known < 0 && repos.heldCount() >= limits.reposMax()) {
            refusedRepos++;
            return -1;
        }
        return known >= 0 ? known : repos.internHeld(waiting.repository());
    }

    /// Sets level and relays together, so that there is no moment without either (R1.18).
    void follow(int repo, Level level, List<RemoteUrl> named, IndexChange change) {
        var wanted = intern(repo, named, level);
        bequeath(repo, level == Level.FULL ? wanted : Set.of(), change);
        setLevel(repo, level);
        for (int place = pairs.sizeOf(repo) - 1; place >= 0; place--) {
            int pair = pairs.ofRepo(repo, place);
            if (!wanted.remove(pairs.relay(pair))) {
                end(pair, change);
            }
        }
        for (int relay : wanted) {
            unnamed.remove(relay);
            int pair = pairs.add(relay, repo, level == Level.FULL);
            marks.clear(pair);
            change.grown(pair);
        }
    }

    /// Ends one of the pairs of a large repository with relays that it names no more. Each takes its time where there
    /// are many roots, so whoever has several turns ends them one by one, and then follows or unfollows.
    ///
    /// @param named all relays that it names
    /// @return whether there was one
    boolean leaveOne(int repo, List<RemoteUrl> named, IndexChange change) {
        if (pairs.sizeOf(repo) == 0 || roots.sizeOf(repo) <= ROOTS_AT_ONCE) {
            return false;
        }
        var kept = known(named);
        for (int place = pairs.sizeOf(repo) - 1; place >= 0; place--) {
            int pair = pairs.ofRepo(repo, place);
            if (!kept.contains(pairs.relay(pair))) {
                if (repos.level(repo) == Level.FULL) {
                    succession.leave(repo, List.of(pair), change);
                }
                end(pair, change);
                return true;
            }
        }
        return false;
    }

    void unfollow(int repo, IndexChange change) {
        bequeath(repo, Set.of(), change);
        for (int place = pairs.sizeOf(repo) - 1; place >= 0; place--) {
            end(pairs.ofRepo(repo, place), change);
        }
        repos.setLevel(repo, Level.NONE);
        lacking.remove(repo);
    }

    /// Whether there was no place for some of a repository's relays, and there is one now.
    boolean mayHaveMore(int repo, Level level) {
        return lacking.contains(repo) && relays.count() < relaysMax(level);
    }

    /// Others ask from now on for the roots they share with a repository.
    ///
    /// @param kept relays that it does not leave
    private void bequeath(int repo, Set<Integer> kept, IndexChange change) {
        if (repos.level(repo) != Level.FULL) {
            return;
        }
        var leaving = new ArrayList<Integer>();
        for (int place = 0; place < pairs.sizeOf(repo); place++) {
            int pair = pairs.ofRepo(repo, place);
            if (!kept.contains(pairs.relay(pair))) {
                leaving.add(pair);
            }
        }
        if (!leaving.isEmpty()) {
            succession.leave(repo, leaving, change);
        }
    }

    private void end(int pair, IndexChange change) {
        int relay = pairs.relay(pair);
        change.ended(pair);
        pairs.remove(pair, repos.level(pairs.repo(pair)) == Level.FULL);
        if (pairs.count(relay) == 0) {
            unnamed.add(relay);
        }
    }

    /// Forgets relays that nobody names, so that others may take their places: else whoever invents names would use up
    /// all of them in time.
    void forgetRelays(IntPredicate isInUse) {
        unnamed.removeIf(relay -> {
            boolean isOver = !isInUse.test(relay);
            if (isOver) {
                relays.forget(relay);
                pairs.forget(relay);
            }
            return isOver;
        });
    }

    private void setLevel(int repo, Level level) {
        var former = repos.level(repo);
        if (former == level) {
            return;
        }
        repos.setLevel(repo, level);
        int change = (level == Level.FULL ? 1 : 0) - (former == Level.FULL ? 1 : 0);
        for (int place = 0; place < pairs.sizeOf(repo); place++) {
            pairs.countFull(pairs.relay(pairs.ofRepo(repo, place)), change);
        }
        if (former != Level.NONE) { // else there are no pairs, and each is told when it comes to be
            dirt.change(repo, level.compareTo(former) > 0 ? Repos.GREW : Repos.SHRANK);
        }
    }

    /// The first relays an announcement names, as ordinals in its order.
    private Set<Integer> intern(int repo, List<RemoteUrl> named, Level level) {
        var first = firstOf(named);
        int max = relaysMax(level);
        var ordinals = new LinkedHashSet<Integer>();
        for (var url : first) {
            int known = relays.find(url); // once: its text is put together each time
            if (known >= 0 || relays.count() < max) {
                ordinals.add(known >= 0 ? known : relays.add(url));
            } else {
                refusedRelays++;
            }
        }
        if (ordinals.size() < first.size()) {
            lacking.add(repo);
        } else {
            lacking.remove(repo);
        }
        return ordinals;
    }

    /// Strangers whose announcements only wait must not use up the names of those that are served.
    private int relaysMax(Level level) {
        return level == Level.FULL ? limits.relaysMax() : limits.relaysMax() / 4 * 3;
    }

    private Collection<RemoteUrl> firstOf(List<RemoteUrl> named) {
        var first = new LinkedHashSet<RemoteUrl>();
        for (var url : named) {
            if (first.size() < limits.relaysPerRepoMax()) {
                first.add(url);
            }
        }
        return first;
    }

    /// Those of the first relays an announcement names that have an ordinal.
    private Set<Integer> known(List<RemoteUrl> named) {
        var ordinals = firstOf(named).stream().map(relays::find).collect(Collectors.toCollection(HashSet::new));
        ordinals.remove(-1);
        return ordinals;
    }

    /// Whether a repository has exactly the relays that were named.
    boolean hasRelays(int repo, List<RemoteUrl> named) {
        var wanted = known(named);
        for (int place = 0; place < pairs.sizeOf(repo); place++) {
            if (!wanted.remove(pairs.relay(pairs.ofRepo(repo, place)))) {
                return false;
            }
        }
        return wanted.isEmpty();
    }
}
