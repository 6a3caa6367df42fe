package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns the deltas of a pack into objects, from the whole ones at the bottom upwards, depth first.
///
/// Each base is made once while its deltas are made from it. Content that others above still need is kept
/// as long as it fits in a few megabytes; what had to go is made again from what is below it, and that
/// counts as often as it happens. Deltas on which nothing rests come first, and before the last delta of a
/// base is entered the base is let go, so even long chains seldom need anything twice.
final class DeltaResolver {
    private static final long HEAP_HELD_MAX = 16 << 20;
    private static final long SPILLED_HELD_MAX = 512 << 20;

    private final ObjectTable table;
    private final IdTable ids;
    private final Needs needs;
    private final IdTable awaited;
    private final Examiner examiner;
    private final Here here;
    private final LargeResults large;
    private final EntryReader entries;
    private final DeltaDecoder decoder;
    private final Scratch scratch;
    private final int depthMax;
    private final int sent;
    private final long endOfLast;
    private final List<Frame> frames = new ArrayList<>();
    private long heapHeld;
    private long spilledHeld;
    private int depthMet;

    /// @param endOfLast where the last object ends in the file
    DeltaResolver(Reception.Tables tables, Reception.Reading reading, PackLimits limits, long endOfLast)
            throws IOException {
        this.table = tables.objects();
        this.ids = tables.ids();
        this.needs = tables.needs();
        this.scratch = tables.scratch();
        this.awaited = new IdTable(scratch);
        this.examiner = reading.examiner();
        this.here = reading.here();
        this.large = reading.large();
        this.entries = reading.entries();
        this.decoder = new DeltaDecoder(
                scratch, limits.objectBytes(), limits.resolved().bytes(endOfLast));
        this.depthMax = limits.deltaDepth();
        this.sent = table.size();
        this.endOfLast = endOfLast;
    }

    /// Resolves everything. Afterwards bases that are not in the pack stand at the end of the table.
    void resolve() throws IOException, PackRefused {
        link();
        for (int object = 0; object < sent; object++) {
            if (!table.isDelta(object)) {
                adopt(object);
                if (table.first(object) != ObjectTable.NONE) {
                    resolveFrom(object, null);
                }
            }
        }
        if (awaited.size() > 0) {
            resolveThin();
        }
    }

    /// Gives every base the list of its deltas; deltas on an id wait until an object has it.
    private void link() throws IOException {
        for (int object = sent - 1; object >= 0; object--) {
            int kind = table.kind(object);
            if (kind == ObjectTable.OFFSET_DELTA) {
                int base = table.base(object);
                table.setNext(object, table.first(base));
                table.setFirst(base, object);
            } else if (kind == ObjectTable.ID_DELTA) {
                long slot = awaited.add(table.a(object), table.b(object), table.c(object));
                table.setNext(object, awaited.owner(slot));
                awaited.setOwner(slot, object);
            }
        }
    }

    /// Lets an object have the deltas that wait for its id.
    private void adopt(int object) {
        if (awaited.size() == 0) {
            return;
        }
        long slot = awaited.find(table.a(object), table.b(object), table.c(object));
        if (slot < 0 || awaited.owner(slot) == ObjectTable.NONE) {
            return;
        }
        int first = awaited.owner(slot);
        awaited.setOwner(slot, ObjectTable.NONE);
        int last = first;
        for (int delta = first; delta != ObjectTable.NONE; delta = table.next(delta)) {
            table.setBase(delta, object);
            last = delta;
        }
        table.setNext(last, table.first(object));
        table.setFirst(object, first);
    }

    /// Deltas on objects that are not in the pack.
    private void resolveThin() throws IOException, PackRefused {
        for (int object = 0; object < sent; object++) {
            if (isWaiting(object)) {
                borrow(table.a(object), table.b(object), table.c(object));
            }
        }
        for (int object = 0; object < sent; object++) {
            if (isWaiting(object)) {
                throw PackRefused.broken("missing object " + table.id(object)
                        + ", the base of a delta: it is not here, or deltas rest on each other in a circle");
            }
        }
    }

    private boolean isWaiting(int object) {
        return table.type(object) == 0
                && table.kind(object) == ObjectTable.ID_DELTA
                && table.base(object) == ObjectTable.NONE;
    }

    private void borrow(long a, long b, int c) throws IOException, PackRefused {
        needs.base(a, b, c);
        var type = here.findType(a, b, c);
        var content = type.isEmpty() ? null : here.findContent(a, b, c).orElse(null);
        if (type.isPresent() && content != null) {
            decoder.spend(content.size());
            int base = table.add(-1, 0, ObjectTable.ABSENT, ObjectTable.NONE);
            table.setId(base, a, b, c);
            table.setType(base, type.get().number());
            adopt(base);
            resolveFrom(base, content);
        }
    }

    /// Resolves all deltas above an object.
    private void resolveFrom(int root, @Nullable Content content) throws IOException, PackRefused {
        push(root, 0, content == null ? load(root) : content);
        while (!frames.isEmpty()) {
            step(frames.getLast());
        }
    }

