package dev.grapnel.sync.link;

/// How wide filters of a relay are (R3.6), and what it is chosen by: how many live filters everything would need.
final class PlanWidth {
    private final Link link;
    private final PackedCount count = new PackedCount();
    private boolean isWide;
    private boolean isCountOld;

    PlanWidth(Link link) {
        this.link = link;
    }

    boolean isWide() {
        return isWide;
    }

    /// More is wanted.
    void grown() {
        isCountOld = true;
    }

    /// Packs everything at the ordinary width, to see whether that will do. Nothing may be marked as streamed before,
    /// and something is afterwards.
    void choose(IntPairMap members) {
        count();
        var narrow = link.bearing().sizes(false);
        var all = new Gathering(link.relay(), link.targets(), members, narrow);
        if (all.addAll(Layer::letters, link.bearing().valuesMax(false))) {
            count.packed(
                    false, narrow.width(), 1 + all.questions(Layer::letters).size());
        }
        boolean next = needsWide();
        if (next != isWide) {
            link.note(new LinkNote.Width(width(isWide), width(next)));
            isWide = next;
        }
    }

    /// What was last counted took so many filters at the width that was chosen.
    void packed(int filters) {
        count.packed(isWide, width(isWide), filters);
    }

    private int width(boolean wide) {
        return link.bearing().sizes(wide).width();
    }

    private boolean needsWide() {
        return count.needsWide(isWide, width(false), link.config().consolidationFrom());
    }

    private void count() {
        isCountOld = false;
        count.count(link.relay(), link.targets());
    }

    /// Filters if everything were packed now, at the width it would have then.
    int packedCount() {
        count();
        boolean isWideThen = needsWide();
        return count.filters(isWideThen, width(isWideThen));
    }

    /// How much is wanted, as of when it was last counted.
    ///
    /// @param isExact whether it is counted if there may be more now
    PlanSize size(boolean isExact) {
        if (isExact && isCountOld) {
            count();
        }
        return count.size();
    }
}
