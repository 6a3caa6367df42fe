package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.ASKED;
import static dev.grapnel.sync.index.PairMarks.CONFIRMED;
import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Resets.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/// What is wanted of a relay and was not asked for: target minus in flight minus confirmed (R2.2). The difference is
/// never computed as a whole; whoever has room for more work pulls the next chunk of it, and what was pulled is marked
/// as asked. So pulling twice gives nothing the second time (R2.5), and nobody else decides what to ask.
///
/// What is not in a live filter yet, though it shall be, is not asked for: it would be lost if it came in
/// between (R3.11). Whoever takes it up tells that more is wanted.
final class Demand {
    /// Roots and members that are looked at in one turn for what was not asked for.
    private static final int LOOKS_MAX = 20_000;

    /// State addresses that are looked at for one portion.
    private static final int ADDRESS_LOOKS_MAX = 50_000;

    private final int relay;
    private final Targets targets;
    private final SharedValues shared;
    private final IntUnaryOperator streamed;
    private final IntPairMap threads;
    private final Resets resets = new Resets();
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
    private boolean hasUnmarked;

    /// Confirmed, but something before it is not yet (R8.1).
    private record Ahead(Layer layer, int owner, int from, int to, int askedAfter) {}

    /// A batch to be made.
    ///
    /// @param askedAfter by which it is known later what of it counts
    record Portion(Purpose purpose, List<Chunk> chunks, int askedAfter) {}

    /// @param prefixes room for how far threads were asked for; what finds none is left to sweeps (8.2)
    /// @param streamed how many members of a root's thread may be asked for
    Demand(int relay, Targets targets, Room prefixes, IntUnaryOperator streamed) {
        this.relay = relay;
        this.targets = targets;
        this.streamed = streamed;
        this.threads = new IntPairMap(prefixes);
        this.shared = new SharedValues(relay, targets);
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
        resets.clear();
        hasUnmarked = false;
        ahead.clear();
        wantsAnnouncements = true;
        lookAtAll();
    }

