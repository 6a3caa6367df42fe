package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/// What is wanted of a relay and not streamed yet, on its way into live filters. Whatever is gathered is marked as
/// streamed, until that is undone.
final class Gathering {
    /// So much is looked at in one turn for what others have, too; what is left then is swept. Nobody streams as much
    /// without that.
    private static final int LOOKS_MAX = 200_000;

    private final int relay;
    private final Targets targets;
    private final SharedValues shared;
    private final SharedAddresses sharedAddresses;
    private final IntPairMap members;
    private final ChunkMaker states;
    private final ChunkMaker tags;
    private final ChunkMaker roots;
    private final ChunkMaker threads;
    private final ChunkMaker addresses;
    private final Set<String> identifiers = new HashSet<>();
    private final List<Runnable> undo = new ArrayList<>();
    private final List<Integer> met = new ArrayList<>();
    private final Set<Integer> sharedMembers = new HashSet<>();
    private final Map<Integer, Integer> reachedBefore = new HashMap<>();
    private ToIntFunction<Layer> weight = _ -> 0;
    private long most = Long.MAX_VALUE;
    private long gathered;
    private int looks;
    private boolean isShort;

    /// @param members how many members of each thread are streamed
    Gathering(int relay, Targets targets, IntPairMap members, Sizes sizes) {
        this.relay = relay;
        this.targets = targets;
        this.shared = new SharedValues(relay, targets);
        this.sharedAddresses = new SharedAddresses(relay, targets, LIVE);
        this.members = members;
        this.states = new ChunkMaker(Layer.STATES, relay, targets, sizes);
        this.tags = new ChunkMaker(Layer.TAGS, relay, targets, sizes);
        this.roots = new ChunkMaker(Layer.ROOTS, relay, targets, sizes);
        this.threads = new ChunkMaker(Layer.THREADS, relay, targets, sizes);
        this.addresses = new ChunkMaker(Layer.THREAD_ADDRESSES, relay, targets, sizes);
    }

