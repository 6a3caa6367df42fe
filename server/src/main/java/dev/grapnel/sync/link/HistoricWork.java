package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.Batch.State;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Everything that is fetched from one relay: batches made of what [Demand] still wants, their tasks, and which of them
/// runs next (R1.8, R3.14, R4.15, R4.16). As much is begun as the ledger, the pace and the relay's mood allow; the rest
/// stays where it is.
final class HistoricWork {
    /// Sync 8.2 allows 64; these are more than the slots of a relay and its pace can keep busy.
    private static final int BATCHES_MAX = 16;
    /// Made in one turn (8.3): each takes some hundred values from the index.
    private static final int MADE_MAX = 8;

    private static final int PARKED_MAX = 512;
    private static final int FETCHES_MAX = 4;

    private final Link link;
    private final Demand demand;
    private final Refusals refusals;
    private final Silences silences;
    private final FailedComparisons failedComparisons;
    private final WantedIds ids;
    private final Batches batches = new Batches();
    private final TaskQueues queues = new TaskQueues();
    private final Set<Task> running = new LinkedHashSet<>();
    private final Rests rests;
    private final Parking parking;
    private Arrived arrived = new Arrived();
    private Optional<Wire> wire = Optional.empty();
    private Optional<CatchUp> catchUp = Optional.empty();
    private int generation;
    private int largestPage;
    private boolean isDaily;
    private boolean hasDoubt;
    private boolean isPumping;
    private boolean isTimed;
    private boolean hasEnded;
    private boolean isAnswered;
    private OptionalLong announcementsSince = OptionalLong.empty();

    HistoricWork(Link link, Demand demand) {
        this.link = link;
        this.demand = demand;
        this.refusals = new Refusals(this, link);
        this.silences = new Silences(this, link);
        this.failedComparisons = new FailedComparisons(this, link);
        this.ids = new WantedIds(this);
        this.rests = new Rests(new RefusedFilters(link.loop()), link.patience());
        this.parking = new Parking(this, link, batches, rests);
    }

    // ---- what tasks need

    Scheduler loop() {
        return link.loop();
    }

    Bearing bearing() {
        return link.bearing();
    }

    Targets targets() {
        return link.targets();
    }

    LinkConfig config() {
        return link.config();
    }

    Archive archive() {
        return link.archive();
    }

    Arrivals arrivals() {
        return link.arrivals();
    }

    Commons commons() {
        return link.commons();
    }

    Arrived arrived() {
        return arrived;
    }

    Refusals refusals() {
        return refusals;
    }

    Silences silences() {
        return silences;
    }

    /// Those of live groups are among them.
    RefusedFilters refusedFilters() {
        return rests.refused();
    }

    WantedIds ids() {
        return ids;
    }

    /// Whether something that may have been missed is asked for.
    boolean isCatchingUp() {
        return catchUp.isPresent() || parking.hasGap() || batches.count(Purpose.CATCHUP) > 0;
    }

    boolean isUp() {
        return wire.isPresent();
    }

    boolean isCooling() {
        return link.isCooling();
    }

    boolean isDaily() {
        return isDaily;
    }

    void note(LinkNote note) {
        link.note(note);
    }

    void forged() {
        link.junk("signature");
    }

    void changed() {
        link.look();
    }