    /// What was asked and not confirmed must be asked again (R4.3).
    void cancel(boolean areAnnouncementsConfirmed) {
        targets.forEachPair(relay, pair -> marks().copy(pair, CONFIRMED, ASKED));
        threads.resetFirsts();
        resets.clear();
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
            bequeath(pair);
            forEachLastThread(pair, this::leaveThread);
            reset(pair, Part.TAGS, Part.ADDRESSES, Part.ROOTS);
            for (int stage : new int[] {ASKED, CONFIRMED}) {
                boolean isFull = marks().level(pair, stage) == Level.FULL;
                marks().set(pair, stage, isFull ? Level.STATE_ONLY : marks().level(pair, stage), 0, 0);
            }
        }
    }

    void ended(int pair) {
        freshPairs.remove(pair);
        freshRootPairs.remove(pair);
        bequeath(pair);
        forEachLastThread(pair, this::leaveThread);
        reset(pair, Part.STATES, Part.TAGS, Part.ADDRESSES, Part.ROOTS);
    }

    /// From some place on the roots of a repository are about to be asked for anew, through it instead of
    /// another.
    void setBack(int pair) {
        reset(pair, Part.ROOTS);
        marks().setRoots(pair, ASKED, marks().roots(pair, CONFIRMED));
    }

    /// What is in flight of a repository does not count.
    private void reset(int pair, Part... parts) {
        boolean isInFlight = marks().level(pair, ASKED) != marks().level(pair, CONFIRMED)
                || marks().roots(pair, ASKED) != marks().roots(pair, CONFIRMED)
                || marks().addresses(pair, ASKED) != marks().addresses(pair, CONFIRMED);
        for (int i = 0; i < parts.length && isInFlight; i++) {
            resets.add(parts[i], targets.repo(pair));
        }
    }

    /// Others asked for nothing that this repository was to ask for; what it did not come to is theirs now.
    private void bequeath(int pair) {
        if (marks().addresses(pair, CONFIRMED) < marks().addresses(pair, ASKED)) {
            targets.forEachNamesake(targets.repo(pair), other -> {
                int heir = targets.findPair(relay, other);
                if (heir >= 0 && heir != pair && marks().addresses(heir, ASKED) > 0) {
                    reset(heir, Part.ADDRESSES);
                    marks().setAddresses(heir, ASKED, 0);
                    marks().setAddresses(heir, CONFIRMED, 0);
                    freshPairs.add(heir);
                }
            });
        }
    }

    private void leaveThread(int root) {
        bequeathThread(root);
        forgetThread(root);
    }

    private void forgetThread(int root) {
        if (threads.first(root) > threads.second(root)) {
            resets.add(Part.THREAD, root);
        }
        threads.forget(root);
    }

    private void bequeathThread(int root) {
        for (int place = threads.second(root); place < threads.first(root); place++) {
            int member = targets.member(root, place);
            if (member >= 0) {
                targets.forEachThreadOf(member, other -> {
                    if (other != root && shared.isWanted(other, -1)) {
                        forgetThread(other);
                        freshThreads.add(other);
                    }
                });
            }
        }
    }

    /// The roots of a repository that no other one has at this relay: if they are wanted again, so are their threads.
    void forEachLastThread(int pair, IntConsumer visitor) {
        int repo = targets.repo(pair);
        for (int place = 0; place < targets.rootCount(repo); place++) {
            int root = targets.threadAt(repo, place);
            if (root >= 0 && !shared.isWanted(root, repo)) {
                visitor.accept(root);
            }
        }
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
            return portion(Purpose.ANNOUNCEMENTS, List.of(Chunk.announcements(relay)), List.of());
        }
        var repositories = nextRepositories(sizes);
        return repositories.isPresent() || unseenPairs() > 0
                ? repositories // what is below a repository is asked for after it
                : nextRoots(sizes).or(() -> nextThreads(sizes));
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
        var addresses = new SharedAddresses(relay, targets, ASKED);
        int looks = 0;
        while (unseenPairs() > 0 && !states.isFull() && !tags.isFull() && looks < ADDRESS_LOOKS_MAX) {
            take(pairsAt < all.length ? all[pairsAt++] : pop(freshPairs), states, tags, addresses);
            looks += addresses.takeLooks();
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

    /// How much of a repository may be asked for: what is wanted and streamed.
    private Level level(int pair) {
        var wanted = targets.level(targets.repo(pair));
        var live = marks().level(pair, LIVE);
        return live.compareTo(wanted) < 0 ? live : wanted;
    }

    private void take(int pair, ChunkMaker states, ChunkMaker tags, SharedAddresses addresses) {
        if (!isOurs(pair)) {
            return; // it ended meanwhile
        }
        int repo = targets.repo(pair);
        var level = level(pair);
        var asked = marks().level(pair, ASKED);
        if (level != Level.NONE && asked == Level.NONE) {
            takeStates(repo, states);
        }
        if (level != Level.FULL) {
            return;
        }
        if (asked != Level.FULL) {
            tags.add(repo, Chunk.SELF);
            marks().setLevel(pair, ASKED, Level.FULL);
        }
        int count = marks().addresses(pair, LIVE);
        for (int place = marks().addresses(pair, ASKED); place < count; place++) {
            if (addresses.isElsewhere(repo, place)) {
                tags.pass(repo, place);
            } else {
                tags.add(repo, place);
            }
        }
        marks().setAddresses(pair, ASKED, count);
    }

    /// All repositories of one name are asked for by one value (R3.2).
    private void takeStates(int repo, ChunkMaker states) {
        targets.forEachNamesake(repo, namesake -> {
            int pair = targets.findPair(relay, namesake);
            if (pair >= 0 && level(pair) != Level.NONE && marks().level(pair, ASKED) == Level.NONE) {
                states.add(namesake, 0);
                marks().setLevel(pair, ASKED, Level.STATE_ONLY);
            }
        });
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
            meetThreads(pair);
            if (takeRoots(pair, roots)) {
                freshRootPairs.remove(pair);
            }
        }
        return portion(Purpose.ROOTS, roots.finish(), List.of());
    }

    /// A repository that comes to this relay later brings threads whose members nobody tells of again.
    private void meetThreads(int pair) {
        if (isOurs(pair) && level(pair) == Level.FULL) {
            int repo = targets.repo(pair);
            for (int place = marks().roots(pair, ASKED); place < marks().roots(pair, LIVE); place++) {
                int root = targets.threadAt(repo, place);
                if (root >= 0 && targets.memberCount(root) > threads.first(root)) {
                    freshThreads.add(root);
                }
            }
        }
    }

    /// @return whether all of the pair was taken
    private boolean takeRoots(int pair, ChunkMaker roots) {
        if (!isOurs(pair) || level(pair) != Level.FULL) {
            return true;
        }
        int repo = targets.repo(pair);
        int count = marks().roots(pair, LIVE);
        int place = marks().roots(pair, ASKED);
        while (place < count && !roots.isFull()) {
            roots.add(repo, place++);
        }
        marks().setRoots(pair, ASKED, place);
        return place >= count;
    }

    private Optional<Portion> nextThreads(Sizes sizes) {
        var members = new ChunkMaker(Layer.THREADS, relay, targets, sizes);
        var addresses = new ChunkMaker(Layer.THREAD_ADDRESSES, relay, targets, sizes);
        int looks = 0;
        while (!freshThreads.isEmpty() && !members.isFull() && looks < LOOKS_MAX) {
            int root = freshThreads.iterator().next();
            boolean isWanted = shared.isWanted(root, -1);
            looks += isWanted ? takeThread(root, members, addresses, LOOKS_MAX - looks) : 1;
            if (!isWanted || isTaken(root)) {
                freshThreads.remove(root);
            }
        }
        while (threadsAt < all.length && !members.isFull() && looks < LOOKS_MAX) {
            looks += walkThreads(all[threadsAt], members, addresses, LOOKS_MAX - looks);
        }
        return portion(Purpose.THREADS, members.finish(), addresses.finish());
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
            int root = targets.threadAt(repo, threadsPlace);
            boolean isOurs = root >= 0 && targets.asksForThread(pair, root);
            looks += isOurs ? takeThread(root, members, addresses, most - looks) : 1;
            if (!isOurs || isTaken(root)) {
                threadsPlace++;
            }
        }
        if (threadsPlace >= count) {
            threadsAt++;
            threadsPlace = 0;
        }
        return looks + 1;
    }

    /// @return how much was looked at
    private int takeThread(int root, ChunkMaker members, ChunkMaker addresses, int most) {
        int count = askable(root);
        int place = threads.first(root);
        if (place >= count) {
            return 1;
        }
        if (!threads.hasRoom(root)) {
            hasUnmarked = true;
            return 1;
        }
        int looks = shared.takeLooks();
        while (place < count && !members.isFull() && looks < most) {
            if (shared.isMemberElsewhere(root, place, threads::first)) {
                members.pass(root, place);
            } else {
                members.add(root, place);
                addresses.add(root, place);
            }
            place++;
            looks += 1 + shared.takeLooks();
        }
        threads.setFirst(root, place);
        return looks;
    }

    private int askable(int root) {
        return Math.min(targets.memberCount(root), streamed.applyAsInt(root));
    }

    /// Whether all of a thread was taken, or cannot be.
    private boolean isTaken(int root) {
        return threads.first(root) >= askable(root) || !threads.hasRoom(root);
    }

    private Optional<Portion> portion(Purpose purpose, List<Chunk> some, List<Chunk> others) {
        var chunks = new ArrayList<>(some);
        chunks.addAll(others);
        return chunks.isEmpty() ? Optional.empty() : Optional.of(new Portion(purpose, chunks, resets.count()));
    }

    // ---- what is confirmed

    /// A chunk was completely delivered. Only what is still wanted is noted (R2.6), and not what was to be
    /// asked for anew since.
    ///
    /// @param askedAfter of its [Portion]
    void confirm(Chunk chunk, int askedAfter) {
        switch (chunk.layer()) {
            case ANNOUNCEMENTS -> {
                // the link remembers that
            }
            case STATES, TAGS, ROOTS, THREADS ->
                chunk.forEachRun((owner, from, to) -> confirm(new Ahead(chunk.layer(), owner, from, to, askedAfter)));
            case THREAD_ADDRESSES -> {
                // confirmed with its ids
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
        if (entry.layer() != Layer.TAGS && isVoid(entry.layer(), entry.owner(), entry.from(), entry.askedAfter())) {
            return true;
        }
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
        boolean isSelf =
                entry.from() == Chunk.SELF && !isVoid(Layer.TAGS, entry.owner(), Chunk.SELF, entry.askedAfter());
        if (isSelf && marks().level(pair, CONFIRMED) == Level.NONE) {
            return false; // its states are not confirmed yet
        }
        if (isSelf) {
            marks().setLevel(pair, CONFIRMED, Level.FULL);
        }
        if (isVoid(Layer.TAGS, entry.owner(), 0, entry.askedAfter())) {
            return true;
        }
        boolean isNext = Math.max(0, entry.from()) <= marks().addresses(pair, CONFIRMED);
        if (isNext && entry.to() > marks().addresses(pair, CONFIRMED)) {
            marks().setAddresses(pair, CONFIRMED, entry.to());
        }
        return isNext;
    }

    private boolean advanceThread(Ahead entry) {
        boolean isNext = entry.from() <= threads.second(entry.owner());
        if (isNext && entry.to() > threads.second(entry.owner())) {
            threads.setSecond(entry.owner(), entry.to());
        }
        return isNext;
    }

    /// Whether something was to be asked for anew since it was asked for.
    boolean isVoid(Layer layer, int owner, int place, int askedAfter) {
        return resets.isVoid(Part.of(layer, place), owner, askedAfter);
    }

    /// Members of a thread that were confirmed.
    int confirmedMembers(int root) {
        return threads.second(root);
    }

    /// Members of a thread of which nobody knows how far they were asked for (8.2).
    int unmarkedMembers(int root) {
        return threads.has(root) ? 0 : targets.memberCount(root);
    }

    /// Whether there are such threads.
    boolean hasUnmarked() {
        return hasUnmarked;
    }

    /// Members of a thread that were asked for.
    int askedMembers(int root) {
        return threads.first(root);
    }
}
