package dev.grapnel.sync.link;

import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.Batch.State;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Everything that is fetched from one relay: batches made of what [Demand] still wants, their tasks, and which of them
/// runs next (R1.8, R3.14, R4.15, R4.16). As much is begun as the ledger, the pace and the relay's mood allow; the rest
/// stays where it is.
final class HistoricWork {
    private static final int BATCHES_MAX = 64;
    private static final int PARKED_MAX = 512;
    private static final int FETCHES_MAX = 4;
    private static final int FAILURES_MAX = 6;
    private static final Duration PARKING = Duration.ofSeconds(60);
    private static final Duration PARKING_MAX = Duration.ofHours(1);
    private static final Duration QUOTA_WAIT = Duration.ofMinutes(10);

    private final Link link;
    private final Demand demand;
    private final Refusals refusals;
    private final Silences silences;
    private final WantedIds ids;
    private final Map<Long, Batch> batches = new LinkedHashMap<>();
    private final Map<Purpose, Deque<Task>> queues = new EnumMap<>(Purpose.class);
    private final Set<Task> running = new LinkedHashSet<>();
    private final RefusedFilters refused;
    private Arrived arrived = new Arrived();
    private Optional<Wire> wire = Optional.empty();
    private Optional<CatchUp> catchUp = Optional.empty();
    private long serial;
    private int generation;
    private int largestPage;
    private boolean isDaily;
    private boolean hasDoubt;
    private boolean isPumping;
    private boolean isTimed;
    private boolean hasEnded;
    private OptionalLong announcementsSince = OptionalLong.empty();
    private int silentComparisons;
    private int silentGeneration = -1;

