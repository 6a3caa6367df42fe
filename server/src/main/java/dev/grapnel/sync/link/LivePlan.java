package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Ledger.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What is streamed from a relay (sync 3.2 to 3.6): which filters are open, in which groups, and when they are packed
/// anew. Live coverage that does not fit is given up class by class, and swept.
final class LivePlan implements CatchUp.Coverage {
    /// Everything but a wide filter is given up (8.5).
    static final int WIDE_PLAN = 4;

    private static final int GAIN_LEAST = 8;
    private static final int RETURN_BELOW = 150;
    private static final int WIDE_FROM = 70;
    private static final int NARROW_BELOW = 50;
    private static final long OVERLAP_BYTES = 4_000_000;
    private static final int OVERLAP = 900;
    private static final Duration PAUSE = Duration.ofSeconds(60);
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);
    private static final int[] WIDE_KINDS = {
        Kinds.STATE,
        1617,
        1618,
        1619,
        1621,
        1630,
        1631,
        1632,
        1633,
        1111,
        1985,
        5,
        7,
        1624,
        1984,
        9735,
        9840,
        9841,
        9842,
        39_842
    };

    private final Link link;
    private final LiveClosings closings;
    private final IntPairMap members = new IntPairMap();
    private final List<LiveGroup> groups = new ArrayList<>();
    private final Set<Integer> waitingPairs = new LinkedHashSet<>();
    private final Set<Integer> waitingThreads = new LinkedHashSet<>();
    private Optional<LiveGroup> announcements = Optional.empty();
    private Optional<Wire> wire = Optional.empty();
    private int givenUp;
    private PlanSize size = PlanSize.NOTHING;
    private boolean isWide;
    private boolean isConsolidating;
    private long consolidatedAt;
    private boolean hasConsolidated;
    private boolean isTimed;
    private boolean isReplanDue;
    private int surplus;
    private int generation;

    LivePlan(Link link) {
        this.link = link;
        this.closings = new LiveClosings(link, this);
    }

    private Targets targets() {
        return link.targets();
    }

    private PairMarks marks() {
        return targets().marks();
    }

    private int relay() {
        return link.relay();
    }

    // ---- connections

    void open(Wire opened) {
        wire = Optional.of(opened);
        generation++;
        hasConsolidated = false;
        isConsolidating = false;
        closings.forget();
        groups.clear();
        waitingPairs.clear();
        waitingThreads.clear();
        clearMarks();
        if (link.bearing().liveSlots() > 0) {
            var group = new LiveGroup(link, List.of(Question.announcements(relay())), Optional.empty());
            announcements = Optional.of(group);
            open(group);
        } else {
            announcements = Optional.empty();
        }
        pack();
        groups.forEach(this::open);
    }

    void lost() {
        wire = Optional.empty();
        generation++;
        groups.clear();
        announcements = Optional.empty();
        clearMarks();
    }

    private void clearMarks() {
        targets().forEachPair(relay(), pair -> marks().set(pair, LIVE, Level.NONE, 0, 0));
        members.clear();
        surplus = 0;
    }

    /// Opens a group, or again.
    void open(LiveGroup group) {
        wire.ifPresent(line -> {
            var filters = group.filters();
            if (filters.isEmpty()) {
                return;
            }
            var id = line.newId(group.isAnnouncements() ? 'a' : 'l');
            group.opened(id);
            line.subscribe(id, Use.LIVE, filters, group);
            link.loop().after(ACKNOWLEDGEMENT, link::acknowledged);
        });
    }

    private void close(LiveGroup group) {
        group.id().ifPresent(id -> wire.ifPresent(line -> line.unsubscribe(id, Use.LIVE)));
        group.setClosed();
    }

    // ---- what is asked how

    boolean isWide() {
        return isWide;
    }

    int givenUp() {
        return givenUp;
    }

    @Override
    public String letters(Layer layer) {
        return letters(layer, givenUp);
    }

    private String letters(Layer layer, int level) {
        if (!link.bearing().canStream()) {
            return "";
        }
        return switch (layer) {
            case ANNOUNCEMENTS -> "";
            case STATES -> level < WIDE_PLAN ? "d" : "";
            case TAGS -> level < 2 ? "aAq" : level == 2 ? "aA" : level == 3 ? "a" : "";
            case ROOTS -> level < 2 ? "eEq" : level < WIDE_PLAN ? "eE" : "";
            case THREADS -> level < 1 ? "eq" : "";
            case THREAD_ADDRESSES -> level < 1 ? "a" : "";
        };
    }

    /// Whether a filter is swept instead of streamed.
    boolean isSwept(Layer layer, char letter) {
        if (layer == Layer.ANNOUNCEMENTS) {
            return link.bearing().liveSlots() == 0;
        }
        return givenUp < WIDE_PLAN && letters(layer).indexOf(letter) < 0;
    }

    /// Whether some filter of a layer is.
    boolean isSwept(Layer layer) {
        if (layer == Layer.ANNOUNCEMENTS) {
            return link.bearing().liveSlots() == 0;
        }
        return layer.letters().chars().anyMatch(letter -> isSwept(layer, (char) letter));
    }

    // ---- more is wanted

    /// Takes up what is wanted and not streamed yet.
    ///
    /// @return whether it could be done now; otherwise it is done later, and until then nothing of it is asked for
    boolean extend(Collection<Integer> pairs, Collection<Integer> roots) {
        var fresh = new Gathering(relay(), targets(), members, sizes());
        pairs.forEach(fresh::add);
        if (!letters(Layer.THREADS).isEmpty()) {
            roots.forEach(fresh::addThread);
        }
        var questions = fresh.questions(this::letters);
        if (questions.isEmpty() || givenUp == WIDE_PLAN || !link.bearing().canStream()) {
            return true;
        }
        var added = group(questions);
        if (isTooMuch(added)) {
            fresh.undo(); // they are not streamed yet, so they must not count as if they were
            return consolidate(pairs, roots);
        }
        groups.addAll(added);
        added.forEach(this::open);
        return true;
    }

    private boolean isTooMuch(List<LiveGroup> added) {
        int now = filterCount();
        int more = added.stream().mapToInt(LiveGroup::filterCount).sum();
        boolean isFull = now + more > link.config().liveFiltersMax()
                || openCount() + added.size() > link.bearing().liveSlots()
                || bytes(groups) + bytes(added) > link.bearing().liveBytes()
                || !hasRoom(added.size());
        if (isFull) {
            return true;
        }
        if (now + more <= link.config().consolidationFrom()) {
            return false;
        }
        int packed = packedCount();
        boolean gains = now + more - packed >= Math.max(GAIN_LEAST, packed / 4);
        if (!gains) {
            link.note(new LinkNote.Consolidated("no_gain", now, now + more));
        }
        return gains;
    }

    private boolean hasRoom(int count) {
        return link.ledger().open() + count <= link.bearing().usableSlots();
    }

    /// Packs everything again, now or as soon as that may be done (R3.20).
    private boolean consolidate(Collection<Integer> pairs, Collection<Integer> roots) {
        long now = link.loop().nanos();
        if (isConsolidating || (hasConsolidated && now - consolidatedAt < PAUSE.toNanos())) {
            waitingPairs.addAll(pairs);
            waitingThreads.addAll(roots);
            link.note(new LinkNote.Consolidated("merged", filterCount(), filterCount()));
            long wait = Math.max(0, consolidatedAt + PAUSE.toNanos() - now);
            armRetry(Duration.ofNanos(wait).plusMillis(1));
            return false;
        }
        consolidate();
        return true;
    }

    private void armRetry(Duration wait) {
        if (!isTimed) {
            isTimed = true;
            var at = generation;
            link.loop().after(wait, () -> {
                isTimed = false;
                if (at == generation) {
                    retry();
                }
            });
        }
    }

    private void retry() {
        var pairs = List.copyOf(waitingPairs);
        var roots = List.copyOf(waitingThreads);
        waitingPairs.clear();
        waitingThreads.clear();
        link.diff(pairs, roots);
    }

    /// Whether something waits to be streamed.
    boolean isWaiting() {
        return !waitingPairs.isEmpty() || !waitingThreads.isEmpty();
    }

    /// Less is wanted.
    void shrunk(int pair) {
        surplus++;
        if (targets().level(targets().repo(pair)) != Level.FULL && marks().level(pair, LIVE) == Level.FULL) {
            marks().set(pair, LIVE, Level.STATE_ONLY, 0, 0);
            replan();
        } else {
            lookAtSurplus();
        }
    }

    void ended(int pair) {
        surplus += 1 + marks().roots(pair, LIVE);
        waitingPairs.remove(pair);
        lookAtSurplus();
    }

    /// Whether filters are open that ask for more than is wanted now: what they bring is no fault of the relay's
    /// (R2.6).
    boolean hasSurplus() {
        return surplus > 0 || isConsolidating;
    }

    private void lookAtSurplus() {
        int values = groups.stream()
                .flatMap(group -> group.questions().stream())
                .mapToInt(question -> question.chunk().size())
                .sum();
        if (values > 0 && surplus * 4L > values) {
            replan();
        }
    }

    /// Limits or what is wanted have changed: everything is packed anew, soon.
    void replan() {
        var at = generation;
        link.loop().post(() -> {
            if (at == generation && wire.isPresent()) {
                if (isConsolidating || link.isCooling()) {
                    isReplanDue = true;
                } else {
                    consolidate();
                    link.planned();
                }
            }
        });
    }

    /// Nothing keeps the plan from being changed any more.
    void resume() {
        if (isReplanDue) {
            isReplanDue = false;
            replan();
        }
    }

    // ---- packing

    private Sizes sizes() {
        return link.bearing().sizes(isWide);
    }

    /// Makes groups of everything that is wanted, giving up what does not fit (R3.24).
    private void pack() {
        int before = givenUp;
        boolean wasWide = isWide;
        groups.clear();
        surplus = 0;
        if (!link.bearing().canStream()) {
            clearMarks();
            markAll();
            return;
        }
        isWide = chooseWidth();
        Optional<List<LiveGroup>> packed = Optional.empty();
        for (int level = 0; level < WIDE_PLAN && packed.isEmpty(); level++) {
            packed = tryLevel(level, before);
        }
        groups.addAll(packed.orElseGet(this::packWide));
        if (givenUp != before) {
            link.note(new LinkNote.GivenUp(before, givenUp));
        }
        if (isWide != wasWide) {
            link.note(new LinkNote.Width(link.bearing().sizes(wasWide).width(), sizes().width()));
        }
        link.sweeps().arm();
    }

    private Optional<List<LiveGroup>> tryLevel(int level, int before) {
        clearMarks();
        var all = new Gathering(relay(), targets(), members, sizes());
        if (!all.addAll(!letters(Layer.THREADS, level).isEmpty())) {
            return Optional.empty();
        }
        var made = group(all.questions(layer -> letters(layer, level)));
        if (!fits(made, level < before)) {
            return Optional.empty();
        }
        givenUp = level;
        return Optional.of(made);
    }

    /// Live marks say that nothing more is to be done, although nothing of it is streamed.
    private void markAll() {
        targets().forEachPair(relay(), pair -> {
            int repo = targets().repo(pair);
            boolean isFull = targets().level(repo) == Level.FULL;
            marks().set(
                            pair,
                            LIVE,
                            targets().level(repo),
                            isFull ? targets().rootCount(repo) : 0,
                            isFull ? targets().addressCount(repo) : 0);
        });
    }

    private boolean fits(List<LiveGroup> made, boolean isReturn) {
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

    /// R3.6: the ordinary width, unless that makes too many filters.
    private boolean chooseWidth() {
        long packed = measure().filters(link.bearing().sizes(false).width());
        return isWide
                ? packed >= NARROW_BELOW
                : packed > Math.max(WIDE_FROM, link.config().consolidationFrom());
    }

    private PlanSize measure() {
        size = PlanSize.of(relay(), targets());
        return size;
    }

    private int packedCount() {
        return (int) Math.min(Integer.MAX_VALUE, measure().filters(sizes().width()));
    }

    private List<LiveGroup> group(List<Question> questions) {
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

    /// One filter for all (R8.6); what does not touch anything wanted is thrown away when it comes.
    private List<LiveGroup> packWide() {
        givenUp = WIDE_PLAN;
        clearMarks();
        markAll();
        int limit = link.bearing().liveLimit();
        var filter = link.bearing().information().isGrasp()
                ? Filter.builder().limit(limit).build()
                : Filter.builder().kinds(WIDE_KINDS).limit(limit).build();
        return List.of(new LiveGroup(link, List.of(), Optional.of(filter)));
    }

    // ---- consolidation

    /// Opens what is packed before the old groups are closed; where there is no room for both, in their place (R3.17).
    private void consolidate() {
        isConsolidating = true;
        hasConsolidated = true;
        consolidatedAt = link.loop().nanos();
        int before = filterCount();
        var old = List.copyOf(groups);
        pack();
        var fresh = List.copyOf(groups);
        boolean canOverlap = hasRoom(fresh.size())
                && bytes(old) + bytes(fresh) <= link.bearing().openBytes().orElse(OVERLAP_BYTES);
        if (canOverlap) {
            fresh.forEach(this::open);
            closings.takeMissedSince().ifPresent(at -> catchUp(fresh, at));
            finishLater(old);
        } else {
            replace(old, fresh);
            isConsolidating = false;
        }
        link.note(new LinkNote.Consolidated("done", before, filterCount()));
    }

    private void finishLater(List<LiveGroup> old) {
        var at = generation;
        link.loop().after(ACKNOWLEDGEMENT, () -> {
            if (at == generation) {
                old.forEach(this::close);
                isConsolidating = false;
                link.planned();
                resume();
            }
        });
    }

    private void replace(List<LiveGroup> old, List<LiveGroup> fresh) {
        long since = Math.max(0, link.loop().wall().getEpochSecond() - OVERLAP);
        var line = wire.orElseThrow();
        for (int i = 0; i < Math.max(old.size(), fresh.size()); i++) {
            if (i >= fresh.size()) {
                close(old.get(i));
            } else if (i < old.size() && old.get(i).isOpen()) {
                var id = old.get(i).id().orElseThrow();
                old.get(i).setClosed();
                fresh.get(i).opened(id);
                line.replace(id, fresh.get(i).filters(), fresh.get(i));
                link.loop().after(ACKNOWLEDGEMENT, link::acknowledged);
            } else {
                open(fresh.get(i));
            }
        }
        closings.forget();
        catchUp(fresh, since + OVERLAP);
    }

    private void catchUp(List<LiveGroup> some, long from) {
        some.forEach(group -> link.work().addCatchUp(group.questions(), Math.max(0, from - OVERLAP)));
    }

    // ---- what others look at

    /// The relay closed a group.
    void closed(LiveGroup group, String text) {
        closings.closed(group, text);
    }

    /// Whether a group belongs to the plan as it is now.
    boolean isCurrent(LiveGroup group) {
        return groups.contains(group) || announcements.equals(Optional.of(group));
    }

    boolean isAllOpen() {
        return all().allMatch(LiveGroup::isOpen);
    }

    /// A NOTICE refused what was just sent (R4.21).
    void refuseSilent(Duration within, String text) {
        for (var group : all().toList()) {
            if (group.isUnanswered(within)) {
                close(group);
                closed(group, text);
            }
        }
    }

    /// Whether everything that was opened before a moment delivers (R3.11).
    boolean isLive(long before) {
        return all().noneMatch(group -> group.isOpen() && group.openedAt() <= before && !group.isAcknowledged());
    }

    /// Whether everything that should be streamed is.
    boolean isCovering() {
        return all().allMatch(LiveGroup::isAcknowledged);
    }

    boolean isRefusedAll() {
        return all().allMatch(LiveGroup::isParked);
    }

    private Stream<LiveGroup> all() {
        return Stream.concat(announcements.stream(), groups.stream());
    }

    int filterCount() {
        return all().mapToInt(LiveGroup::filterCount).sum();
    }

    private int openCount() {
        return (int) all().filter(LiveGroup::isOpen).count();
    }

    private static long bytes(List<LiveGroup> some) {
        return some.stream().mapToLong(LiveGroup::bytes).sum();
    }

    /// Values that are only swept, as of when they were last counted.
    long sweptItems() {
        long count = isSwept(Layer.ANNOUNCEMENTS) ? 1 : 0;
        count += isSwept(Layer.STATES) ? size.states() : 0;
        count += isSwept(Layer.TAGS) ? size.tags() : 0;
        count += isSwept(Layer.ROOTS) ? size.roots() : 0;
        return count + (isSwept(Layer.THREADS) ? size.threads() : 0);
    }
}
