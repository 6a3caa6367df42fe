package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.ASKED;
import static dev.grapnel.sync.index.PairMarks.CONFIRMED;
import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.Ledger.Use;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a link knows of itself, for those who check it from outside (sync 10.3). Reads only.
public final class LinkWindow {
    private static final int BATCHES_MAX = 64;
    private static final int BATCHES_PARKED_MAX = 512;
    private static final int PHANTOMS_MAX = 1_000;

    private final Link link;
    private final Targets targets;

    public LinkWindow(Link link) {
        this.link = link;
        this.targets = link.targets();
    }

    public RemoteUrl relay() {
        return targets.relay(link.relay());
    }

    public boolean isUp() {
        return link.isUp();
    }

    public boolean isCooling() {
        return link.isCooling();
    }

    public LinkState state() {
        return link.state();
    }

    /// Slots that may be taken now (R3.14).
    public int slotsMax() {
        return link.bearing().usableSlots();
    }

    public int slotsTaken() {
        return link.ledger().open();
    }

    public int liveSlotsMax() {
        return link.bearing().liveSlots();
    }

    public int liveSlotsTaken() {
        return link.ledger().taken(Use.LIVE);
    }

    /// Bytes that all open live requests may have, if a cap is known (R3.14a).
    public OptionalLong bytesMax() {
        return link.bearing().openBytes();
    }

    /// Whether something is asked for now and then instead of streamed (R3.24), or by a filter for all (8.5).
    public boolean isShort() {
        return link.plan().givenUp() > 0 || !link.bearing().canStream();
    }

    /// Whether new values wait for the next consolidation (R3.20).
    public boolean isWaiting() {
        return link.plan().isWaiting();
    }

    // ---- I4

    /// Items in more than one batch in flight.
    public List<String> askedTwice() {
        var problems = new ArrayList<String>();
        Map<String, Long> items = new LinkedHashMap<>();
        for (var batch : link.work().batches().all()) {
            for (var item : items(batch)) {
                var other = items.put(item, batch.id());
                if (other != null && other != batch.id()) {
                    problems.add(item + " is in batches " + other + " and " + batch.id());
                }
            }
        }
        return problems;
    }

    private List<String> items(Batch batch) {
        var items = new ArrayList<String>();
        for (var chunk : batch.chunks()) {
            chunk.forEachRun((owner, from, to) -> {
                for (int place = from; place < to; place++) {
                    if (chunk.layer() != Layer.THREAD_ADDRESSES
                            && isWanted(chunk.layer(), owner)
                            && !isVoid(batch, chunk, owner, place)) {
                        items.add(chunk.layer() + " " + owner + " " + place);
                    }
                }
            });
        }
        return items;
    }

    private boolean isWanted(Layer layer, int owner) {
        return layer.isThread() || targets.findPair(link.relay(), owner) >= 0;
    }

    // ---- I5

    /// What is confirmed and not wanted, or not confirmed in truth.
    public List<String> wronglyConfirmed() {
        var problems = new ArrayList<String>();
        var marks = targets.marks();
        targets.forEachPair(link.relay(), pair -> {
            int repo = targets.repo(pair);
            boolean isFull = targets.level(repo) == Level.FULL;
            boolean isTooMuch = marks.level(pair, CONFIRMED).compareTo(targets.level(repo)) > 0
                    || marks.roots(pair, CONFIRMED) > (isFull ? targets.rootCount(repo) : 0)
                    || marks.addresses(pair, CONFIRMED) > (isFull ? targets.addressCount(repo) : 0);
            boolean isUnasked = marks.roots(pair, CONFIRMED) > marks.roots(pair, ASKED)
                    || marks.addresses(pair, CONFIRMED) > marks.addresses(pair, ASKED);
            if (isTooMuch || isUnasked) {
                problems.add("more of " + targets.reference(repo) + " is confirmed than "
                        + (isTooMuch ? "wanted" : "asked for"));
            }
        });
        for (var batch : link.work().batches().all()) {
            if (!link.isUp()) {
                problems.add("batch " + batch.id() + " of a connection that is over");
            }
            batch.chunks().forEach(chunk -> confirmedInFlight(batch, chunk, problems));
        }
        return problems;
    }