    HistoricWork(Link link, Demand demand) {
        this.link = link;
        this.demand = demand;
        this.refusals = new Refusals(this, link);
        this.silences = new Silences(this, link);
        this.ids = new WantedIds(this);
        this.refused = new RefusedFilters(link.loop());
        for (var purpose : Purpose.values()) {
            queues.put(purpose, new ArrayDeque<>());
        }
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

    WantedIds ids() {
        return ids;
    }

    /// Whether something that may have been missed is asked for.
    boolean isCatchingUp() {
        return catchUp.isPresent() || count(Purpose.CATCHUP) > 0;
    }

    boolean isUp() {
        return wire.isPresent();
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

    /// The largest page of this epoch: a smaller one was not cut off.
    int largestPage() {
        return largestPage;
    }

    void sawPage(int count) {
        largestPage = Math.max(largestPage, count);
    }

    /// A comparison was not answered; twice on different connections is an answer (R5.9).
    void silentComparison() {
        if (silentGeneration != generation) {
            silentGeneration = generation;
            silentComparisons++;
        }
        if (silentComparisons >= 2) {
            silentComparisons = 0;
            bearing().learn(Trait.NO_NEGENTROPY, 1);
            note(new LinkNote.Verdict("negentropy is not answered"));
        }
    }

    // ---- connections

    void open(Wire opened) {
        wire = Optional.of(opened);
        arrived = new Arrived();
        generation++;
        hasEnded = false;
        ids.restored();
    }

    /// Nothing is confirmed: everything is asked for (R4.9, R4.11, R4.12).
    ///
    /// @param since announcements from then on are enough (R4.13)
    void beginEpoch(boolean daily, OptionalLong since) {
        cancelAll();
        isDaily = daily;
        hasDoubt = false;
        largestPage = 0;
        announcementsSince = since;
        demand.forget();
        pump();
    }

    /// Only what was missed is asked for (R4.10).
    void beginCatchUp(CatchUp missed, boolean areAnnouncementsConfirmed) {
        if (!areAnnouncementsConfirmed) {
            demand.wantAnnouncements();
        }
        catchUp = Optional.of(missed);
        demand.lookAtAll();
        pump();
    }

    /// One more round of what live filters may have missed (R3.17, R4.20).
    void addCatchUp(List<Question> questions, long since) {
        if (!questions.isEmpty()) {
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
        ids.lost();
    }

    private void cancelAll() {
        for (var batch : batches.values()) {
            if (!batch.isOver()) {
                batch.tasks().forEach(Task::abandon);
                batch.setState(State.CANCELLED);
                note(new LinkNote.BatchEnded(batch.purpose(), "cancelled"));
            }
        }
        batches.clear();
        running.clear();
        queues.values().forEach(Deque::clear);
    }

    private Deque<Task> queue(Purpose purpose) {
        return Objects.requireNonNull(queues.get(purpose), "every purpose has a queue");
    }

    // ---- making work

    Batch newBatch(Purpose purpose, List<Chunk> chunks) {
        var batch = new Batch(++serial, purpose, chunks, link.isComplete(), loop().nanos());
        batches.put(batch.id(), batch);
        return batch;
    }

    /// A batch without any task is none.
    void drop(Batch batch) {
        batches.remove(batch.id());
    }

    /// Adds a task to its batch and its queue.
    void add(Task task) {
        task.batch().add(task);
        queue(task.batch().purpose()).add(task);
        schedulePump();
    }

    /// Begins whatever may begin. Called whenever something has changed.
    void pump() {
        if (isPumping || wire.isEmpty()) {
            return;
        }
        isPumping = true;
        try {
            fill();
            start(wire.get());
        } finally {
            isPumping = false;
        }
        link.look();
    }

    private void schedulePump() {
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
        catchUp.ifPresent(missed -> missed.fill(this, BATCHES_MAX - count(Purpose.CATCHUP)));
        if (link.isCooling()) {
            return;
        }
        int underWay = (int) batches.values().stream().filter(Batch::isUnderWay).count();
        int room = Math.min(BATCHES_MAX - underWay, PARKED_MAX - batches.size());
        while (room-- > 0) {
            var portion = demand.next(sizes());
            if (portion.isEmpty()) {
                if (!demand.isExhausted()) {
                    schedulePump(); // a long list is walked in several turns
                }
                return;
            }
            make(portion.get());
        }
    }

    private int count(Purpose purpose) {
        return (int) batches.values().stream()
                .filter(batch -> batch.purpose() == purpose)
                .count();
    }

    Sizes sizes() {
        return bearing().sizes(link.plan().isWide());
    }

    private void make(Demand.Portion portion) {
        var batch = newBatch(portion.purpose(), portion.chunks());
        for (var chunk : portion.chunks()) {
            for (var question : questions(chunk)) {
                add(task(batch, question));
            }
        }
    }

    static List<Question> questions(Chunk chunk) {
        if (chunk.layer() == Layer.ANNOUNCEMENTS) {
            return List.of(new Question(chunk, Question.NONE, Optional.empty()));
        }
        var all = new ArrayList<Question>();
        for (char letter : chunk.layer().letters().toCharArray()) {
            all.add(Question.of(chunk, letter));
        }
        return all;
    }

    private Task task(Batch batch, Question question) {
        var since = batch.purpose() == Purpose.ANNOUNCEMENTS ? announcementsSince : OptionalLong.empty();
        boolean isSmall = batch.isIncremental() && question.chunk().size() < Reconciliation.VALUES_LEAST;
        return since.isEmpty() && !isSmall && bearing().compares() && !link.restsComparing()
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
        queue(task.batch().purpose()).remove(task);
        running.add(task);
        task.batch().setState(State.RUNNING);
        if (refused.left(task).isPositive()) {
            task.setRefused(); // on an earlier connection (R4.3)
            failed(task, false);
        } else {
            task.begin(open);
        }
    }

    private Optional<Task> findStartable() {
        boolean isCooling = link.isCooling();
        for (var queue : queues.entrySet()) {
            if (queue.getValue().isEmpty() || isCooling) {
                continue;
            }
            var task = findStartable(queue.getValue());
            if (task.isEmpty()) {
                continue;
            }
            if (task.get().isUrgent() || link.mayRequest()) {
                return task;
            }
            link.wakeForPace();
            return Optional.empty();
        }
        return Optional.empty();
    }

    /// The first that finds a slot; comparisons and requests have their own.
    private Optional<Task> findStartable(Deque<Task> queue) {
        for (var use : List.of(Use.REQUEST, Use.COMPARISON)) {
            if (link.ledger().hasRoom(use)) {
                var first = queue.stream()
                        .filter(task -> task.use() == use && isReady(task))
                        .findFirst();
                if (first.isPresent()) {
                    return first;
                }
            }
        }
        return Optional.empty();
    }

    private boolean isReady(Task task) {
        if (task instanceof IdFetch) {
            return running.stream().filter(IdFetch.class::isInstance).count() < FETCHES_MAX;
        }
        return !isFromDemand(task.batch().purpose())
                || link.plan().isLive(task.batch().startedAt());
    }

    private static boolean isFromDemand(Purpose purpose) {
        return switch (purpose) {
            case ANNOUNCEMENTS, REPOSITORIES, ROOTS, THREADS -> true;
            case CATCHUP, REFETCH, SWEEP -> false;
        };
    }

    /// It goes on where it was, as soon as it may.
    void resume(Task task) {
        running.remove(task);
        if (!task.batch().isOver()) {
            queue(task.batch().purpose()).addFirst(task);
            schedulePump();
        }
    }

    /// The same after a while.
    void later(Task task, Duration wait) {
        running.remove(task);
        var at = generation;
        loop().after(wait, () -> {
            if (at == generation && isUp() && !task.batch().isOver()) {
                queue(task.batch().purpose()).addFirst(task);
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
        var queue = queue(task.batch().purpose());
        for (var other : others.reversed()) {
            other.batch().add(other);
            queue.addFirst(other);
        }
        schedulePump();
    }

    void done(Task task) {
        running.remove(task);
        task.batch().remove(task);
        if (task instanceof PageWalk walk && walk.question().chunk().layer() == Layer.ANNOUNCEMENTS) {
            link.walks().ended(walk.received(), announcementsSince.isEmpty());
        }
        settle(task.batch());
        schedulePump();
    }

    /// It failed and is tried again later.
    void failed(Task task, boolean isQuota) {
        running.remove(task);
        task.batch().fail(task, isQuota);
        settle(task.batch());
        schedulePump();
    }

    /// The relay refuses this filter as such (R4.20 lines 10 and 11).
    void refused(Task task, Duration time) {
        task.setRefused();
        refused.add(task, time);
        failed(task, false);
    }

    private void settle(Batch batch) {
        if (batch.isOver() || !batch.isSettled()) {
            return;
        }
        if (batch.hasFailures()) {
            park(batch);
        } else {
            confirm(batch);
        }
    }

    private void confirm(Batch batch) {
        batch.setState(State.CONFIRMED);
        batches.remove(batch.id());
        hasDoubt |= batch.isDoubtful();
        batch.chunks().forEach(demand::confirm);
        note(new LinkNote.BatchEnded(batch.purpose(), batch.isDoubtful() ? "doubt" : "confirmed"));
        if (batch.purpose() == Purpose.ANNOUNCEMENTS) {
            link.confirmedAnnouncements();
        }
        catchUp.ifPresent(missed -> missed.confirmed(batch));
        link.sweeps().confirmed(batch);
        if (catchUp.isPresent() && catchUp.get().isDone()) {
            catchUp = Optional.empty();
            link.caughtUp();
        }
        link.look();
    }

    private void park(Batch batch) {
        boolean isRefused = batch.failures().stream().allMatch(Task::isRefused);
        if (!isRefused && !batch.isOnlyQuota() && batch.parkings() + 1 >= FAILURES_MAX) {
            batch.setState(State.GIVEN_UP);
            note(new LinkNote.BatchEnded(batch.purpose(), "parked"));
            link.look();
            return;
        }
        var time = isRefused
                ? refused.shortest(batch.failures())
                : batch.isOnlyQuota() ? QUOTA_WAIT : parking(batch.parkings());
        batch.park();
        note(new LinkNote.BatchEnded(batch.purpose(), "parked"));
        var at = generation;
        loop().after(time, () -> {
            if (at == generation && batch.state() == State.PARKED) {
                batch.unpark().forEach(task -> queue(batch.purpose()).add(task));
                pump();
            }
        });
        link.look();
    }

    private static Duration parking(int before) {
        var time = PARKING.multipliedBy(1L << Math.min(before, 10));
        return time.compareTo(PARKING_MAX) > 0 ? PARKING_MAX : time;
    }

    // ---- what others look at

    /// Whether nothing keeps the link from being complete (R4.1).
    boolean isIdle() {
        return catchUp.map(CatchUp::isWalked).orElse(true)
                && demand.isExhausted()
                && batches.values().stream().noneMatch(batch -> batch.isUnderWay() && batch.purpose() != Purpose.SWEEP);
    }

    boolean hasFailures() {
        return hasDoubt
                || ids.isAwaiting()
                || batches.values().stream()
                        .anyMatch(batch -> batch.state() == State.PARKED || batch.state() == State.GIVEN_UP);
    }

    /// Whether everything that was asked is refused by the relay's policy, and nothing is open (6.1).
    boolean isRefusedAll() {
        return !batches.isEmpty()
                && batches.values().stream()
                        .allMatch(batch -> batch.state() == State.PARKED
                                && batch.failures().stream().allMatch(Task::isRefused));
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
                .filter(task -> task.use() == Use.REQUEST)
                .forEach(task -> task.refuseSilent(within, text));
    }

    int batchCount() {
        return batches.size();
    }

    int parkedCount() {
        return (int) batches.values().stream()
                .filter(batch -> batch.state() == State.PARKED || batch.state() == State.GIVEN_UP)
                .count();
    }

    OptionalLong oldestBatch() {
        return batches.values().stream()
                .filter(Batch::isUnderWay)
                .mapToLong(Batch::startedAt)
                .min();
    }
}