    /// Some request got its EOSE (R4.17).
    void noteEnd() {
        hasEnded = true;
        silences.endCame();
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /// Something that was asked is answered, whatever the answer.
    void answered(Task task) {
        isAnswered = true;
        if (task.use() == Use.COMPARISON) {
            failedComparisons.answered();
        }
        link.lessons().answered(task.kind());
    }

    /// Whether anything was, on this connection and in this epoch.
    boolean isAnswered() {
        return isAnswered;
    }

    void refused(RefusalLine line) {
        link.lessons().refused(line);
    }

    FailedComparisons failedComparisons() {
        return failedComparisons;
    }

    /// The largest page of this epoch: a smaller one was not cut off.
    int largestPage() {
        return largestPage;
    }

    void sawPage(int count) {
        largestPage = Math.max(largestPage, count);
    }

    // ---- connections

    void open(Wire opened) {
        wire = Optional.of(opened);
        arrived = new Arrived();
        generation++;
        hasEnded = false;
        isAnswered = false;
        ids.restored();
    }

    /// Nothing is confirmed: everything is asked for (R4.9, R4.11, R4.12).
    ///
    /// @param since announcements from then on are enough (R4.13)
    void beginEpoch(boolean daily, OptionalLong since) {
        catchUp = Optional.empty();
        cancelAll();
        isDaily = daily;
        isAnswered = false;
        hasDoubt = false;
        parking.beginEpoch();
        largestPage = 0;
        announcementsSince = since;
        demand.forget();
        link.plan().review();
        pump();
    }

    /// Only what was missed is asked for (R4.10).
    void beginCatchUp(CatchUp missed) {
        catchUp = Optional.of(missed);
        demand.lookAtAll();
        pump();
    }

    /// One more round of what live filters may have missed (R3.17, R4.20).
    void addCatchUp(List<Question> questions, long since) {
        if (!questions.isEmpty()) {
            link.cover();
            var batch = newBatch(Purpose.CATCHUP, List.of());
            add(new GroupedCatchUp(this, batch, questions, since));
            pump();
        }
    }

    /// The connection is gone; what was in flight is wanted again (R4.3).
    void lost(boolean areAnnouncementsConfirmed) {
        wire = Optional.empty();
        catchUp = Optional.empty();
        cancelAll();
        demand.cancel(areAnnouncementsConfirmed);
    }

    private void cancelAll() {
        for (var batch : batches.all()) {
            if (!batch.isOver()) {
                batch.tasks().forEach(Task::abandon);
                batch.failures().forEach(Task::abandon);
                batch.setState(State.CANCELLED);
                note(new LinkNote.BatchEnded(batch.purpose(), "cancelled"));
            }
        }
        batches.clear();
        parking.clear();
        running.clear();
        queues.clear();
        ids.givenUp();
    }

    // ---- making work

    Batch newBatch(Purpose purpose, List<Chunk> chunks) {
        return batches.add(purpose, chunks, link.isIncremental(), loop().nanos());
    }

    /// Adds a task to its batch and its queue.
    void add(Task task) {
        task.batch().add(task);
        queues.add(task);
        schedulePump();
    }

    /// Begins whatever may begin. Called whenever something has changed.
    void pump() {
        if (isPumping || wire.isEmpty()) {
            return;
        }
        isPumping = true;
        try {
            link.plan().openWaiting();
            fill();
            start(wire.get());
        } finally {
            isPumping = false;
        }
        link.look();
    }

    /// The same, but not before whatever goes on is over: what is being told may forbid it.
    void schedulePump() {
        if (!isTimed) {
            isTimed = true;
            loop().post(() -> {
                isTimed = false;
                pump();
            });
        }
    }

    /// Takes from what is wanted, as long as few batches are there (8.2).
    private void fill() {
        catchUp.ifPresent(missed -> missed.fill(this, room(batches.underWay(Purpose.CATCHUP))));
        lookAtCatchUp();
        if (link.isCooling()) {
            return;
        }
        int room = room(batches.count(batch -> batch.isUnderWay() && isBeforeRefetches(batch)));
        for (int made = 0; made < Math.min(room, MADE_MAX); made++) {
            var portion = demand.next(sizes());
            if (portion.isEmpty()) {
                if (!demand.isExhausted()) {
                    schedulePump(); // a long list is walked in several turns
                } else if (demand.hasUnmarked()) {
                    link.sweeps().arm();
                }
                return;
            }
            make(portion.get());
        }
        if (room > MADE_MAX) {
            schedulePump();
        }
    }

    /// In the order of R3.14: what comes after it takes no room from what is wanted.
    private static boolean isBeforeRefetches(Batch batch) {
        return batch.purpose().compareTo(Purpose.REFETCH) < 0;
    }

    private int room(int underWay) {
        return Math.min(BATCHES_MAX - underWay, PARKED_MAX - batches.count(State.PARKED));
    }

    /// Whether so much failed and waits that no more is asked for.
    private boolean isFull() {
        return batches.count(State.PARKED) >= PARKED_MAX;
    }

    Sizes sizes() {
        return bearing().sizes(link.plan().isWide());
    }

    private void make(Demand.Portion portion) {
        var batch = newBatch(portion.purpose(), portion.chunks());
        batch.setAskedAfter(portion.askedAfter());
        for (var chunk : portion.chunks()) {
            for (var question : Question.allOf(chunk)) {
                add(task(batch, question));
            }
        }
    }

    private Task task(Batch batch, Question question) {
        var since = batch.purpose() == Purpose.ANNOUNCEMENTS ? announcementsSince : OptionalLong.empty();
        boolean isSmall = batch.isIncremental() && question.chunk().size() < Reconciliation.VALUES_LEAST;
        return since.isEmpty() && !isSmall && bearing().compares()
                ? new Reconciliation(this, batch, question)
                : new PageWalk(this, batch, question, since, OptionalLong.empty());
    }

    // ---- running

    private void start(Wire open) {
        boolean goesOn = true;
        while (goesOn && !open.isOver()) {
            var next = findStartable();
            goesOn = next.isPresent();
            next.ifPresent(task -> start(task, open));
        }
    }

    private void start(Task task, Wire open) {
        queues.remove(task);
        running.add(task);
        task.batch().setState(State.RUNNING);
        if (rests.isResting(task)) {
            task.rest();
        } else {
            task.begin(open);
        }
    }

    /// How long until the first of all that is refused may be asked for again.
    Duration untilAskedAgain() {
        return rests.untilAskedAgain();
    }

    /// What rested with others of its kind may be asked for.
    void retryRested() {
        for (var batch : batches.refused()) {
            if (!batch.failures().stream().allMatch(rests::isResting)) {
                queue(batch.unpark());
            }
        }
        schedulePump();
    }

    private void queue(Collection<Task> tasks) {
        tasks.forEach(queues::add);
    }

    /// The first that finds a slot; comparisons and requests have their own.
    private Optional<Task> findStartable() {
        if (link.isCooling()) {
            return Optional.empty();
        }
        var next = queues.first(Stream.of(Use.REQUEST, Use.COMPARISON)
                .filter(link.ledger()::hasRoom)
                .<Predicate<Task>>map(use -> task -> task.use() == use && isReady(task))
                .toList());
        if (next.isEmpty() || next.get().isUrgent() || next.get().isVoid() || link.mayRequest()) {
            return next;
        }
        link.wakeForPace();
        return Optional.empty();
    }

    private boolean isReady(Task task) {
        if (task instanceof IdFetch) {
            return running.stream().filter(IdFetch.class::isInstance).count() < FETCHES_MAX;
        }
        if (task.use() == Use.COMPARISON && ids.named().areManyWaiting()) {
            return false;
        }
        return !task.batch().purpose().isFromDemand()
                || link.plan().isLive(task.batch().startedAt());
    }

    /// It goes on where it was, as soon as it may.
    void resume(Task task) {
        running.remove(task);
        if (!task.batch().isOver()) {
            queues.addFirst(task);
            schedulePump();
        }
    }

    /// The same after a while.
    void later(Task task, Duration wait) {
        running.remove(task);
        var at = generation;
        loop().after(wait, () -> {
            if (at == generation && isUp() && !task.batch().isOver()) {
                queues.addFirst(task);
                pump();
            }
        });
    }

    /// Others do what it was for.
    void replace(Task task, List<Task> others) {
        running.remove(task);
        if (task.batch().isOver()) {
            return;
        }
        task.batch().remove(task);
        for (var other : others.reversed()) {
            other.batch().add(other);
            queues.addFirst(other);
        }
        schedulePump();
    }

    void done(Task task) {
        running.remove(task);
        task.batch().remove(task);
        if (task instanceof PageWalk walk && task.batch().purpose() == Purpose.ANNOUNCEMENTS) {
            link.walks().ended(walk.received(), announcementsSince.isEmpty());
        }
        settle(task.batch());
        schedulePump();
    }

    /// What waits and is not needed any more.
    void forgo(Predicate<Task> which) {
        for (var task : queues.take(which)) {
            task.abandon();
            task.batch().remove(task);
        }
    }

    /// It failed and is tried again later.
    void failed(Task task, boolean isQuota) {
        running.remove(task);
        if (isQuota) {
            link.note(new LinkNote.OverQuota());
        }
        task.batch().fail(task, isQuota);
        settle(task.batch());
        schedulePump();
    }

    /// The relay refuses this filter as such (R4.20 lines 10 and 11).
    void refused(Task task, Duration time) {
        task.setRefused();
        rests.refused().add(task.fingerprint(), time);
        failed(task, false);
    }

    private void settle(Batch batch) {
        if (batch.isOver() || !batch.isSettled()) {
            return;
        }
        if (batch.hasFailures()) {
            parking.park(batch);
        } else {
            confirm(batch);
        }
    }

    private void confirm(Batch batch) {
        batch.setState(State.CONFIRMED);
        batches.remove(batch);
        hasDoubt |= batch.isDoubtful();
        batch.chunks().forEach(chunk -> demand.confirm(chunk, batch.askedAfter()));
        note(new LinkNote.BatchEnded(batch.purpose(), batch.isDoubtful() ? "doubt" : "confirmed"));
        if (batch.purpose() == Purpose.ANNOUNCEMENTS) {
            link.confirmedAnnouncements();
        }
        catchUp.ifPresent(missed -> missed.confirmed(batch));
        link.sweeps().confirmed(batch);
        lookAtCatchUp();
        link.look();
    }

    private void lookAtCatchUp() {
        if (catchUp.isPresent() && catchUp.get().isDone()) {
            catchUp = Optional.empty();
            link.caughtUp();
        }
    }

    /// What failed may be asked for again.
    void retry(Batch batch) {
        queue(batch.unpark());
        pump();
    }

    /// Failed batches.
    Parking parking() {
        return parking;
    }

    /// Tells whether the CLOSE that was sent last went out.
    void afterClose(Consumer<Boolean> told) {
        wire.ifPresentOrElse(line -> line.afterClose(told), () -> told.accept(false));
    }

    // ---- what others look at

    /// Whether nothing keeps the link from being complete (R4.1).
    boolean isIdle() {
        return (isFull() || isAllLookedAt())
                && !batches.hasAny(batch -> batch.isUnderWay() && batch.purpose() != Purpose.SWEEP);
    }

    private boolean isAllLookedAt() {
        return catchUp.map(CatchUp::isWalked).orElse(true) && demand.isExhausted();
    }

    boolean hasFailures() {
        return hasDoubt || parking.hasDoubt() || ids.isAwaiting() || batches.hasAny(Batch::isParked);
    }

    /// Whether everything that was asked is refused, and nothing is open (6.1).
    boolean isRefusedAll() {
        return rests.isEverything() ? batches.areAllParked() : batches.areAllRefused();
    }

    /// A NOTICE came that may mean what was just asked (R4.21).
    void hear(String text, Duration within) {
        List.copyOf(running).stream()
                .filter(Reconciliation.class::isInstance)
                .map(Reconciliation.class::cast)
                .forEach(comparison -> comparison.hear(text, within));
    }

    /// Everything that was just asked and not answered counts as refused.
    void refuseSilent(Duration within, String text) {
        List.copyOf(running).stream()
                .filter(task -> !(task instanceof Reconciliation))
                .forEach(task -> task.refuseSilent(within, text));
    }

    /// Everything in flight, parked or given up; for checks.
    Batches batches() {
        return batches;
    }
}
