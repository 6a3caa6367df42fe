package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Ledger.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// What is streamed from a relay (sync 3.2 to 3.6): which filters are open, in which groups, and when they are packed
/// anew. Live coverage that does not fit is given up class by class, and swept.
final class LivePlan implements CatchUp.Coverage {
    private static final int GAIN_LEAST = 8;
    private static final Duration PAUSE = Duration.ofSeconds(60);
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

    /// What is wanted while everything is being packed, at a relay that takes long to read it, is looked at so often.
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Link link;
    private final LiveClosings closings;
    private final IntPairMap members;
    private final List<LiveGroup> groups = new ArrayList<>();
    private final List<LiveGroup> unopened = new ArrayList<>();
    private final PlanWidth width;
    private final Surplus surplus;
    private final SharedValues shared;
    private final WidePlan wide;
    private final Grouping grouping;
    private final Postponed postponed;
    private final Shedding shedding;
    private Optional<LiveGroup> announcements = Optional.empty();
    private Optional<Wire> wire = Optional.empty();
    /// As everything was last packed: what was learned of the relay's slots may come to its end at any moment.
    private Extent extent = Extent.EVERYTHING;

    private int givenUp;
    private int shownGivenUp;
    private boolean isConsolidating;
    private long consolidatedAt;
    private boolean hasConsolidated;
    private boolean isReplanDue;
    private int generation;

    LivePlan(Link link) {
        this.link = link;
        this.width = new PlanWidth(link);
        this.members = new IntPairMap(link.commons().prefixes());
        this.closings = new LiveClosings(link, this);
        this.surplus = new Surplus(link.relay(), link.targets());
        this.shared = new SharedValues(link.relay(), link.targets());
        this.wide = new WidePlan(link);
        this.grouping = new Grouping(link);
        this.postponed = new Postponed(link.loop(), link::diff);
        this.shedding = new Shedding(link.loop(), surplus, this::untilPacked, this::replan);
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
        shedding.clear();
        groups.clear();
        unopened.clear();
        postponed.clear();
        clearMarks();
        announcements = Optional.empty();
        pack();
        groups.forEach(this::open);
    }

    void lost() {
        wire = Optional.empty();
        generation++;
        shedding.clear();
        postponed.clear();
        groups.clear();
        announcements = Optional.empty();
        clearMarks();
    }

    private void clearMarks() {
        targets().forEachPair(relay(), pair -> marks().set(pair, LIVE, Level.NONE, 0, 0));
        members.clear();
        surplus.clear();
    }

    /// Opens a group, or again.
    void open(LiveGroup group) {
        wire.ifPresent(line -> {
            if (closings.isRefused(group)) {
                return;
            }
            var id = line.newId(group.isAnnouncements() ? 'a' : 'l');
            group.opened(id);
            line.subscribe(id, Use.LIVE, group::filters, group);
            link.loop().after(ACKNOWLEDGEMENT, link::acknowledged);
        });
    }

    /// Opens a group as soon as there is a slot, before any request.
    void openWhenRoom(LiveGroup group) {
        unopened.add(group);
        openWaiting();
    }

    /// Slots may have become free.
    void openWaiting() {
        unopened.removeIf(waiting -> !isCurrent(waiting) || waiting.isOpen());
        while (!unopened.isEmpty() && !link.isCooling() && link.ledger().hasRoom(Use.LIVE)) {
            open(unopened.removeFirst());
        }
    }

    void close(LiveGroup group) {
        group.id().ifPresent(id -> wire.ifPresent(line -> line.unsubscribe(id, Use.LIVE)));
        group.setClosed();
    }

    // ---- what is asked how

    boolean isWide() {
        return width.isWide();
    }

    /// As people are told.
    int givenUp() {
        return shownGivenUp;
    }

    /// By which letters a layer is streamed.
    private String letters(Layer layer) {
        return letters(layer, givenUp);
    }

    /// What a wide filter streamed is asked for in the usual way.
    @Override
    public String streamedBy(Layer layer) {
        return givenUp == GivenUp.WIDE_PLAN ? layer.letters() : letters(layer);
    }

    private String letters(Layer layer, int level) {
        return extent == Extent.EVERYTHING ? GivenUp.letters(layer, level) : "";
    }

    /// Whether a filter is swept instead of streamed.
    boolean isSwept(Layer layer, char letter) {
        if (layer == Layer.ANNOUNCEMENTS) {
            return extent == Extent.NOTHING;
        }
        return givenUp < GivenUp.WIDE_PLAN && letters(layer).indexOf(letter) < 0;
    }