    /// Whether it is asked for anew, so that this answer counts for nothing.
    private boolean isVoid(Batch batch, Chunk chunk, int owner, int place) {
        return link.demand().isVoid(chunk.layer(), owner, place, batch.askedAfter());
    }

    private void confirmedInFlight(Batch batch, Chunk chunk, List<String> problems) {
        chunk.forEachRun((owner, from, to) -> {
            if (isConfirmed(chunk.layer(), owner, from) && !isVoid(batch, chunk, owner, from)) {
                problems.add(chunk.layer() + " of " + owner + " from " + from + " to " + to
                        + " is confirmed, and asked for");
            }
        });
    }

    private boolean isConfirmed(Layer layer, int owner, int from) {
        var marks = targets.marks();
        int pair = layer.isThread() ? -1 : targets.findPair(link.relay(), owner);
        return switch (layer) {
            case ANNOUNCEMENTS, THREAD_ADDRESSES -> false;
            case STATES -> pair >= 0 && marks.level(pair, CONFIRMED) != Level.NONE;
            case TAGS ->
                pair >= 0
                        && (from == Chunk.SELF
                                ? marks.level(pair, CONFIRMED) == Level.FULL
                                : marks.addresses(pair, CONFIRMED) > from);
            case ROOTS -> pair >= 0 && marks.roots(pair, CONFIRMED) > from;
            case THREADS -> link.demand().confirmedMembers(owner) > from;
        };
    }

    // ---- I7

    /// What is wanted and neither asked nor streamed.
    public List<String> forgotten() {
        var problems = new ArrayList<String>();
        if (!link.demand().isExhausted() || link.dirtyPairs() > 0) {
            problems.add("not everything was looked at");
        }
        var roots = new HashSet<Integer>();
        targets.forEachPair(link.relay(), pair -> {
            for (int stage : new int[] {ASKED, LIVE}) {
                if (isShort(pair, stage)) {
                    problems.add(targets.reference(targets.repo(pair)) + " is not "
                            + (stage == ASKED ? "asked for" : "streamed") + " in full");
                }
            }
            int repo = targets.repo(pair);
            for (int place = 0; targets.level(repo) == Level.FULL && place < targets.rootCount(repo); place++) {
                int root = targets.threadAt(repo, place);
                if (root >= 0 && roots.add(root) && link.demand().askedMembers(root) < targets.memberCount(root)) {
                    problems.add("the thread of " + targets.rootId(root) + " is not asked for in full");
                }
            }
        });
        return problems;
    }

    private boolean isShort(int pair, int stage) {
        int repo = targets.repo(pair);
        var marks = targets.marks();
        return marks.level(pair, stage) != targets.level(repo)
                || (targets.level(repo) == Level.FULL
                        && (marks.roots(pair, stage) < targets.rootCount(repo)
                                || marks.addresses(pair, stage) < targets.addressCount(repo)));
    }

    // ---- I9

    /// What there is too much of.
    public List<String> excess() {
        var problems = new ArrayList<String>();
        long underWay =
                link.work().batches().all().stream().filter(Batch::isUnderWay).count();
        if (underWay > BATCHES_MAX || link.work().batches().size() > BATCHES_PARKED_MAX) {
            problems.add(underWay + " batches under way, "
                    + link.work().batches().size() + " in all: "
                    + link.work().batches().all().stream()
                            .collect(Collectors.groupingBy(Batch::purpose, TreeMap::new, Collectors.counting())));
        }
        if (link.work().ids().phantomCount() > PHANTOMS_MAX) {
            problems.add(link.work().ids().phantomCount() + " phantoms");
        }
        if (link.plan().filterCount() > link.config().liveFiltersMax()) {
            problems.add(link.plan().filterCount() + " live filters");
        }
        return problems;
    }

    @Override
    public String toString() {
        return link.picture().toString();
    }
}
