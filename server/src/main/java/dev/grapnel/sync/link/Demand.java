package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.ASKED;
import static dev.grapnel.sync.index.PairMarks.CONFIRMED;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is wanted of a relay and was not asked for: target minus in flight minus confirmed (R2.2). The difference is
/// never computed as a whole; whoever has room for more work pulls the next chunk of it, and what was pulled is marked
/// as
/// asked. So pulling twice gives nothing the second time (R2.5), and nobody else decides what to ask.
final class Demand {
    /// Roots that are looked at in one turn for members that were not asked for.
    private static final int LOOKS_MAX = 20_000;

    private final int relay;
    private final Targets targets;
    private final IntPairMap threads = new IntPairMap();
    private final List<Ahead> ahead = new ArrayList<>();
    private final Set<Integer> freshPairs = new LinkedHashSet<>();
    private final Set<Integer> freshRootPairs = new LinkedHashSet<>();
    private final Set<Integer> freshThreads = new LinkedHashSet<>();
    private int[] all = new int[0];
    private int pairsAt;
    private int rootsAt;
    private int threadsAt;
    private int threadsPlace;
    private boolean wantsAnnouncements;

    /// Confirmed, but something before it is not yet (R8.1).
    private record Ahead(Layer layer, int owner, int from, int to) {}

    /// A batch to be made.
    record Portion(Purpose purpose, List<Chunk> chunks) {}

    Demand(int relay, Targets targets) {
        this.relay = relay;
        this.targets = targets;
    }

    private PairMarks marks() {
        return targets.marks();
    }

    // ---- what changes

    /// Nothing counts as asked or confirmed any more (R4.9, R4.12).
    void forget() {
        targets.forEachPair(relay, pair -> {
            marks().set(pair, ASKED, Level.NONE, 0, 0);
            marks().set(pair, CONFIRMED, Level.NONE, 0, 0);
        });
        threads.clear();
        ahead.clear();
        wantsAnnouncements = true;
        lookAtAll();
    }

    /// What was asked and not confirmed must be asked again (R4.3).
    void cancel(boolean areAnnouncementsConfirmed) {
        targets.forEachPair(relay, pair -> marks().copy(pair, CONFIRMED, ASKED));
        threads.resetFirsts();
        ahead.clear();
        wantsAnnouncements = !areAnnouncementsConfirmed;
        freshPairs.clear();
        freshRootPairs.clear();
        freshThreads.clear();
        all = new int[0];
        pairsAt = 0;
        rootsAt = 0;
        threadsAt = 0;
    }

    /// Looks at every pair of the relay (R8.3: on connect, new epoch, end of a cooldown).
    void lookAtAll() {
        var pairs = new int[targets.pairCount(relay)];
        var count = new int[1];
        targets.forEachPair(relay, pair -> pairs[count[0]++] = pair);
        all = pairs;
        pairsAt = 0;
        rootsAt = 0;
        threadsAt = 0;
        threadsPlace = 0;
        freshPairs.clear();
        freshRootPairs.clear();
        freshThreads.clear();
    }

    void grown(int pair) {
        freshPairs.add(pair);
        freshRootPairs.add(pair);
    }

    /// Less is wanted of a pair: what is wanted again later is asked for again.
    void shrunk(int pair) {
        if (targets.level(targets.repo(pair)) != Level.FULL) {
            for (int stage : new int[] {ASKED, CONFIRMED}) {
                if (marks().level(pair, stage) == Level.FULL) {
                    marks().set(pair, stage, Level.STATE_ONLY, 0, 0);
                }
            }
        }
    }

    void ended(int pair) {
        freshPairs.remove(pair);
        freshRootPairs.remove(pair);
        int repo = targets.repo(pair);
        ahead.removeIf(entry -> !entry.layer().isThread() && entry.owner() == repo);
    }

    void threadChanged(int root) {
        freshThreads.add(root);
    }

    void wantAnnouncements() {
        wantsAnnouncements = true;
    }

    // ---- what is asked next

    /// The next portion; empty if nothing is wanted, or nothing was found in this turn ([#isExhausted] tells).
    Optional<Portion> next(Sizes sizes) {
        if (wantsAnnouncements) {
            wantsAnnouncements = false;
            return Optional.of(new Portion(Purpose.ANNOUNCEMENTS, List.of(Chunk.announcements(relay))));
        }
        return nextRepositories(sizes).or(() -> nextRoots(sizes)).or(() -> nextThreads(sizes));
    }

