package dev.grapnel.sync.link;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Ledger.Use;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Finds out by negentropy which events of one filter are missing here (sync 5.1), and has them fetched. Whatever goes
/// wrong, the same filter is read page by page instead.
final class Reconciliation extends Task implements Wire.Comparison {
    static final int VALUES_LEAST = 10;
    private static final int ITEMS_MAX = 1_000_000;
    private static final int RANGES_MAX = 64;
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration NEXT = Duration.ofSeconds(20);
    private static final Duration MEMORY_WAIT = Duration.ofSeconds(5);
    private static final int MEMORY_WAITS_MAX = 12;

    private final Question question;
    private final Ranges ranges;
    private final OptionalLong since;
    private final OptionalLong until;
    private Optional<Open> open = Optional.empty();
    private boolean isWaiting;
    private boolean isRestarted;

    /// Whether others do what it was for.
    private boolean isHandedOn;

    private int memoryWaits;
    private int sessionsThen;

    /// How many parts a filter was cut into by time.
    private static final class Ranges {
        private int count = 1;
    }

    /// A session that goes on.
    private static final class Open {
        private final Wire wire;
        private final SubscriptionId id;
        private final NegentropyInitiator initiator;
        private final long vectorBytes;
        private final long openedAt;
        private final IdFetch.Tally tally;
        private boolean isAnswered;

        /// Whether what the last answer named is still being looked at.
        private boolean isLooking;

        private Runnable alarm = () -> {};

        private Open(
                Wire wire, SubscriptionId id, NegentropyInitiator initiator, long vectorBytes, Reconciliation task) {
            this.wire = wire;
            this.id = id;
            this.initiator = initiator;
            this.vectorBytes = vectorBytes;
            this.openedAt = task.work().loop().nanos();
            this.tally = new IdFetch.Tally(task::readInstead);
        }
    }

    Reconciliation(HistoricWork work, Batch batch, Question question) {
        this(work, batch, question, new Ranges(), OptionalLong.empty(), OptionalLong.empty());
    }

    private Reconciliation(
            HistoricWork work, Batch batch, Question question, Ranges ranges, OptionalLong since, OptionalLong until) {
        super(work, batch);
        this.question = question;
        this.ranges = ranges;
        this.since = since;
        this.until = until;
    }

    @Override
    Use use() {
        return work().bearing().compares() ? Use.COMPARISON : Use.REQUEST;
    }

    /// What is read by pages instead asks nothing itself.
    @Override
    boolean isUrgent() {
        return super.isUrgent() || use() == Use.REQUEST;
    }

    @Override
    void begin(Wire wire) {
        var filter = filter();
        if (filter.isEmpty()) {
            work().done(this);
            return;
        }
        if (!work().bearing().compares() || work().ids().named().areManyAside()) {
            walk();
            return;
        }
        isWaiting = true;
        wire.reserveComparison();
        work().archive().items(filter.get(), ITEMS_MAX, items -> {
            if (!isWaiting || wire.isOver()) {
                wire.free(Use.COMPARISON); // it was abandoned meanwhile
                return;
            }
            isWaiting = false;
            if (work().isCooling()) { // since it was its turn (R4.29)
                wire.free(Use.COMPARISON);
                work().resume(this);
            } else {
                open(wire, filter.get(), items);
            }
        });
    }

    private Optional<Filter> filter() {
        return question.filter(work().targets(), work().config()).map(filter -> {
            since.ifPresent(filter::since);
            until.ifPresent(filter::until);
            return filter.build();
        });
    }

    private void open(Wire wire, Filter filter, ItemsOutcome outcome) {
        switch (outcome) {
            case ItemsOutcome.TooMany _ -> {
                wire.free(Use.COMPARISON);
                bisect();
            }
            case ItemsOutcome.Items(var items) -> open(wire, filter, items);
        }
    }

