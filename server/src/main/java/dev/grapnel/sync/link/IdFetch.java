package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Asking.End;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Fetches events by their ids (R5.7, R7.22).
final class IdFetch extends Task {
    private final List<EventId> ids;
    private final Optional<Tally> tally;
    private final boolean isPersistent;
    private final Set<EventId> missing;
    private Optional<Asking> asking = Optional.empty();

    /// How many ids one comparison named, and how many of them the relay then had (R5.8).
    static final class Tally {
        private static final int LEAST = 20;
        private int asked;
        private int delivered;
        private int open;
        private boolean isClosed;

        void begin(int count) {
            open++;
            asked += count;
        }

        void end(int count, HistoricWork work) {
            open--;
            delivered += count;
            judge(work);
        }

        /// The comparison is over; what it named may still be on its way.
        void close(HistoricWork work) {
            isClosed = true;
            judge(work);
        }

        private void judge(HistoricWork work) {
            if (isClosed && open == 0 && asked >= LEAST && delivered * 10 <= asked) {
                work.note(new LinkNote.Compared("broken"));
                work.note(new LinkNote.Verdict("negentropy names events that do not come"));
                work.bearing().learn(Trait.BROKEN_NEGENTROPY, 1);
            }
        }
    }

    /// @param isPersistent whether what does not come is asked for again, a few times
    IdFetch(HistoricWork work, Batch batch, List<EventId> ids, Optional<Tally> tally, boolean isPersistent) {
        super(work, batch);
        this.ids = List.copyOf(ids);
        this.tally = tally;
        this.isPersistent = isPersistent;
        this.missing = new LinkedHashSet<>(ids);
        tally.ifPresent(counts -> counts.begin(ids.size()));
    }

    @Override
    void begin(Wire wire) {
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

    private String phase() {
        return tally.isPresent() ? "stream" : "recovery";
    }

    private void note(Event event, Outcome outcome) {
        if (outcome != Outcome.FORGED && outcome != Outcome.FAILED) {
            missing.remove(event.id());
        }
    }

    private void over(End end) {
        var page = asking.orElseThrow();
        asking = Optional.empty();
        boolean isOverQuota = page.outcomes(Outcome.OVER_QUOTA) > 0;
        if (page.outcomes(Outcome.FAILED) > 0 || isOverQuota) {
            ids.forEach(work().commons()::release); // others need not wait for us
            work().failed(this, isOverQuota);
            return;
        }
        if (end instanceof End.Closed closed && page.count() == 0 && !missing.isEmpty() && isRefusal(closed)) {
            fail(end);
            return;
        }
        conclude();
    }

    /// Some relays close what found everything, or nothing, without a word (R4.20).
    private static boolean isRefusal(End.Closed end) {
        return !end.text().isBlank();
    }

    /// What did not come is first looked up again here: somebody else may have brought it.
    private void conclude() {
        ids.forEach(work().commons()::release);
        work().note(new LinkNote.Ids("fetched", ids.size() - missing.size()));
        work().note(new LinkNote.Hydrated(phase(), "delivered", ids.size() - missing.size()));
        work().note(new LinkNote.Hydrated(phase(), "not_delivered", missing.size()));
        tally.ifPresent(counts -> counts.end(ids.size() - missing.size(), work()));
        if (isPersistent) {
            work().ids()
                    .miss(missing.stream()
                            .filter(id -> work().arrivals().knowledge(id) == Knowledge.UNKNOWN)
                            .collect(Collectors.toList()));
        }
        work().ids().ended(ids.stream().filter(id -> !missing.contains(id)).collect(Collectors.toSet()));
        work().done(this);
    }

    @Override
    void abandon() {
        asking.ifPresent(Asking::abandon);
        asking = Optional.empty();
        ids.forEach(work().commons()::release);
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
    long fingerprint() {
        return 0;
    }
}
