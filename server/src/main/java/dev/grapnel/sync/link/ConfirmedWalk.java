package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.CONFIRMED;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// Goes through what a relay has confirmed, or was asked for, or what nobody knows that of, chunk by chunk, so that it
/// can be asked for once more from some moment on.
/// Values that come so far after the walk passed them are not part of it.
final class ConfirmedWalk {
    private static final int LOOKS_MAX = 20_000;

    private final int relay;
    private final Targets targets;
    private final int reached;
    private final IntUnaryOperator members;
    private final Set<Layer> layers;
    private final int[] pairs;
    private final Deque<Chunk> made = new ArrayDeque<>();
    private Stage stage = Stage.REPOSITORIES;
    private int at;
    private int place;

    private enum Stage {
        REPOSITORIES,
        ROOTS,
        THREADS,
        DONE
    }

    /// @param members how many members of a root's thread are part of it
    ConfirmedWalk(int relay, Targets targets, IntUnaryOperator members, Set<Layer> layers) {
        this(relay, targets, CONFIRMED, members, layers);
    }

    /// @param reached the stage that things must have come to, of [dev.grapnel.sync.index.PairMarks]
    ConfirmedWalk(int relay, Targets targets, int reached, IntUnaryOperator members, Set<Layer> layers) {
        this.relay = relay;
        this.targets = targets;
        this.reached = reached;
        this.members = members;
        this.layers = layers;
        this.pairs = new int[targets.pairCount(relay)];
        var count = new int[1];
        targets.forEachPair(relay, pair -> pairs[count[0]++] = pair);
        if (layers.contains(Layer.ANNOUNCEMENTS)) {
            made.add(Chunk.announcements(relay));
        }
    }

    boolean isDone() {
        return stage == Stage.DONE && made.isEmpty();
    }

    /// The next chunk; empty if there is none, or none was found in this turn.
    Optional<Chunk> next(Sizes sizes) {
        int looks = 0;
        while (made.isEmpty() && stage != Stage.DONE && looks < LOOKS_MAX) {
            looks += step(sizes);
        }
        return Optional.ofNullable(made.poll());
    }

    private int step(Sizes sizes) {
        return switch (stage) {
            case REPOSITORIES -> repositories(sizes);
            case ROOTS -> layers.contains(Layer.ROOTS) ? roots(sizes) : advance(Stage.THREADS);
            case THREADS -> layers.contains(Layer.THREADS) ? threads(sizes) : advance(Stage.DONE);
            case DONE -> 0;
        };
    }

    private int advance(Stage next) {
        stage = next;
        at = 0;
        place = 0;
        return 1;
    }

    private boolean isOurs(int pair) {
        int repo = targets.repo(pair);
        return repo >= 0 && targets.findPair(relay, repo) == pair;
    }

    private int repositories(Sizes sizes) {
        var states = new ChunkMaker(Layer.STATES, relay, targets, sizes);
        var tags = new ChunkMaker(Layer.TAGS, relay, targets, sizes);
        int looks = 1;
        while (at < pairs.length && !states.isFull() && !tags.isFull()) {
            int pair = pairs[at++];
            looks++;
            if (isOurs(pair)) {
                add(pair, states, tags);
            }
        }
        made.addAll(states.finish());
        made.addAll(tags.finish());
        return at >= pairs.length ? looks + advance(Stage.ROOTS) : looks;
    }

    private void add(int pair, ChunkMaker states, ChunkMaker tags) {
        int repo = targets.repo(pair);
        var level = targets.marks().level(pair, reached);
        if (level != Level.NONE && layers.contains(Layer.STATES)) {
            states.add(repo, 0);
        }
        if (level == Level.FULL && layers.contains(Layer.TAGS)) {
            tags.add(repo, Chunk.SELF);
            for (int i = 0; i < targets.marks().addresses(pair, reached); i++) {
                tags.add(repo, i);
            }
        }
    }

    private int roots(Sizes sizes) {
        var roots = new ChunkMaker(Layer.ROOTS, relay, targets, sizes);
        int looks = 1;
        while (at < pairs.length && !roots.isFull()) {
            int pair = pairs[at];
            int count = isOurs(pair) ? targets.marks().roots(pair, reached) : 0;
            while (place < count && !roots.isFull()) {
                roots.add(targets.repo(pair), place++);
                looks++;
            }
            if (place >= count) {
                at++;
                place = 0;
                looks++;
            }
        }
        made.addAll(roots.finish());
        return at >= pairs.length ? looks + advance(Stage.THREADS) : looks;
    }

    private int threads(Sizes sizes) {
        var ids = new ChunkMaker(Layer.THREADS, relay, targets, sizes);
        var addresses = new ChunkMaker(Layer.THREAD_ADDRESSES, relay, targets, sizes);
        int looks = 1;
        while (at < pairs.length && !ids.isFull() && looks < LOOKS_MAX) {
            int pair = pairs[at];
            int count = isOurs(pair) ? targets.rootCount(targets.repo(pair)) : 0;
            if (place < count) {
                addThread(pair, targets.threadAt(targets.repo(pair), place++), ids, addresses);
            } else {
                at++;
                place = 0;
            }
            looks++;
        }
        made.addAll(ids.finish());
        made.addAll(addresses.finish());
        return at >= pairs.length ? looks + advance(Stage.DONE) : looks;
    }

    private void addThread(int pair, int root, ChunkMaker ids, ChunkMaker addresses) {
        if (root < 0 || !targets.asksForThread(pair, root)) {
            return;
        }
        int count = members.applyAsInt(root);
        for (int i = 0; i < count; i++) {
            ids.add(root, i);
            addresses.add(root, i);
        }
    }
}