    private void step(Frame frame) throws IOException, PackRefused {
        Halt.ifInterrupted("deltas were resolved");
        if (frame.depth == depthMax) {
            throw new PackRefused("a chain of deltas is longer than " + depthMax);
        }
        var base = contentOf(frame);
        int delta = frame.next;
        frame.next = table.next(delta);
        var type = ObjectType.find(table.type(frame.object)).orElseThrow();
        boolean mayBeBase = table.first(delta) != ObjectTable.NONE || awaited.size() > 0;
        var result = apply(delta, base, mayBeBase);
        examiner.examine(delta, type, result);
        large.offer(delta, entries.size(), base.size(), result);
        adopt(delta);
        if (frame.next == ObjectTable.NONE) {
            frames.removeLast();
            release(frame);
        }
        if (table.first(delta) == ObjectTable.NONE) {
            result.close();
        } else {
            push(delta, frame.depth + 1, result);
        }
        depthMet = Math.max(depthMet, frame.depth + 1);
    }

    private void push(int object, int depth, Content content) {
        var frame = new Frame(object, depth, leavesFirst(object));
        frames.add(frame);
        hold(frame, content);
        for (int i = 0; i < frames.size() - 1 && (heapHeld > HEAP_HELD_MAX || spilledHeld > SPILLED_HELD_MAX); i++) {
            release(frames.get(i));
        }
    }

    /// The deltas of an object, those first on which nothing rests as far as we know.
    private int leavesFirst(int object) {
        int leaf = ObjectTable.NONE;
        int firstLeaf = ObjectTable.NONE;
        int other = ObjectTable.NONE;
        int firstOther = ObjectTable.NONE;
        for (int delta = table.first(object); delta != ObjectTable.NONE; delta = table.next(delta)) {
            if (table.first(delta) == ObjectTable.NONE) {
                firstLeaf = append(firstLeaf, leaf, delta);
                leaf = delta;
            } else {
                firstOther = append(firstOther, other, delta);
                other = delta;
            }
        }
        if (other != ObjectTable.NONE) {
            table.setNext(other, ObjectTable.NONE);
        }
        return append(firstLeaf, leaf, firstOther);
    }

    private int append(int first, int last, int added) {
        if (last == ObjectTable.NONE) {
            return added;
        }
        table.setNext(last, added);
        return first;
    }

    private Content contentOf(Frame frame) throws IOException, PackRefused {
        var content = frame.content;
        if (content == null) {
            content = make(frame.object, frame.depth);
            hold(frame, content);
        }
        return content;
    }

    /// Makes an object again, when all are resolved.
    Content make(int object) throws IOException, PackRefused {
        return make(object, 0);
    }

    /// Makes an object again from the nearest one below it that is held.
    private Content make(int object, int depth) throws IOException, PackRefused {
        var path = new ArrayList<Integer>();
        int at = object;
        Content content = null;
        while (content == null && table.isDelta(at)) {
            path.add(at);
            at = table.base(at);
            content = findHeld(depth - path.size());
        }
        boolean isHeld = content != null;
        if (content == null) {
            content = load(at);
            decoder.spend(content.size());
        }
        for (int delta : path.reversed()) {
            var next = apply(delta, content, true);
            if (!isHeld) {
                content.close();
            }
            isHeld = false;
            content = next;
        }
        return content;
    }

    /// Frames lie on one path through the deltas, so their depths rise, and one depth is one object.
    private @Nullable Content findHeld(int depth) {
        int low = 0;
        int high = frames.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            var frame = frames.get(middle);
            if (frame.depth == depth) {
                return frame.content;
            }
            if (frame.depth < depth) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /// Reads an object that is whole, in the pack or here.
    private Content load(int object) throws IOException {
        if (table.kind(object) == ObjectTable.ABSENT) {
            return here.findContent(table.a(object), table.b(object), table.c(object))
                    .orElseThrow(() -> new IOException("object " + table.id(object) + " was here and is gone"));
        }
        open(object);
        return entries.readAll(scratch);
    }

    private Content apply(int delta, Content base, boolean kept) throws IOException, PackRefused {
        open(delta);
        return decoder.apply(entries, base, kept);
    }

    private void open(int object) throws IOException {
        long end = object + 1 < sent ? table.offset(object + 1) : endOfLast;
        entries.open(table.offset(object), end, table.kind(object));
    }

    private void hold(Frame frame, Content content) {
        frame.content = content;
        if (content.isOnHeap()) {
            heapHeld += content.size();
        } else {
            spilledHeld += content.size();
        }
    }

    private void release(Frame frame) {
        var content = frame.content;
        if (content != null) {
            frame.content = null;
            if (content.isOnHeap()) {
                heapHeld -= content.size();
            } else {
                spilledHeld -= content.size();
            }
            content.close();
        }
    }

    /// Whether a borrowed base came with the pack after all, as a delta itself. It need not be appended
    /// then, unless deltas would rest on each other in a circle.
    boolean wasSent(int borrowed) throws PackRefused {
        long slot = ids.find(table.a(borrowed), table.b(borrowed), table.c(borrowed));
        if (slot < 0 || !ids.has(slot, IdTable.SENT)) {
            return false;
        }
        int steps = 0;
        for (int at = ids.owner(slot); table.isDelta(at); steps++) {
            if (steps + depthMet >= depthMax) {
                throw new PackRefused("deltas rest on each other in a circle, or in a chain longer than " + depthMax);
            }
            at = table.base(at);
            long below = ids.find(table.a(at), table.b(at), table.c(at));
            at = below >= 0 && ids.has(below, IdTable.SENT) ? ids.owner(below) : at;
        }
        return true;
    }

    /// An object from which deltas are being made.
    private static final class Frame {
        private final int object;
        private final int depth;
        private int next;
        private @Nullable Content content;

        private Frame(int object, int depth, int next) {
            this.object = object;
            this.depth = depth;
            this.next = next;
        }
    }
}
