package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/// Values of one layer at one relay, as ranges of lists that only grow: what it stands for is looked up when a filter
/// is made (R8.4). Entries that are gone by then, and those of repositories that left the relay, are left out.
final class Chunk {
    /// In [Layer#TAGS] a range that begins here begins with the repository itself.
    static final int SELF = -1;

    private static final int RUN = 3;

    private final Layer layer;
    private final int relay;
    private final int[] runs;
    private final int size;
    private final int bytes;

    /// @param runs triples: repository (in threads: root), first place, place behind the last
    /// @param size values when it was made
    /// @param bytes about what they take in a filter
    Chunk(Layer layer, int relay, int[] runs, int size, int bytes) {
        this.layer = layer;
        this.relay = relay;
        this.runs = runs;
        this.size = size;
        this.bytes = bytes;
    }

    static Chunk announcements(int relay) {
        return new Chunk(Layer.ANNOUNCEMENTS, relay, new int[0], 1, 32);
    }

    Layer layer() {
        return layer;
    }

    int size() {
        return size;
    }

    int bytes() {
        return bytes;
    }

    int runCount() {
        return runs.length / RUN;
    }

    /// The repository of a run; in threads its root.
    int owner(int run) {
        return runs[run * RUN];
    }

    int from(int run) {
        return runs[run * RUN + 1];
    }

    int to(int run) {
        return runs[run * RUN + 2];
    }

    /// What it stands for now, in order.
    List<String> values(Targets targets) {
        var values = new ArrayList<String>(size);
        if (layer == Layer.STATES) {
            var identifiers = new LinkedHashSet<String>();
            forEachValue(targets, identifiers::add);
            values.addAll(identifiers);
        } else {
            forEachValue(targets, values::add);
        }
        return values;
    }

    private void forEachValue(Targets targets, Consumer<String> visitor) {
        for (int run = 0; run < runCount(); run++) {
            for (int place = from(run); place < to(run); place++) {
                visit(targets, owner(run), place, visitor);
            }
        }
    }

    private void visit(Targets targets, int owner, int place, Consumer<String> visitor) {
        switch (layer) {
            case ANNOUNCEMENTS -> {
                // asked for by kind alone
            }
            case STATES -> {
                if (targets.findPair(relay, owner) >= 0) {
                    visitor.accept(targets.identifier(owner));
                }
            }
            case TAGS -> visitTag(targets, owner, place, visitor);
            case ROOTS -> visitRoot(targets, owner, place, visitor);
            case THREADS -> {
                int member = targets.member(owner, place);
                if (member >= 0) {
                    visitor.accept(targets.memberId(member).toString());
                }
            }
            case THREAD_ADDRESSES -> {
                int member = targets.member(owner, place);
                if (member >= 0) {
                    targets.memberAddress(member).ifPresent(visitor);
                }
            }
        }
    }

    private void visitTag(Targets targets, int repo, int place, Consumer<String> visitor) {
        if (targets.findPair(relay, repo) < 0 || targets.level(repo) != Level.FULL) {
            return;
        }
        if (place == SELF) {
            visitor.accept(targets.reference(repo));
        } else {
            targets.address(repo, place).ifPresent(visitor);
        }
    }

    private void visitRoot(Targets targets, int repo, int place, Consumer<String> visitor) {
        int pair = targets.findPair(relay, repo);
        int root = pair < 0 || targets.level(repo) != Level.FULL ? -1 : targets.root(repo, place);
        if (root >= 0 && targets.asksFor(pair, root)) {
            visitor.accept(targets.rootId(root).toString());
        }
    }
}