    /// Whether some filter of a layer is.
    boolean isSwept(Layer layer) {
        if (layer == Layer.ANNOUNCEMENTS) {
            return extent == Extent.NOTHING;
        }
        return layer.letters().chars().anyMatch(letter -> isSwept(layer, (char) letter));
    }

    // ---- more is wanted

    /// Takes up what is wanted and not streamed yet.
    ///
    /// @return whether it could be done now; otherwise it is done later, and until then nothing of it is asked for
    boolean extend(Collection<Integer> pairs, Collection<Integer> roots) {
        if (extent != Extent.of(link.bearing())) {
            replan();
        }
        boolean mayReturn = surplus.mayHave(pairs);
        width.grown();
        if (givenUp == GivenUp.WIDE_PLAN || extent != Extent.EVERYTHING) {
            Gathering.mark(pairs, relay(), targets());
            if (givenUp == GivenUp.WIDE_PLAN) {
                wide.changed();
            }
            return true;
        }
        var fresh = new Gathering(relay(), targets(), members, sizes());
        boolean fits = fresh.add(pairs, roots, this::letters, link.bearing().valuesMax(width.isWide()));
        var added = fits ? grouping.of(fresh.questions(this::letters)) : List.<LiveGroup>of();
        if (fits && added.isEmpty()) {
            return true;
        }
        if (!fits || mayReturn || isTooMuch(added)) {
            fresh.undo(); // they are not streamed yet, so they must not count as if they were
            return consolidate(pairs, roots);
        }
        link.cover();
        groups.addAll(added);
        added.forEach(this::open);
        return true;
    }

    private boolean isTooMuch(List<LiveGroup> added) {
        int now = filterCount();
        int more = added.stream().mapToInt(LiveGroup::filterCount).sum();
        boolean isFull = now + more > link.config().liveFiltersMax()
                || all().count() + added.size() > link.bearing().liveSlots() // closed ones are opened again
                || link.ledger().taken(Use.LIVE) + unopened.size() + added.size()
                        > link.bearing().liveSlots() // old ones are still open while all is packed anew
                || Grouping.bytes(groups) + Grouping.bytes(added)
                        > link.bearing().liveBytes()
                || !hasRoom(added.size());
        if (isFull) {
            return true;
        }
        if (now + more <= link.config().consolidationFrom()) {
            return false;
        }
        int packed = width.packedCount();
        boolean gains = now + more - packed >= Math.max(GAIN_LEAST, packed / 4);
        if (!gains) {
            link.note(new LinkNote.Consolidated("no_gain", now, now + more));
        }
        return gains;
    }

    private boolean hasRoom(int count) {
        return link.ledger().open() + unopened.size() + count <= link.bearing().usableSlots();
    }

    /// Packs everything again, now or as soon as that may be done (R3.20).
    private boolean consolidate(Collection<Integer> pairs, Collection<Integer> roots) {
        if (isConsolidating || untilPacked().isPositive()) {
            link.note(new LinkNote.Consolidated("merged", filterCount(), filterCount()));
            var wait = untilPacked().plusMillis(1);
            postponed.add(pairs, roots, isConsolidating && wait.compareTo(AGAIN) < 0 ? AGAIN : wait);
            return false;
        }
        consolidate();
        return true;
    }

    /// How many members of a thread may be asked for: those that are streamed, or all if threads are not
    /// (R3.11).
    int askableMembers(int root) {
        return letters(Layer.THREADS).isEmpty() ? Integer.MAX_VALUE : members.first(root);
    }

    /// How long nothing is packed anew for what is wanted (R3.20).
    private Duration untilPacked() {
        long now = link.loop().nanos();
        return Duration.ofNanos(hasConsolidated ? Math.max(0, consolidatedAt + PAUSE.toNanos() - now) : 0);
    }

    /// Whether something waits to be streamed.
    boolean isWaiting() {
        return !postponed.isEmpty();
    }

    /// Less is wanted.
    void shrunk(int pair) {
        surplus.shrunk(pair);
        if (targets().level(targets().repo(pair)) != Level.FULL && marks().level(pair, LIVE) == Level.FULL) {
            marks().set(pair, LIVE, Level.STATE_ONLY, 0, 0);
            shedding.arm();
        } else {
            lookAtSurplus(
                    surplus.hasLostAddress(pair) && shared.hasHeirs(targets().repo(pair)));
        }
    }

    void ended(int pair) {
        surplus.ended(pair);
        link.demand().forEachLastThread(pair, members::forget);
        postponed.remove(pair);
        lookAtSurplus(shared.hasHeirs(targets().repo(pair)));
    }

