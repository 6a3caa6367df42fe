package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/// Values of one layer at one relay, as ranges of lists that only grow: what it stands for is looked up when a filter
/// is made (R8.4). Entries that are gone by then, and those of repositories that left the relay, are left out.
///
/// There are tens of thousands of them, and in threads nearly each value is a range of its own, so ranges are written
/// in as few bytes as their numbers need (8.2).
final class Chunk {
    /// In [Layer#TAGS] a range that begins here begins with the repository itself.
    static final int SELF = -1;

    private static final int RUN = 3;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;

    private final Layer layer;
    private final int relay;
    private final byte[] runs;
    private final int size;
    private final int bytes;

    /// What is done with a range.
    interface Visitor {
        /// Gets one.
        ///
        /// @param owner the repository; in threads the root
        void range(int owner, int from, int to);
    }

    /// @param runs triples: repository (in threads: root), first place, place behind the last; the complement of the
    ///     repository if somebody else asks for these
    /// @param size values when it was made
    /// @param bytes about what they take in a filter
    Chunk(Layer layer, int relay, int[] runs, int size, int bytes) {
        this.layer = layer;
        this.relay = relay;
        this.runs = written(runs);
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

    /// Each owner as how far it is from the one before, then the first place, then how many.
    private static byte[] written(int[] runs) {
        var bytes = new byte[runs.length * (Integer.SIZE / 7 + 1)];
        int end = 0;
        int before = 0;
        for (int run = 0; run < runs.length; run += RUN) {
            int step = runs[run] - before;
            before = runs[run];
            end = write(bytes, end, step << 1 ^ step >> (Integer.SIZE - 1));
            end = write(bytes, end, runs[run + 1] - SELF);
            end = write(bytes, end, runs[run + 2] - runs[run + 1]);
        }
        return Arrays.copyOf(bytes, end);
    }

    private static int write(byte[] bytes, int start, int number) {
        int end = start;
        int rest = number;
        while ((rest & ~SEVEN_BITS) != 0) {
            bytes[end++] = (byte) (rest | MORE);
            rest >>>= 7;
        }
        bytes[end++] = (byte) rest;
        return end;
    }

    /// Visits the ranges in order, also those that others ask for: they are confirmed all the same.
    void forEachRun(Visitor visitor) {
        forEachWritten((owner, from, to) -> visitor.range(owner < 0 ? ~owner : owner, from, to));
    }

    private void forEachWritten(Visitor visitor) {
        var reader = new Reader(runs);
        int owner = 0;
        while (reader.hasMore()) {
            int step = reader.next();
            owner += step >>> 1 ^ -(step & 1);
            int from = reader.next() + SELF;
            visitor.range(owner, from, from + reader.next());
        }
    }

    private static final class Reader {
        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        boolean hasMore() {
            return at < bytes.length;
        }

        int next() {
            int number = 0;
            int shift = 0;
            byte one;
            do {
                one = bytes[at++];
                number |= (one & SEVEN_BITS) << shift;
                shift += 7;
            } while (one < 0);
            return number;
        }
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
        forEachWritten((owner, from, to) -> {
            for (int place = from; place < to && owner >= 0; place++) {
                visit(targets, owner, place, visitor);
            }
        });
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
