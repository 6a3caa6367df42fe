package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Targets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Gathers values of one layer into chunks of at most so many values and bytes (R3.6). Values come in the order in
/// which they shall stand, so equal sets give equal filters.
final class ChunkMaker {
    /// What a value costs beside its own length: quotes and a comma.
    private static final int BESIDE = 3;

    private static final int ID = 64;
    private static final int ESCAPE = 6;

    private final Layer layer;
    private final int relay;
    private final Targets targets;
    private final Sizes sizes;
    private final List<Chunk> chunks = new ArrayList<>();
    private final Set<String> identifiers = new HashSet<>();
    private int[] runs = new int[12];
    private int length;
    private int values;
    private int bytes;
    private boolean hasPassed;

    /// How much a filter may hold.
    record Sizes(int width, int bytesMax) {}

    ChunkMaker(Layer layer, int relay, Targets targets, Sizes sizes) {
        this.layer = layer;
        this.relay = relay;
        this.targets = targets;
        this.sizes = sizes;
    }

    /// Adds one entry; an entry that stands for nothing now is passed over, but still counts as taken.
    ///
    /// @return whether it stands for something
    boolean add(int owner, int place) {
        int cost = cost(owner, place);
        if (cost == 0) {
            extend(owner, place);
            return false;
        }
        if (values > 0 && (values + 1 > sizes.width() || bytes + cost > sizes.bytesMax())) {
            cut();
        }
        extend(owner, place);
        values++;
        bytes += cost;
        if (layer == Layer.STATES) {
            identifiers.add(targets.identifier(owner));
        }
        return true;
    }

    /// Passes over an entry that somebody else asks for; it counts as taken.
    void pass(int owner, int place) {
        extend(~owner, place);
        hasPassed = true;
    }

    /// What a text takes in a message.
    private static int bytes(String text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one < ' ') {
                count += ESCAPE;
            } else if (one < 0x80) {
                count += one == '"' || one == '\\' ? 2 : 1;
            } else {
                count += one < 0x800 || Character.isSurrogate(one) ? 2 : 3;
            }
        }
        return count;
    }

    /// Whether the chunk that is being made takes no further value of usual length.
    boolean isFull() {
        return !chunks.isEmpty() || values >= sizes.width();
    }

    int values() {
        return values;
    }

    private void extend(int owner, int place) {
        if (length > 0 && runs[length - 3] == owner && runs[length - 1] == place) {
            runs[length - 1] = place + 1;
            return;
        }
        if (length == runs.length) {
            runs = Arrays.copyOf(runs, length * 2);
        }
        runs[length] = owner;
        runs[length + 1] = place;
        runs[length + 2] = place + 1;
        length += 3;
    }

    /// 0 if it stands for nothing, or for what the chunk has already.
    private int cost(int owner, int place) {
        return switch (layer) {
            case ANNOUNCEMENTS -> 0;
            case STATES -> {
                var identifier = targets.identifier(owner);
                yield identifiers.contains(identifier) ? 0 : bytes(identifier) + BESIDE;
            }
            case TAGS ->
                place == Chunk.SELF
                        ? bytes(targets.reference(owner)) + BESIDE
                        : targets.address(owner, place)
                                .map(address -> bytes(address) + BESIDE)
                                .orElse(0);
            case ROOTS -> targets.root(owner, place) >= 0 ? ID + BESIDE : 0;
            case THREADS -> targets.member(owner, place) >= 0 ? ID + BESIDE : 0;
            case THREAD_ADDRESSES -> {
                int member = targets.member(owner, place);
                yield member < 0
                        ? 0
                        : targets.memberAddress(member)
                                .map(address -> bytes(address) + BESIDE)
                                .orElse(0);
            }
        };
    }

    private void cut() {
        chunks.add(new Chunk(layer, relay, Arrays.copyOf(runs, length), values, bytes));
        length = 0;
        values = 0;
        bytes = 0;
        identifiers.clear();
    }

    /// All chunks; those without any value are left out, unless others have it.
    List<Chunk> finish() {
        if (length > 0) {
            cut();
        }
        return chunks.stream().filter(chunk -> chunk.size() > 0 || hasPassed).toList();
    }
}