    /// Whether filters are open that ask for more than is wanted now: what they bring is no fault of the relay's
    /// (R2.6).
    boolean hasSurplus() {
        return surplus.isAny() || isConsolidating;
    }

    /// What others have, too, is streamed for them from now on: it would be gone with the next group opened again.
    private void lookAtSurplus(boolean isInherited) {
        if (isInherited || surplus.isLarge(groups)) {
            shedding.arm();
        }
    }

    /// Limits have changed: everything is packed anew, soon.
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

    /// Plans anew if the relay bears more by now, or less; where nothing is planned, filters may need another width.
    void review() {
        if (wire.isPresent() && extent != Extent.of(link.bearing())) {
            replan();
        } else if (extent != Extent.EVERYTHING) {
            chooseWidth();
            Gathering.markAll(relay(), targets());
        }
    }

    private void chooseWidth() {
        clearMarks();
        width.choose(members);
        clearMarks();
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
        return link.bearing().sizes(isWide());
    }

    /// Makes groups of everything that is wanted, giving up what does not fit (R3.24).
    private void pack() {
        int before = givenUp;
        groups.clear();
        extent = Extent.of(link.bearing());
        packAnnouncements();
        chooseWidth();
        if (extent != Extent.EVERYTHING) {
            givenUp = 0; // what cannot be streamed is swept, and not by one filter for all
            Gathering.markAll(relay(), targets());
            showGivenUp(GivenUp.EVERYTHING);
            link.sweeps().arm();
            return;
        }
        Optional<List<LiveGroup>> packed = Optional.empty();
        if (gather(GivenUp.WIDE_PLAN - 1).isPresent()) { // else none of the others is of any use
            for (int level = 0; level < GivenUp.WIDE_PLAN && packed.isEmpty(); level++) {
                packed = tryLevel(level, before);
            }
        }
        groups.addAll(packed.orElseGet(this::packWide));
        if (givenUp < GivenUp.WIDE_PLAN) {
            width.packed(filterCount());
            surplus.begin();
        }
        showGivenUp(givenUp);
        link.sweeps().arm();
    }

    /// They stay open as they are, unless there is no slot for them, or was none (R3.1, R3.14).
    private void packAnnouncements() {
        if (extent == Extent.NOTHING) {
            announcements.ifPresent(this::close);
            announcements = Optional.empty();
        } else if (announcements.isEmpty()) {
            var group = new LiveGroup(link, List.of(Question.announcements(relay())), Optional.empty());
            announcements = Optional.of(group);
            if (link.ledger().hasRoom(Use.LIVE)) {
                open(group);
            } else {
                openWhenRoom(group);
            }
        }
    }

    private void showGivenUp(int now) {
        if (now != shownGivenUp) {
            link.note(new LinkNote.GivenUp(shownGivenUp, now));
            shownGivenUp = now;
        }
    }

    private Optional<List<LiveGroup>> tryLevel(int level, int before) {
        var made = gather(level)
                .map(all -> grouping.of(all.questions(layer -> letters(layer, level))))
                .filter(packed -> grouping.fits(packed, level < before));
        made.ifPresent(_ -> givenUp = level);
        return made;
    }

    private Optional<Gathering> gather(int level) {
        clearMarks();
        var all = new Gathering(relay(), targets(), members, sizes());
        boolean isFew =
                all.addAll(layer -> letters(layer, level), link.bearing().valuesMax(isWide()));
        return isFew ? Optional.of(all) : Optional.empty();
    }

    /// One filter for all, and some for what happens there (R8.6).
    private List<LiveGroup> packWide() {
        givenUp = GivenUp.WIDE_PLAN;
        clearMarks();
        Gathering.markAll(relay(), targets());
        var made = new ArrayList<LiveGroup>();
        made.add(wide.all());
        made.addAll(grouping.recent(wide, sizes()));
        return made;
    }

    /// What happened last may be something else by now.
    void renewWide() {
        if (givenUp != GivenUp.WIDE_PLAN || wire.isEmpty()) {
            return;
        }
        if (surplus.isAny() || isConsolidating || link.isCooling()) {
            replan(); // perhaps everything can be named again
            return;
        }
        var old = List.copyOf(groups.subList(1, groups.size()));
        var fresh = List.copyOf(grouping.recent(wide, sizes()));
        if (Grouping.areAlike(old, fresh)) {
            return;
        }
        int before = begin();
        groups.subList(1, groups.size()).clear();
        groups.addAll(fresh);
        exchange(old, fresh, before);
    }

    // ---- consolidation

