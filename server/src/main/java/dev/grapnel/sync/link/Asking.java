package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// One REQ for stored events, from sending it to its end (R4.15, R4.17).
final class Asking implements Wire.Conversation {
    private static final Duration FIRST = Duration.ofMinutes(2);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration WHOLE = Duration.ofMinutes(5);
    private static final Duration IMPATIENT = Duration.ofSeconds(5);

    private final HistoricWork work;
    private final Wire wire;
    private final List<Filter> filters;
    private final Path path;
    private final Consumer<End> over;
    private final BiConsumer<Event, Outcome> listener;
    private final SubscriptionId id;
    private final Duration idle;
    private final long startedAt;
    private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    private long lastAt;
    private int count;
    private long oldest = Long.MAX_VALUE;
    private boolean isOver;
    private Runnable alarm;

    /// How it ended.
    sealed interface End {
        /// With EOSE.
        record Complete() implements End {}

        /// The relay fell silent.
        record Silent() implements End {}

        /// The relay closed it before EOSE.
        record Closed(String text) implements End {}
    }

    private Asking(
            HistoricWork work,
            Wire wire,
            char role,
            List<Filter> filters,
            Path path,
            Consumer<End> over,
            BiConsumer<Event, Outcome> listener) {
        this.work = work;
        this.wire = wire;
        this.filters = filters;
        this.path = path;
        this.over = over;
        this.listener = listener;
        this.id = wire.newId(role);
        this.startedAt = work.loop().nanos();
        this.lastAt = startedAt;
        boolean isImpatient = work.bearing().neverEnds();
        this.idle = isImpatient ? IMPATIENT : IDLE;
        this.alarm = work.loop().after(isImpatient ? IMPATIENT : FIRST, this::look);
    }

    /// Sends it. A slot must be free.
    static Asking begin(HistoricWork work, Wire wire, char role, List<Filter> filters, Path path, Consumer<End> over) {
        return begin(work, wire, role, filters, path, over, (_, _) -> {});
    }

    /// The same for somebody who wants to know what becomes of each event.
    static Asking begin(
            HistoricWork work,
            Wire wire,
            char role,
            List<Filter> filters,
            Path path,
            Consumer<End> over,
            BiConsumer<Event, Outcome> listener) {
        var asking = new Asking(work, wire, role, filters, path, over, listener);
        wire.subscribe(asking.id, Use.REQUEST, () -> filters, asking);
        return asking;
    }

    @Override
    public boolean expects(Event event) {
        return !isOver && filters.stream().anyMatch(filter -> filter.matches(event));
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public void took(Event event) {
        if (count++ == 0) {
            alarm.run();
            alarm = work.loop().after(idle, this::look);
        }
        lastAt = work.loop().nanos();
        oldest = Math.min(oldest, event.createdAt());
    }

    @Override
    public void decided(Event event, Outcome outcome) {
        if (outcome == Outcome.FORGED) {
            work.forged();
        }
        outcomes.merge(outcome, 1, Integer::sum);
        listener.accept(event, outcome);
    }

    /// Looks whether it has been silent for too long; not at every event, because timers are not for free.
    private void look() {
        long now = work.loop().nanos();
        long end = Math.min(lastAt + idle.toNanos(), startedAt + WHOLE.toNanos());
        if (count > 0 && now < end) {
            alarm = work.loop().after(Duration.ofNanos(end - now), this::look);
            return;
        }
        work.arrived().then(() -> finish(new End.Silent()));
    }

    @Override
    public void ended() {
        work.noteEnd();
        finish(new End.Complete());
    }

    @Override
    public void closed(String text) {
        if (!isOver && !wire.isOver()) {
            isOver = true;
            alarm.run();
            wire.free(Use.REQUEST);
            over.accept(new End.Closed(text));
        }
    }

    private void finish(End end) {
        if (!isOver && !wire.isOver()) {
            isOver = true;
            alarm.run();
            wire.unsubscribe(id, Use.REQUEST);
            over.accept(end);
        }
    }

    /// A NOTICE refused it (R4.21): it is closed and counts as refused.
    boolean refuseSilent(Duration within, String text) {
        boolean isMeant = !isOver && count == 0 && work.loop().nanos() - startedAt <= within.toNanos();
        if (isMeant) {
            finish(new End.Closed(text));
        }
        return isMeant;
    }

    /// It is no longer wanted.
    void abandon() {
        if (!isOver) {
            isOver = true;
            alarm.run();
            wire.unsubscribe(id, Use.REQUEST);
        }
    }

    /// Events that matched.
    int count() {
        return count;
    }

    /// The smallest date among them.
    long oldest() {
        return oldest;
    }

    int outcomes(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0);
    }
}
