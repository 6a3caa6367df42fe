package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntQueue.Start;
import dev.grapnel.purgatory.hunt.Selection.Candidate;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// One attempt of the main path: what was tried, and the lanes that go on (P-633). Its lock is held while
/// the throttle's or the registry's is taken, never the other way, and never while the world is asked.
final class Attempt {
    /// Most fetches at once of one identifier: two for the same author's sake, and others for others'.
    static final int LANES_MAX = 4;

    final Start start;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> tried = new LinkedHashSet<>(); // since the last new event
    private final Set<String> asked = new HashSet<>();
    private final Set<Host> busy = new HashSet<>();
    private final Set<Fetch> running = new LinkedHashSet<>();
    private final Set<Oid> obtained = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private int lanes = 1;
    private int left = Selection.PER_ATTEMPT;
    private long generation;
    private boolean isOver;
    private boolean isBroken;

    Attempt(Start start) {
        this.start = start;
        this.generation = start.generation();
    }

    /// Does something that both lanes must not do at once.
    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /// Opens a second lane beside a fetch that is the only one.
    boolean tryHedge(Fetch slow) {
        return locked(() -> {
            boolean isAlone = !isOver && lanes == 1 && running.size() == 1 && running.contains(slow);
            if (isAlone) {
                lanes++;
            }
            return isAlone;
        });
    }

    /// Opens a lane for those for whom nobody is asked, while every lane is taken.
    ///
    /// @param fetching how many fetches of the identifier go on, on both paths
    boolean tryBeside(int fetching) {
        return locked(() -> {
            boolean isRoom = !isOver && running.size() == lanes && Math.max(lanes, fetching) < LANES_MAX;
            if (isRoom) {
                lanes++;
            }
            return isRoom;
        });
    }

    /// A new event came since (P-601): everything may be asked again, although slow fetches keep this attempt from
    /// making room for the next one.
    void renew(long newest) {
        boolean _ = locked(() -> {
            boolean isNew = generation != newest;
            if (isNew) {
                generation = newest;
                tried.clear();
                busy.clear();
                left = Selection.PER_ATTEMPT;
            }
            return isNew;
        });
    }

    /// Whether two are asked already for each of those who wait for a candidate (P-633).
    boolean isDoubled(Candidate candidate) {
        return candidate.authors().stream()
                .allMatch(author -> running.stream()
                                .filter(fetch -> fetch.authors.contains(author))
                                .count()
                        >= 2);
    }

    /// Closes a lane and says whether it was the last one.
    boolean closeLane() {
        return locked(() -> --lanes == 0);
    }

    void begin(Fetch fetch) {
        running.add(fetch);
        left--;
    }

    /// Whether as many were asked as may be (P-623).
    boolean isUsedUp() {
        return locked(() -> left <= 0);
    }

    void end(Fetch fetch, Outcome outcome) {
        boolean _ = locked(() -> {
            running.remove(fetch);
            obtained.addAll(outcome.obtained());
            if (outcome.isBusy()) { // nobody was asked
                left++;
                return busy.add(fetch.url.domain());
            }
            asked.add(fetch.url.text());
            return tried.add(fetch.url.text());
        });
    }

    /// Whether a domain is asked by the other lane, so that this one looks elsewhere.
    boolean isAsking(Host domain) {
        return running.stream().anyMatch(fetch -> fetch.url.domain().equals(domain));
    }

    /// Whether its machine had no connection left during this attempt.
    boolean isBusy(Host domain) {
        return busy.contains(domain);
    }

    /// How many were asked.
    int asked() {
        return locked(asked::size);
    }

    Set<String> tried() {
        return locked(() -> Set.copyOf(tried));
    }

    boolean isRunning(Fetch fetch) {
        return locked(() -> running.contains(fetch));
    }

    int obtained() {
        return locked(obtained::size);
    }

    /// Whether a refused address is new to this attempt.
    boolean isFirstRefusal(String url) {
        return locked(() -> refused.add(url));
    }

    boolean isOver() {
        return locked(() -> isOver);
    }

    boolean isBroken() {
        return locked(() -> isBroken);
    }

    void breaks() {
        boolean _ = locked(() -> isBroken = true);
    }

    /// Nobody needs anything any more: what runs is ended, which is no failure of its server.
    void cancelRunning() {
        running().forEach(Fetch::cancel);
    }

    List<Fetch> running() {
        return locked(() -> List.copyOf(running));
    }

    /// Begins nothing more.
    void stop() {
        boolean _ = locked(() -> isOver = true);
    }
}