    private void open(Wire wire, Filter filter, NegentropyItems items) {
        int frame = work().bearing().frameBytes(filter.json().length());
        if (frame == 0) {
            wire.free(Use.COMPARISON);
            walk();
            return;
        }
        long bytes = items.memoryBytes();
        if (!work().commons().takeVector(bytes)) {
            wire.free(Use.COMPARISON);
            waitForMemory();
            return;
        }
        var initiator = new NegentropyInitiator(items, NegentropyLimits.DEFAULTS.withFrameBytes(frame));
        var session = new Open(wire, wire.newId('n'), initiator, bytes, this);
        open = Optional.of(session);
        sessionsThen = work().bearing().sessions();
        session.alarm = work().loop().after(FIRST, this::silent);
        wire.compare(session.id, filter, initiator.first(), this);
    }

    /// Others may keep it for long, and each time all that is here of the filter is looked for anew.
    private void waitForMemory() {
        if (++memoryWaits < MEMORY_WAITS_MAX) {
            work().later(this, MEMORY_WAIT);
        } else {
            walk();
        }
    }

    // ---- answers

    @Override
    public void answered(Bytes message) {
        var session = open.orElseThrow();
        session.alarm.run();
        session.isAnswered = true;
        work().answered(this);
        if (session.isLooking) { // nobody asked for more
            end(true);
            unsupported();
            return;
        }
        switch (session.initiator.next(message)) {
            case NegentropyStep.Continue(var next, var _, var need) ->
                need(session, need, () -> {
                    session.alarm = work().loop().after(NEXT, this::silent);
                    session.wire.goOn(session.id, next);
                });
            case NegentropyStep.Complete(var _, var need) -> need(session, need, () -> complete(session));
            case NegentropyStep.Exceeded _ -> {
                end(true);
                work().note(new LinkNote.Compared("broken"));
                session.tally.exceeded(work());
                walk();
            }
            case NegentropyStep.Invalid _, NegentropyStep.UnsupportedVersion _ -> {
                end(true);
                unsupported();
            }
        }
    }

    /// Goes on when all of them were looked at, unless the connection is lost meanwhile.
    private void need(Open session, List<EventId> ids, Runnable then) {
        session.isLooking = true;
        work().ids().need(batch(), ids, session.tally, () -> open.equals(Optional.of(session)), hasRoom -> {
            session.isLooking = false;
            if (hasRoom) {
                then.run();
            } else {
                crowdedOut(session);
            }
        });
    }

    /// All links together wait for more ids than they may (8.2), so pages tell what this one would have named.
    private void crowdedOut(Open session) {
        end(true);
        work().note(new LinkNote.Compared("blocked"));
        session.tally.forgo(work());
        walk();
    }

    private void complete(Open session) {
        end(true);
        work().note(new LinkNote.Compared("ok"));
        work().bearing().forget(Trait.NO_NEGENTROPY);
        session.tally.close(work());
        work().done(this);
    }

    @Override
    public void failed(String reason, boolean isSized) {
        var session = open.orElseThrow();
        end(false);
        session.wire.free(Use.COMPARISON);
        if (isSized) {
            blocked(reason);
            return;
        }
        refuse(reason);
    }

    private void refuse(String reason) {
        var line = RefusalLine.of(reason, true);
        switch (line) {
            case ITEMS -> blocked(reason);
            case SESSIONS -> {
                work().refused(line);
                if (work().bearing().sessions() >= sessionsThen) {
                    work().refusals().learn(line, reason); // otherwise that was learned since it was opened
                }
                work().resume(this);
            }
            case INVALID, OTHER -> judge(reason);
            case OPEN_BYTES, FILTER_COUNT, SUBSCRIPTIONS, VALUES, LIMIT, AUTH, RATE, POLICY ->
                work().refusals().refused(this, reason, true);
        }
    }

    private void judge(String reason) {
        if (reason.startsWith("closed") && !isRestarted) {
            isRestarted = true;
            work().resume(this);
        } else if (reason.startsWith("closed") || reason.startsWith("error")) {
            walk();
        } else {
            unsupported();
        }
    }

