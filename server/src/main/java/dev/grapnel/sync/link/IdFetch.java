package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Asking.End;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Fetches events by their ids (R5.7, R7.22).
final class IdFetch extends Task {
    private List<EventId> ids;
    private final Optional<Tally> tally;
    private final boolean isPersistent;
    private final Consumer<Set<EventId>> over;
    private final Optional<NamedIds.Part> part;
    private final Set<EventId> come = new HashSet<>();
    private final Set<EventId> taken = new LinkedHashSet<>();
    private final Set<EventId> refusedBefore = new HashSet<>();
    private final Set<EventId> claimed = new HashSet<>();
    private Optional<Asking> asking = Optional.empty();
    private boolean isAssumed;

    /// How many ids one comparison named, and how many of them the relay then had (R5.8).
    static final class Tally {
        private static final int LEAST = 20;

        /// So many tell how the rest will be.
        private static final int ENOUGH = 1_000;

        private final Runnable instead;
        private int fetched;
        private int delivered;
        private int open;
        private boolean isClosed;
        private boolean isJudged;

        /// @param instead reads what it was about in another way
        Tally(Runnable instead) {
            this.instead = instead;
        }

        void begin() {
            open++;
        }

        /// @param count ids that were asked for, and answered
        /// @param come those of them that came
        void end(int count, int come, HistoricWork work) {
            open--;
            fetched += count;
            delivered += come;
            judge(work);
        }

        /// The comparison is over; what it named may still be on its way.
        void close(HistoricWork work) {
            isClosed = true;
            judge(work);
        }

        /// Everything is read in another way: what was not asked for yet is not asked for any more.
        void forgo(HistoricWork work) {
            isJudged = true;
            work.forgo(task -> task instanceof IdFetch fetch && fetch.tally.equals(Optional.of(this)));
        }

        /// It named more than it may, and ends. What it named so far tells enough of a relay that has next to none of
        /// it, and so does the second comparison of that kind if nothing was asked for yet.
        void exceeded(HistoricWork work) {
            boolean isAgain = work.ids().isExceededAgain(delivered);
            if (!isJudged && (isAgain || (fetched >= LEAST && delivered * 10 <= fetched))) {
                condemn(work, "negentropy has no end");
            }
            forgo(work);
        }

        private void judge(HistoricWork work) {
            boolean isAll = isClosed && open == 0 && fetched >= LEAST;
            if (!isJudged && (isAll || fetched >= ENOUGH) && delivered * 10 <= fetched) {
                forgo(work);
                work.note(new LinkNote.Compared("broken"));
                condemn(work, "negentropy names events that do not come");
                instead.run();
            }
        }

        /// Several comparisons may show it; it is told once (R5.10).
        private static void condemn(HistoricWork work, String verdict) {
            if (!work.bearing().has(Trait.BROKEN_NEGENTROPY)) {
                work.note(new LinkNote.Verdict(verdict));
            }
            work.bearing().learn(Trait.BROKEN_NEGENTROPY, 1);
        }
    }

    /// @param isPersistent whether what does not come is asked for again, a few times
    IdFetch(HistoricWork work, Batch batch, List<EventId> ids, Optional<Tally> tally, boolean isPersistent) {
        this(work, batch, ids, tally, isPersistent, _ -> {});
    }

    /// For somebody who wants to know.
    ///
    /// @param over told at the end, or when the connection is lost, what was not here before and was taken
    IdFetch(HistoricWork work, Batch batch, List<EventId> ids, Consumer<Set<EventId>> over) {
        this(work, batch, ids, Optional.empty(), false, over);
    }

    private IdFetch(
            HistoricWork work,
            Batch batch,
            List<EventId> ids,
            Optional<Tally> tally,
            boolean isPersistent,
            Consumer<Set<EventId>> over) {
        super(work, batch);
        this.over = over;
        this.ids = List.copyOf(ids);
        this.tally = tally;
        this.isPersistent = isPersistent;
        this.part = tally.map(_ -> work.ids().named().add(ids.size()));
        tally.ifPresent(Tally::begin);
    }

    @Override
    void begin(Wire wire) {
        claim();
        if (ids.isEmpty()) {
            conclude();
            return;
        }
        ids.stream()
                .filter(id -> work().arrivals().knowledge(id) == Knowledge.REFUSED)
                .forEach(refusedBefore::add);
        var filter = Filter.builder().ids(ids).limit(ids.size()).build();
        asking = Optional.of(Asking.begin(
                work(),
                wire,
                Purpose.REFETCH.role(),
                List.of(filter),
                batch().purpose().path(work().isDaily()),
                this::over,
                this::note));
        work().note(new LinkNote.Hydrated(phase(), "requested", ids.size()));
    }

    /// Leaves those to others that they are asking for just now, or have brought meanwhile (R5.6).
    private void claim() {
        if (tally.isEmpty()) {
            return; // somebody wants them from this relay
        }
        var own = ids.stream()
                .filter(id -> claimed.contains(id)
                        || (!work().ids().isHere(id) && work().ids().claim(id)))
                .toList();
        work().note(new LinkNote.Ids("excluded", ids.size() - own.size()));
        claimed.addAll(own);
        ids = own;
    }