    /// Repositories that were not looked at since more was wanted of them.
    int unseenPairs() {
        return freshPairs.size() + Math.max(0, all.length - pairsAt);
    }

    /// Whether there is nothing more to look at.
    boolean isExhausted() {
        return !wantsAnnouncements
                && pairsAt >= all.length
                && rootsAt >= all.length
                && threadsAt >= all.length
                && freshPairs.isEmpty()
                && freshRootPairs.isEmpty()
                && freshThreads.isEmpty();
    }

    private Optional<Portion> nextRepositories(Sizes sizes) {
        var states = new ChunkMaker(Layer.STATES, relay, targets, sizes);
        var tags = new ChunkMaker(Layer.TAGS, relay, targets, sizes);
        while (pairsAt < all.length && !states.isFull() && !tags.isFull()) {
            take(all[pairsAt++], states, tags);
        }
        while (!freshPairs.isEmpty() && !states.isFull() && !tags.isFull()) {
            take(pop(freshPairs), states, tags);
        }
        return portion(Purpose.REPOSITORIES, states.finish(), tags.finish());
    }

    private static int pop(Set<Integer> set) {
        var first = set.iterator().next();
        set.remove(first);
        return first;
    }

    private boolean isOurs(int pair) {
        int repo = targets.repo(pair);
        return repo >= 0 && targets.findPair(relay, repo) == pair;
    }

    private void take(int pair, ChunkMaker states, ChunkMaker tags) {
        if (!isOurs(pair)) {
            return; // it ended meanwhile
        }
        int repo = targets.repo(pair);
        var level = targets.level(repo);
        var asked = marks().level(pair, ASKED);
        if (level != Level.NONE && asked == Level.NONE) {
            states.add(repo, 0);
            marks().setLevel(pair, ASKED, Level.STATE_ONLY);
        }
        if (level != Level.FULL) {
            return;
        }
        if (asked != Level.FULL) {
            tags.add(repo, Chunk.SELF);
            marks().setLevel(pair, ASKED, Level.FULL);
        }
        int count = targets.addressCount(repo);
        for (int place = marks().addresses(pair, ASKED); place < count; place++) {
            tags.add(repo, place);
        }
        marks().setAddresses(pair, ASKED, count);
    }

    private Optional<Portion> nextRoots(Sizes sizes) {
        var roots = new ChunkMaker(Layer.ROOTS, relay, targets, sizes);
        while (rootsAt < all.length && !roots.isFull()) {
            if (takeRoots(all[rootsAt], roots)) {
                rootsAt++;
            }
        }
        while (!freshRootPairs.isEmpty() && !roots.isFull()) {
            int pair = freshRootPairs.iterator().next();
            if (takeRoots(pair, roots)) {
                freshRootPairs.remove(pair);
            }
        }
        return portion(Purpose.ROOTS, roots.finish(), List.of());
    }

    /// @return whether all of the pair was taken
    private boolean takeRoots(int pair, ChunkMaker roots) {
        if (!isOurs(pair) || targets.level(targets.repo(pair)) != Level.FULL) {
            return true;
        }
        int repo = targets.repo(pair);
        int count = targets.rootCount(repo);
        int place = marks().roots(pair, ASKED);
        while (place < count && !roots.isFull()) {
            roots.add(repo, place++);
        }
        marks().setRoots(pair, ASKED, place);
        return place == count;
    }

    private Optional<Portion> nextThreads(Sizes sizes) {
        var members = new ChunkMaker(Layer.THREADS, relay, targets, sizes);
        var addresses = new ChunkMaker(Layer.THREAD_ADDRESSES, relay, targets, sizes);
        int looks = 0;
        while (!freshThreads.isEmpty() && !members.isFull()) {
            int root = freshThreads.iterator().next();
            if (!isAskedHere(root) || takeThread(root, members, addresses)) {
                freshThreads.remove(root);
            }
        }
        while (threadsAt < all.length && !members.isFull() && looks < LOOKS_MAX) {
            looks += walkThreads(all[threadsAt], members, addresses, LOOKS_MAX - looks);
        }
        return portion(Purpose.THREADS, members.finish(), addresses.finish());
    }

    /// Whether the relay has a repository with this root, wanted in full.
    private boolean isAskedHere(int root) {
        var found = new boolean[1];
        targets.forEachRepoOf(root, repo -> {
            found[0] |= targets.level(repo) == Level.FULL && targets.findPair(relay, repo) >= 0;
        });
        return found[0];
    }

