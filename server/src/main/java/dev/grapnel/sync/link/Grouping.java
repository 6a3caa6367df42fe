package dev.grapnel.sync.link;

import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Ledger.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes live groups of filters (R3.8), and knows how many a relay bears.
final class Grouping {
    private static final int RETURN_BELOW = 150;
    private static final long OVERLAP_BYTES = 4_000_000;

    private final Link link;

    Grouping(Link link) {
        this.link = link;
    }

    List<LiveGroup> of(List<Question> questions) {
        var made = new ArrayList<LiveGroup>();
        var next = new ArrayList<Question>();
        long bytes = 64;
        for (var question : questions) {
            long cost = question.chunk().bytes() + 64L;
            if (!next.isEmpty()
                    && (next.size() >= link.bearing().filtersPerRequest()
                            || bytes + cost > link.bearing().requestBytes())) {
                made.add(new LiveGroup(link, next, Optional.empty()));
                next.clear();
                bytes = 64;
            }
            next.add(question);
            bytes += cost;
        }
        if (!next.isEmpty()) {
            made.add(new LiveGroup(link, next, Optional.empty()));
        }
        return made;
    }

    /// Whether all of it may be open beside announcements; what was given up returns only where there is room to spare
    /// (R3.24).
    boolean fits(List<LiveGroup> made, boolean isReturn) {
        int filters = made.stream().mapToInt(LiveGroup::filterCount).sum() + 1;
        int slots = link.bearing().liveSlots() - 1;
        long bytes = bytes(made);
        return isReturn
                ? filters < Math.min(RETURN_BELOW, link.config().liveFiltersMax())
                        && made.size() * 10L <= slots * 9L
                        && bytes <= link.bearing().liveBytes() / 10 * 9
                : filters <= link.config().liveFiltersMax()
                        && made.size() <= slots
                        && bytes <= link.bearing().liveBytes();
    }

    /// What something happened to last, as much as may be open beside announcements and the filter for all.
    List<LiveGroup> recent(WidePlan wide, Sizes sizes) {
        var made = of(wide.recent(sizes));
        int slots = Math.max(0, link.bearing().liveSlots() - 2);
        long room = link.bearing().liveBytes();
        int count = 0;
        while (count < Math.min(slots, made.size()) && made.get(count).bytes() <= room) {
            room -= made.get(count).bytes();
            count++;
        }
        return made.subList(0, count);
    }

    /// Whether old groups may stay open until new ones deliver (R3.17); one slot is left for requests (R3.14).
    ///
    /// @param unopened others that wait for a slot
    boolean canOverlap(List<LiveGroup> old, List<LiveGroup> fresh, int unopened) {
        return link.ledger().taken(Use.LIVE) + unopened + fresh.size()
                        <= link.bearing().liveSlots()
                && bytes(old) + bytes(fresh) <= link.bearing().openBytes().orElse(OVERLAP_BYTES);
    }

    static long bytes(List<LiveGroup> some) {
        return some.stream().mapToLong(LiveGroup::bytes).sum();
    }

    /// Whether two lists ask for the same.
    static boolean areAlike(List<LiveGroup> some, List<LiveGroup> others) {
        return questions(some).equals(questions(others));
    }

    private static List<String> questions(List<LiveGroup> some) {
        return some.stream()
                .flatMap(group -> group.questions().stream())
                .map(question -> question.letter() + " " + question.part())
                .toList();
    }
}