    private void blocked(String reason) {
        work().refusals().learn(RefusalLine.ITEMS, reason);
        work().note(new LinkNote.Compared("blocked"));
        work().failedComparisons().refused();
        bisect();
    }

    private void bisect() {
        long from = since.orElse(0);
        long to = until.orElse(work().loop().wall().getEpochSecond() + 1_000);
        if (ranges.count >= RANGES_MAX || to - from < 2) {
            work().refused(RefusalLine.ITEMS); // before, each is about something smaller
            walk();
            return;
        }
        ranges.count++;
        long middle = split(from, to);
        handOn(List.of(
                new Reconciliation(work(), batch(), question, ranges, OptionalLong.of(middle), until),
                new Reconciliation(work(), batch(), question, ranges, since, OptionalLong.of(middle - 1))));
    }

    /// Most events are young: the first cut is a year ago, not in the middle of all time.
    private long split(long from, long to) {
        long year = 365L * 24 * 3600;
        return since.isEmpty() && to > year * 2 && until.isEmpty() ? to - year : from + (to - from) / 2 + 1;
    }

    private void unsupported() {
        work().note(new LinkNote.Compared("unsupported"));
        if (!work().bearing().has(Trait.NO_NEGENTROPY)) {
            work().bearing().learn(Trait.NO_NEGENTROPY, 1);
            work().note(new LinkNote.Verdict("negentropy is not understood"));
        }
        walk();
    }

    private void silent() {
        end(true);
        work().note(new LinkNote.Compared("timeout"));
        work().failedComparisons().silent();
        walk();
    }

    private void walk() {
        if (isHandedOn) {
            work().done(this);
        } else {
            handOn(List.of(pages()));
        }
    }

    private void handOn(List<Task> others) {
        isHandedOn = true;
        work().replace(this, others);
    }

    /// What it names does not come. If it still goes on, it ends here: what it was for is read once (R5.8), also if it
    /// stalled before and is read by pages for that.
    private void readInstead() {
        if (open.isPresent()) {
            end(true);
            walk();
        } else if (!isHandedOn) {
            isHandedOn = true;
            work().add(pages());
        }
    }

    private PageWalk pages() {
        return new PageWalk(work(), batch(), question, since, until).asFallback();
    }

    private void end(boolean says) {
        open.ifPresent(session -> {
            session.alarm.run();
            work().commons().releaseVector(session.vectorBytes);
            if (says) {
                session.wire.endComparison(session.id);
            }
        });
        open = Optional.empty();
    }

    /// A NOTICE that answers an unanswered opening (R4.21, R5.9).
    boolean hear(String text, Duration within) {
        if (open.isEmpty() || open.get().isAnswered) {
            return false;
        }
        boolean isRecent = work().loop().nanos() - open.get().openedAt <= within.toNanos();
        return switch (RefusalLine.of(text, false)) {
            case ITEMS, SESSIONS -> isRecent && refuseSilent(within, text);
            case POLICY, INVALID, OTHER -> isLost(text);
            case OPEN_BYTES, FILTER_COUNT, SUBSCRIPTIONS, VALUES, LIMIT, AUTH, RATE -> false;
        };
    }

    /// Whether the relay shows that it does not know what we are talking about.
    private boolean isLost(String text) {
        boolean isLost = RefusalLine.isBewildered(text);
        if (isLost) {
            end(true);
            unsupported();
        }
        return isLost;
    }

    @Override
    boolean refuseSilent(Duration within, String text) {
        if (open.isEmpty() || open.get().isAnswered) {
            return false;
        }
        end(true);
        refuse(text);
        return true;
    }

    @Override
    void abandon() {
        isWaiting = false;
        end(true);
    }

    @Override
    List<Task> cut(int width) {
        return pages().cut(width);
    }

    @Override
    Optional<Task> instead() {
        return Optional.of(pages());
    }

    @Override
    int width() {
        return question.width();
    }

    @Override
    Patience.Kind kind() {
        return Patience.Kind.of(question);
    }

    @Override
    long fingerprint() {
        return pages().fingerprint();
    }
}