    /// What was asked for and did not come.
    private Set<EventId> missing() {
        var missing = new LinkedHashSet<>(ids);
        missing.removeAll(come);
        return missing;
    }

    private boolean isUnknown(EventId id) {
        return work().arrivals().knowledge(id) == Knowledge.UNKNOWN;
    }

    private void release() {
        claimed.forEach(work().commons()::release);
        claimed.clear();
    }

    @Override
    boolean isVoid() {
        return tally.isPresent()
                && claimed.isEmpty()
                && ids.stream().allMatch(id -> work().commons().isClaimed(id) || !isUnknown(id));
    }

    private String phase() {
        return tally.isPresent() ? "stream" : "recovery";
    }

    /// Whether a comparison has just named what it asks for.
    boolean isFirst() {
        return tally.isPresent();
    }

    private void note(Event event, Outcome outcome) {
        word(event.id(), outcome).ifPresent(word -> work().note(new LinkNote.Hydrated(phase(), word, 1)));
        if (outcome != Outcome.FORGED && outcome != Outcome.FAILED) {
            come.add(event.id());
        }
        if (outcome == Outcome.STORED || outcome == Outcome.HELD) {
            taken.add(event.id());
        }
    }

    /// What became of an event, as metrics call it; empty if that was no event.
    private Optional<String> word(EventId id, Outcome outcome) {
        return switch (outcome) {
            case STORED -> Optional.of("saved");
            case KNOWN ->
                Optional.of(work().arrivals().knowledge(id) == Knowledge.DELETED ? "tombstoned" : "duplicate");
            case HELD, KNOWN_HELD -> Optional.of("purgatory");
            case REFUSED, IGNORED -> Optional.of(refusedBefore.contains(id) ? "rejected_cached" : "rejected_other");
            case REFUSED_INVALID -> Optional.of("rejected_invalid");
            case REFUSED_BLOCKED -> Optional.of("rejected_blocked");
            case REFUSED_RESTRICTED -> Optional.of("rejected_restricted");
            case REFUSED_POW -> Optional.of("rejected_pow");
            case FAILED, OVER_QUOTA -> Optional.of("persistence_error");
            case FORGED -> Optional.empty();
        };
    }

    private void over(End end) {
        var page = asking.orElseThrow();
        asking = Optional.empty();
        if (end instanceof End.Complete) {
            work().answered(this);
        }
        boolean isOverQuota = page.outcomes(Outcome.OVER_QUOTA) > 0;
        if (page.outcomes(Outcome.FAILED) > 0 || isOverQuota) {
            release(); // others need not wait for us
            work().failed(this, isOverQuota);
            return;
        }
        if (end instanceof End.Silent && isUnanswered(page)) {
            return;
        }
        if (end instanceof End.Closed closed && page.count() == 0 && !missing().isEmpty() && isRefusal(closed)) {
            release(); // others need not wait for us
            fail(end);
            return;
        }
        conclude();
    }

    /// That nobody answers does not mean that there is nothing (R4.17): whoever can wait asks again.
    private boolean isUnanswered(Asking page) {
        if (page.count() > 0) {
            work().silences().paused(this);
            return false;
        }
        if (!isPersistent) {
            work().silences().count(this);
            return false;
        }
        release(); // others need not wait for us
        work().silences().silent(this);
        return true;
    }

    /// What was not answered says nothing of what the relay has, and is asked for again like what did not come.
    @Override
    void assumeEmpty() {
        isAssumed = true;
        conclude();
    }

    /// Others may have them, and whoever waits for them shall know.
    @Override
    void rest() {
        assumeEmpty();
    }

    /// Some relays close what found everything, or nothing, without a word (R4.20).
    private static boolean isRefusal(End.Closed end) {
        return !end.text().isBlank();
    }

    /// What did not come is first looked up again here: somebody else may have brought it.
    private void conclude() {
        part.ifPresent(NamedIds.Part::end);
        var missing = missing();
        work().note(new LinkNote.Ids("fetched", ids.size() - missing.size()));
        work().note(new LinkNote.Hydrated(phase(), "delivered", ids.size() - missing.size()));
        work().note(new LinkNote.Hydrated(phase(), "not_delivered", missing.size()));
        tally.ifPresent(counts -> counts.end(isAssumed ? 0 : ids.size(), ids.size() - missing.size(), work()));
        missing.removeIf(work().ids()::isHere);
        if (isPersistent) {
            work().ids().miss(List.copyOf(missing));
        }
        release();
        work().ids().ended(ids.stream().filter(id -> !missing.contains(id)).collect(Collectors.toSet()));
        over.accept(taken);
        work().done(this);
    }

    @Override
    void abandon() {
        asking.ifPresent(Asking::abandon);
        asking = Optional.empty();
        part.ifPresent(NamedIds.Part::end);
        release();
        over.accept(taken);
    }

    @Override
    void setAside(boolean isAside) {
        part.ifPresent(some -> some.setAside(isAside));
    }

    @Override
    List<Task> cut(int width) {
        return List.of(this);
    }

    @Override
    boolean refuseSilent(Duration within, String text) {
        return asking.map(open -> open.refuseSilent(within, text)).orElse(false);
    }

    @Override
    Patience.Kind kind() {
        return Patience.Kind.IDS;
    }

    @Override
    long fingerprint() {
        return 0;
    }
}