    private int walkThreads(int pair, ChunkMaker members, ChunkMaker addresses, int most) {
        if (!isOurs(pair) || targets.level(targets.repo(pair)) != Level.FULL) {
            threadsAt++;
            threadsPlace = 0;
            return 1;
        }
        int repo = targets.repo(pair);
        int count = targets.rootCount(repo);
        int looks = 0;
        while (threadsPlace < count && looks < most && !members.isFull()) {
            int root = targets.root(repo, threadsPlace);
            looks++;
            if (root < 0 || !targets.asksFor(pair, root) || takeThread(root, members, addresses)) {
                threadsPlace++;
            }
        }
        if (threadsPlace >= count) {
            threadsAt++;
            threadsPlace = 0;
        }
        return looks + 1;
    }

    /// @return whether all of it was taken
    private boolean takeThread(int root, ChunkMaker members, ChunkMaker addresses) {
        int count = targets.memberCount(root);
        int place = threads.first(root);
        if (place >= count) {
            return true;
        }
        while (place < count && !members.isFull()) {
            members.add(root, place);
            addresses.add(root, place);
            place++;
        }
        threads.setFirst(root, place);
        return place == count;
    }

    private static Optional<Portion> portion(Purpose purpose, List<Chunk> some, List<Chunk> others) {
        var chunks = new ArrayList<>(some);
        chunks.addAll(others);
        return chunks.isEmpty() ? Optional.empty() : Optional.of(new Portion(purpose, chunks));
    }

    // ---- what is confirmed

    /// A chunk was completely delivered. Only what is still wanted is noted (R2.6).
    void confirm(Chunk chunk) {
        for (int run = 0; run < chunk.runCount(); run++) {
            switch (chunk.layer()) {
                case ANNOUNCEMENTS -> {
                    // the link remembers that
                }
                case STATES, TAGS, ROOTS, THREADS ->
                    confirm(new Ahead(chunk.layer(), chunk.owner(run), chunk.from(run), chunk.to(run)));
                case THREAD_ADDRESSES -> {
                    // confirmed with its ids
                }
            }
        }
        join();
    }

    private void confirm(Ahead entry) {
        if (!advance(entry)) {
            ahead.add(entry);
        }
    }

    private void join() {
        boolean goesOn = true;
        while (goesOn && !ahead.isEmpty()) {
            goesOn = ahead.removeIf(this::advance);
        }
    }

    /// @return whether it is noted, or no longer wanted
    private boolean advance(Ahead entry) {
        if (entry.layer() == Layer.THREADS) {
            return advanceThread(entry);
        }
        int pair = targets.findPair(relay, entry.owner());
        if (pair < 0 || marks().level(pair, ASKED) == Level.NONE) {
            return true;
        }
        return switch (entry.layer()) {
            case STATES -> {
                if (marks().level(pair, CONFIRMED) == Level.NONE) {
                    marks().setLevel(pair, CONFIRMED, Level.STATE_ONLY);
                }
                yield true;
            }
            case TAGS -> advanceTags(pair, entry);
            case ROOTS -> {
                boolean isNext = entry.from() <= marks().roots(pair, CONFIRMED);
                if (isNext && entry.to() > marks().roots(pair, CONFIRMED)) {
                    marks().setRoots(pair, CONFIRMED, entry.to());
                }
                yield isNext;
            }
            case ANNOUNCEMENTS, THREADS, THREAD_ADDRESSES -> true;
        };
    }

    private boolean advanceTags(int pair, Ahead entry) {
        if (entry.from() == Chunk.SELF && marks().level(pair, CONFIRMED) == Level.NONE) {
            return false; // its states are not confirmed yet
        }
        if (entry.from() == Chunk.SELF) {
            marks().setLevel(pair, CONFIRMED, Level.FULL);
        }
        boolean isNext = Math.max(0, entry.from()) <= marks().addresses(pair, CONFIRMED);
        if (isNext && entry.to() > marks().addresses(pair, CONFIRMED)) {
            marks().setAddresses(pair, CONFIRMED, entry.to());
        }
        return isNext;
    }

    private boolean advanceThread(Ahead entry) {
        if (threads.first(entry.owner()) < entry.to()) {
            return true; // another epoch has begun
        }
        boolean isNext = entry.from() <= threads.second(entry.owner());
        if (isNext && entry.to() > threads.second(entry.owner())) {
            threads.setSecond(entry.owner(), entry.to());
        }
        return isNext;
    }

    /// Members of a thread that were confirmed.
    int confirmedMembers(int root) {
        return threads.second(root);
    }

    int threadCount() {
        return threads.size();
    }
}