    /// Nothing of it counts as streamed.
    void undo() {
        undo.reversed().forEach(Runnable::run);
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

    private static boolean isPairOf(int relay, int pair, Targets targets) {
        int repo = targets.repo(pair);
        return repo >= 0 && targets.findPair(relay, repo) == pair;
    }

    /// What is new of a repository.
    private void add(int pair) {
        if (!isPairOf(relay, pair, targets)) {
            return;
        }
        int repo = targets.repo(pair);
        var level = targets.level(repo);
        var live = marks().level(pair, LIVE);
        int rootsBefore = marks().roots(pair, LIVE);
        int addressesBefore = marks().addresses(pair, LIVE);
        undo.add(() -> marks().set(pair, LIVE, live, rootsBefore, addressesBefore));
        if (level != Level.NONE && live == Level.NONE && !isIdentifierLive(pair, repo)) {
            count(Layer.STATES, states.add(repo, 0));
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
            count(Layer.TAGS, tags.add(repo, Chunk.SELF));
        }
        for (int place = marks().addresses(pair, LIVE); place < targets.addressCount(repo); place++) {
            if (!sharedAddresses.isElsewhere(repo, place)) {
                count(Layer.TAGS, tags.add(repo, place));
            }
        }
        look(sharedAddresses.takeLooks());
        for (int place = marks().roots(pair, LIVE); place < targets.rootCount(repo) && fits(); place++) {
            int root = targets.root(repo, place);
            if (root >= 0 && targets.asksFor(pair, root)) {
                count(Layer.ROOTS, roots.add(repo, place));
            }
            int thread = targets.threadAt(repo, place);
            if (thread >= 0 && targets.memberCount(thread) > 0) {
                met.add(thread);
            }
        }
    }

    /// What is new of some repositories and threads, and of the threads of roots that were added, whose members may be
    /// older than the pair.
    ///
    /// @param letters by which each layer is to be asked for
    /// @param valuesMax that all filters together can hold; a value counts once for each letter
    /// @return whether it is few enough to be streamed at all; if not, it stops
    boolean add(
            Collection<Integer> pairs, Collection<Integer> changed, Function<Layer, String> letters, long valuesMax) {
        limit(letters, valuesMax);
        pairs.stream().takeWhile(_ -> fits()).forEach(this::add);
        if (weight.applyAsInt(Layer.THREADS) > 0) {
            Stream.of(met, changed)
                    .flatMap(Collection::stream)
                    .takeWhile(_ -> fits())
                    .forEach(this::addThread);
        }
        return fits();
    }

    private void limit(Function<Layer, String> letters, long valuesMax) {
        weight = layer -> letters.apply(layer).length();
        most = valuesMax;
    }

    private void look(int more) {
        looks += more;
        isShort |= looks > LOOKS_MAX;
    }

    private void count(Layer layer, boolean isValue) {
        gathered += isValue ? weight.applyAsInt(layer) : 0;
    }

    /// Repositories that share an identifier share a value (R3.2).
    private boolean isIdentifierLive(int pair, int repo) {
        if (!identifiers.add(targets.identifier(repo))) {
            return true; // looking at all namesakes for each of them would take long where there are thousands
        }
        return targets.hasAnyNamesake(repo, other -> {
            int namesake = targets.findPair(relay, other);
            return namesake >= 0 && namesake != pair && marks().level(namesake, LIVE) != Level.NONE;
        });
    }

    /// What is new of a thread.
    private void addThread(int root) {
        if (!shared.isWanted(root, -1)) {
            return;
        }
        int count = targets.memberCount(root);
        if (count > 0 && !members.hasRoom(root)) {
            isShort = true;
            return;
        }
        int before = members.first(root);
        undo.add(() -> members.setFirst(root, before));
        reachedBefore.putIfAbsent(root, before);
        for (int place = before; place < count && fits(); place++) {
            if (!isMemberElsewhere(root, place)) {
                count(Layer.THREADS, threads.add(root, place));
                addresses.add(root, place);
            }
            look(1 + shared.takeLooks());
        }
        if (count > 0) {
            members.setFirst(root, count);
        }
    }

    /// Whether the member came with another thread: now, which is known, or before.
    private boolean isMemberElsewhere(int root, int place) {
        int member = targets.member(root, place);
        if (member < 0 || !targets.hasAnyThread(member, other -> isOther(other, root))) {
            return false;
        }
        return !sharedMembers.add(member) || shared.isMemberElsewhere(root, place, this::reachedBefore);
    }

    private boolean isOther(int other, int root) {
        looks++;
        return other != root;
    }

    private int reachedBefore(int root) {
        return reachedBefore.getOrDefault(root, members.first(root));
    }

    /// Everything that is wanted of the relay.
    ///
    /// @param letters by which each layer is to be asked for
    /// @param valuesMax that all filters together can hold; a value counts once for each letter
    /// @return whether it is few enough to be streamed at all; if not, it stops
    boolean addAll(Function<Layer, String> letters, long valuesMax) {
        limit(letters, valuesMax);
        boolean withThreads = weight.applyAsInt(Layer.THREADS) > 0;
        var done = new HashSet<Integer>();
        targets.forEachPair(relay, pair -> {
            if (fits()) {
                add(pair);
                if (withThreads) {
                    addThreads(pair, done);
                }
            }
        });
        return fits();
    }

    /// Whether it is few enough so far, and there is room to know how far threads are streamed (8.2).
    private boolean fits() {
        return gathered <= most && !isShort;
    }

    private void addThreads(int pair, Set<Integer> done) {
        int repo = targets.repo(pair);
        if (targets.level(repo) != Level.FULL) {
            return;
        }
        for (int place = 0; place < targets.rootCount(repo) && fits(); place++) {
            int root = targets.threadAt(repo, place);
            if (root >= 0 && targets.memberCount(root) > 0 && done.add(root)) {
                addThread(root);
            }
        }
    }

    /// Live marks say that nothing more is to be done, although nothing of it is streamed.
    static void markAll(int relay, Targets targets) {
        targets.forEachPair(relay, pair -> mark(pair, targets));
    }

    /// The same for some pairs of a relay.
    static void mark(Collection<Integer> pairs, int relay, Targets targets) {
        for (int pair : pairs) {
            if (isPairOf(relay, pair, targets)) {
                mark(pair, targets);
            }
        }
    }

    private static void mark(int pair, Targets targets) {
        int repo = targets.repo(pair);
        boolean isFull = targets.level(repo) == Level.FULL;
        int roots = isFull ? targets.rootCount(repo) : 0;
        int addresses = isFull ? targets.addressCount(repo) : 0;
        targets.marks().set(pair, LIVE, targets.level(repo), roots, addresses);
    }
}