    /// Opens what is packed before the old groups are closed; where there is no room for both, in their place (R3.17).
    private void consolidate() {
        int before = begin();
        var old = List.copyOf(groups);
        pack();
        exchange(old, List.copyOf(groups), before);
    }

    private int begin() {
        link.cover();
        isConsolidating = true;
        hasConsolidated = true;
        consolidatedAt = link.loop().nanos();
        return filterCount();
    }

    private void exchange(List<LiveGroup> old, List<LiveGroup> fresh, int before) {
        if (hasRoom(fresh.size()) && grouping.canOverlap(old, fresh, unopened.size())) {
            missedSince(old).ifPresent(at -> fresh.forEach(group -> group.missed(at)));
            fresh.forEach(this::open);
            finishLater(old);
        } else {
            replace(old, fresh);
            isConsolidating = false;
        }
        link.note(new LinkNote.Consolidated("done", before, filterCount()));
    }

    /// Since when groups have missed something that they will not ask for any more.
    private static OptionalLong missedSince(List<LiveGroup> old) {
        return old.stream().flatMapToLong(group -> group.missedSince().stream()).min();
    }

    private void finishLater(List<LiveGroup> old) {
        var at = generation;
        link.loop().after(ACKNOWLEDGEMENT, () -> {
            if (at == generation && wire.map(Wire::isUnsent).orElse(false)) {
                finishLater(old); // what takes their places has not gone out yet
            } else if (at == generation) {
                old.forEach(this::close);
                isConsolidating = false;
                link.planned();
                resume();
            }
        });
    }

    private void replace(List<LiveGroup> old, List<LiveGroup> fresh) {
        long from = missedSince(old).orElse(link.loop().wall().getEpochSecond());
        for (int i = 0; i < Math.max(old.size(), fresh.size()); i++) {
            if (i >= fresh.size()) {
                close(old.get(i));
                continue;
            }
            fresh.get(i).missed(from);
            if (i < old.size() && old.get(i).isOpen()) {
                replace(old.get(i), fresh.get(i));
            } else {
                openWhenRoom(fresh.get(i));
            }
        }
    }

    private void replace(LiveGroup old, LiveGroup fresh) {
        var id = old.id().orElseThrow();
        old.setClosed();
        fresh.opened(id);
        wire.orElseThrow().replace(id, fresh::filters, fresh);
        link.loop().after(ACKNOWLEDGEMENT, link::acknowledged);
    }

    /// From a moment on something may have been missed that a group streams.
    void missed(LiveGroup group, long from) {
        long since = link.coverage().since(from);
        if (group.isWide()) {
            link.catchUp(since);
        }
        link.work().addCatchUp(group.questions(), since);
    }

    // ---- what others look at

    LiveClosings closings() {
        return closings;
    }

    /// Whether a group belongs to the plan as it is now.
    boolean isCurrent(LiveGroup group) {
        return groups.contains(group) || announcements.equals(Optional.of(group));
    }

    /// Whether everything that was opened before a moment delivers (R3.11).
    boolean isLive(long before) {
        return all().noneMatch(group -> group.isOpen() && group.openedAt() <= before && !group.isAcknowledged());
    }

    /// Whether everything that should be streamed is.
    boolean isCovering() {
        return all().allMatch(LiveGroup::isAcknowledged);
    }

    /// Whether the relay streams something, and has said so.
    boolean isAnswered() {
        return all().anyMatch(LiveGroup::isAnswered);
    }

    /// What rested because nothing was streamed may be opened.
    void openRested() {
        for (var group : all().filter(group -> !group.isOpen()).toList()) {
            openWhenRoom(group);
        }
    }

    Stream<LiveGroup> all() {
        return Stream.concat(announcements.stream(), groups.stream());
    }

    int filterCount() {
        return all().mapToInt(LiveGroup::filterCount).sum();
    }

    /// Whether something of a layer is wanted; announcements always are.
    boolean hasSome(Layer layer) {
        return layer == Layer.ANNOUNCEMENTS || size().values(some -> some == counted(layer)) > 0;
    }

    /// Threads are counted together.
    private static Layer counted(Layer layer) {
        return layer.isThread() ? Layer.THREADS : layer;
    }

    /// Where nothing is streamed nothing is packed, which counts elsewhere.
    private PlanSize size() {
        return width.size(extent != Extent.EVERYTHING);
    }

    /// Values that are only swept, as of when they were last counted.
    long sweptItems() {
        return givenUp == GivenUp.WIDE_PLAN ? wide.unnamed(size(), groups) : size().values(this::isSwept);
    }
}
