package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// What is wanted of a relay and not streamed yet, on its way into live filters. Whatever is gathered is marked as
/// streamed, until that is undone.
final class Gathering {
    private static final int VALUES_MAX = 200_000;

    private final int relay;
    private final Targets targets;
    private final IntPairMap members;
    private final ChunkMaker states;
    private final ChunkMaker tags;
    private final ChunkMaker roots;
    private final ChunkMaker threads;
    private final ChunkMaker addresses;
    private final List<Runnable> undo = new ArrayList<>();
    private int values;

    /// @param members how many members of each thread are streamed
    Gathering(int relay, Targets targets, IntPairMap members, Sizes sizes) {
        this.relay = relay;
        this.targets = targets;
        this.members = members;
        this.states = new ChunkMaker(Layer.STATES, relay, targets, sizes);
        this.tags = new ChunkMaker(Layer.TAGS, relay, targets, sizes);
        this.roots = new ChunkMaker(Layer.ROOTS, relay, targets, sizes);
        this.threads = new ChunkMaker(Layer.THREADS, relay, targets, sizes);
        this.addresses = new ChunkMaker(Layer.THREAD_ADDRESSES, relay, targets, sizes);
    }

    /// Nothing of it counts as streamed.
    void undo() {
        undo.forEach(Runnable::run);
    }

    /// One for each filter.
    ///
    /// @param letters by which each layer is asked for
    List<Question> questions(Function<Layer, String> letters) {
        var all = new ArrayList<Question>();
        for (var maker : List.of(states, tags, roots, threads, addresses)) {
            for (var chunk : maker.finish()) {
                for (char letter : letters.apply(chunk.layer()).toCharArray()) {
                    all.add(Question.of(chunk, letter));
                }
            }
        }
        return all;
    }

    private PairMarks marks() {
        return targets.marks();
    }

    private boolean isOurs(int pair) {
        int repo = targets.repo(pair);
        return repo >= 0 && targets.findPair(relay, repo) == pair;
    }

    /// What is new of a repository.
    void add(int pair) {
        if (!isOurs(pair)) {
            return;
        }
        int repo = targets.repo(pair);
        var level = targets.level(repo);
        var live = marks().level(pair, LIVE);
        int rootsBefore = marks().roots(pair, LIVE);
        int addressesBefore = marks().addresses(pair, LIVE);
        undo.add(() -> marks().set(pair, LIVE, live, rootsBefore, addressesBefore));
        if (level != Level.NONE && live == Level.NONE && !isIdentifierLive(pair, repo)) {
            states.add(repo, 0);
            values++;
        }
        if (level == Level.FULL) {
            addFull(pair, repo);
            marks().set(pair, LIVE, level, targets.rootCount(repo), targets.addressCount(repo));
        } else {
            marks().set(pair, LIVE, level, 0, 0);
        }
    }

    private void addFull(int pair, int repo) {
        if (marks().level(pair, LIVE) != Level.FULL) {
            tags.add(repo, Chunk.SELF);
            values++;
        }
        for (int place = marks().addresses(pair, LIVE); place < targets.addressCount(repo); place++) {
            tags.add(repo, place);
            values++;
        }
        for (int place = marks().roots(pair, LIVE); place < targets.rootCount(repo); place++) {
            int root = targets.root(repo, place);
            if (root >= 0 && targets.asksFor(pair, root)) {
                roots.add(repo, place);
                values++;
            }
        }
    }

    /// Repositories that share an identifier share a value (R3.2).
    private boolean isIdentifierLive(int pair, int repo) {
        var found = new boolean[1];
        targets.forEachNamesake(repo, other -> {
            int namesake = targets.findPair(relay, other);
            found[0] |= namesake >= 0 && namesake != pair && marks().level(namesake, LIVE) != Level.NONE;
        });
        return found[0];
    }

    /// What is new of a thread.
    void addThread(int root) {
        var isHere = new boolean[1];
        targets.forEachRepoOf(root, repo -> {
            isHere[0] |= targets.level(repo) == Level.FULL && targets.findPair(relay, repo) >= 0;
        });
        if (!isHere[0]) {
            return;
        }
        int count = targets.memberCount(root);
        int before = members.first(root);
        undo.add(() -> members.setFirst(root, before));
        for (int place = before; place < count; place++) {
            threads.add(root, place);
            addresses.add(root, place);
            values++;
        }
        if (count > 0) {
            members.setFirst(root, count);
        }
    }

    /// Everything that is wanted of the relay.
    ///
    /// @return whether it is few enough to be streamed at all
    boolean addAll(boolean withThreads) {
        var done = new HashSet<Integer>();
        var isTooMuch = new boolean[1];
        targets.forEachPair(relay, pair -> {
            isTooMuch[0] |= values > VALUES_MAX;
            if (!isTooMuch[0]) {
                add(pair);
                if (withThreads) {
                    addThreads(pair, done);
                }
            }
        });
        return !isTooMuch[0];
    }

    private void addThreads(int pair, Set<Integer> done) {
        int repo = targets.repo(pair);
        if (targets.level(repo) != Level.FULL) {
            return;
        }
        for (int place = 0; place < targets.rootCount(repo) && values <= VALUES_MAX; place++) {
            int root = targets.root(repo, place);
            if (root >= 0 && targets.memberCount(root) > 0 && done.add(root)) {
                addThread(root);
            }
        }
    }
}
