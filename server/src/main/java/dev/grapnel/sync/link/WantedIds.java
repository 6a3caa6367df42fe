package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.IdFetch.Tally;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Ids that a relay is asked for: those a comparison named, those that did not come at first, and those somebody here
/// wants to see again (R5.6 to R5.8, R7.22).
final class WantedIds {
    private static final int LOOKS_MAX = 500;
    private static final int CHUNK = 100;
    private static final int RETRY_CHUNK = 25;
    private static final int PASS_MAX = 300;
    private static final int PHANTOMS_MAX = 1_000;
    private static final int LATE_MAX = 50_000;
    private static final Duration PASS_LEAST = Duration.ofMillis(100);

    /// What others bring is seldom longer in the gate.
    private static final Duration IN_GATE = Duration.ofSeconds(1);

    private static final Duration DAY = Duration.ofHours(24);
    private static final List<Duration> WAITS =
            List.of(Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(2));

    private final HistoricWork work;
    private final NamedIds named;
    private final Map<EventId, Late> late = new LinkedHashMap<>();
    private final Map<EventId, Long> phantoms = new LinkedHashMap<>();
    private long timedAt = Long.MAX_VALUE;
    private Runnable timer = () -> {};
    private int phantomsToday;
    private int exceeded;
    private long dayBegan;

    /// An id that did not come.
    ///
    /// @param tries how often it was asked for again
    private record Late(int tries, long dueAt) {}

    WantedIds(HistoricWork work) {
        this.work = work;
        this.named = new NamedIds(work.commons().named());
        this.dayBegan = work.loop().nanos();
    }

    /// A comparison named ids that are not here. Each is looked for on disk, so many of them take several turns (8.3).
    ///
    /// @param isGoingOn whether anybody still wants to know
    /// @param then told when all were looked at, or as soon as there is no room for more; whether there was
    void need(Batch batch, List<EventId> ids, Tally tally, BooleanSupplier isGoingOn, Consumer<Boolean> then) {
        var some = ids.subList(0, Math.min(ids.size(), LOOKS_MAX));
        boolean hasRoom = need(batch, some, tally);
        if (!hasRoom || some.size() == ids.size()) {
            then.accept(hasRoom);
            return;
        }
        var rest = ids.subList(some.size(), ids.size());
        work.loop().post(() -> {
            if (isGoingOn.getAsBoolean()) {
                need(batch, rest, tally, isGoingOn, then);
            }
        });
    }

    private boolean need(Batch batch, List<EventId> ids, Tally tally) {
        work.note(new LinkNote.Ids("needed", ids.size()));
        var wanted = new ArrayList<EventId>();
        int excluded = 0;
        for (var id : ids) {
            if (isHere(id) || isMissing(id)) {
                excluded++;
            } else {
                wanted.add(id);
            }
        }
        work.note(new LinkNote.Ids("excluded", excluded));
        if (!wanted.isEmpty() && !named.hasRoom()) {
            return false;
        }
        chunks(wanted, CHUNK).forEach(chunk -> work.add(new IdFetch(work, batch, chunk, Optional.of(tally), true)));
        return true;
    }

    /// Those that wait because comparisons named them.
    NamedIds named() {
        return named;
    }

    /// Whether an event need not be asked for. What is under way may yet turn out to be a forgery of it.
    boolean isHere(EventId id) {
        return switch (work.arrivals().knowledge(id)) {
            case UNKNOWN, UNDER_WAY -> false;
            case STORED, DELETED, SUPERSEDED, HELD, EXPIRED, GATED, REFUSED -> true;
        };
    }

    /// Takes an id for this relay; if another is being asked for it, or has brought it, what becomes of that is
    /// awaited.
    ///
    /// @return whether this relay shall be asked
    boolean claim(EventId id) {
        if (work.arrivals().knowledge(id) == Knowledge.UNDER_WAY) {
            lookAgain(id);
            return false;
        }
        return work.commons().claim(id, this::lookAgain);
    }

    /// Another relay was asked for it and is done.
    private void lookAgain(EventId id) {
        if (!isHere(id) && !isMissing(id)) {
            miss(List.of(id));
        }
    }

    /// A comparison named more than anybody may.
    ///
    /// @return whether one did before, and nothing came of either
    boolean isExceededAgain(int delivered) {
        exceeded = delivered > 0 ? 0 : exceeded + 1;
        return exceeded > 1;
    }

    /// Asks for events by id once more, because somebody here wants to see them.
    ///
    /// @param over told once what all requests together took
    void refetch(List<EventId> ids, Consumer<Set<EventId>> over) {
        var chunks = chunks(ids, CHUNK);
        var taken = new LinkedHashSet<EventId>();
        int[] open = {chunks.size()};
        Consumer<Set<EventId>> each = some -> {
            taken.addAll(some);
            if (--open[0] == 0) {
                over.accept(taken);
            }
        };
        chunks.forEach(chunk -> work.add(new IdFetch(work, newBatch(), chunk, each)));
        work.pump();
    }

    private void fetchLate(List<EventId> ids) {
        chunks(ids, RETRY_CHUNK)
                .forEach(chunk -> work.add(new IdFetch(work, newBatch(), chunk, Optional.empty(), true)));
    }

    private Batch newBatch() {
        return work.newBatch(Purpose.REFETCH, List.of());
    }

    private List<List<EventId>> chunks(List<EventId> ids, int most) {
        int size = work.bearing().idsPerRequest(most);
        var chunks = new ArrayList<List<EventId>>();
        for (int i = 0; i < ids.size(); i += size) {
            chunks.add(ids.subList(i, Math.min(ids.size(), i + size)));
        }
        return chunks;
    }

    /// These were asked for and did not come.
    void miss(List<EventId> ids) {
        long now = work.loop().nanos();
        for (var id : ids) {
            var known = late.get(id);
            int tries = known == null ? 0 : known.tries() + 1;
            if (tries >= WAITS.size()) {
                giveUp(id);
            } else if (known != null || late.size() < LATE_MAX) {
                long dueAt = now + WAITS.get(tries).toNanos();
                late.put(id, new Late(tries, dueAt));
                arm(dueAt);
            }
        }
    }

    /// It came without having been asked for, and could not be taken. One that is asked for again anyhow is not a try
    /// the poorer for it: a relay may bring it for each of its groups at once.
    void missLive(EventId id) {
        if (!late.containsKey(id)) {
            miss(List.of(id));
        }
    }

    /// Asked for again, the oldest first; what has come meanwhile is not.
    private void pass() {
        long now = work.loop().nanos();
        if (!work.isUp()) {
            return;
        }
        int room = PASS_MAX - RETRY_CHUNK * work.batches().underWay(Purpose.REFETCH);
        if (room <= 0) {
            return; // the last pass is not over; when it is, this one follows
        }
        var ripe = late.entrySet().stream()
                .filter(entry -> entry.getValue().dueAt() <= now)
                .limit(room)
                .map(Map.Entry::getKey)
                .toList();
        fetchLate(ripe.stream().filter(id -> isDue(id, now)).toList());
        arm();
        work.changed();
    }

    /// Whether it is to be asked for; if not, its entry says when it is looked at again, or is gone.
    private boolean isDue(EventId id, long now) {
        var knowledge = work.arrivals().knowledge(id);
        if (isHere(id)) {
            late.remove(id);
        } else {
            long dueAt = knowledge == Knowledge.UNKNOWN ? Long.MAX_VALUE : now + IN_GATE.toNanos();
            late.computeIfPresent(id, (_, entry) -> new Late(entry.tries(), dueAt));
        }
        return knowledge == Knowledge.UNKNOWN;
    }

    private void arm() {
        arm(late.values().stream().mapToLong(Late::dueAt).min().orElse(Long.MAX_VALUE));
    }

    /// There is a pass at that moment, if there is none before.
    private void arm(long dueAt) {
        if (dueAt < timedAt) {
            timer.run();
            timedAt = dueAt;
            long wait = Math.max(PASS_LEAST.toNanos(), dueAt - work.loop().nanos());
            timer = work.loop().after(Duration.ofNanos(wait), () -> {
                timedAt = Long.MAX_VALUE;
                pass();
            });
        }
    }

    private void giveUp(EventId id) {
        late.remove(id);
        long now = work.loop().nanos();
        if (now - dayBegan > DAY.toNanos()) {
            dayBegan = now;
            phantomsToday = 0;
        }
        phantoms.put(id, now + DAY.toNanos());
        if (phantoms.size() > PHANTOMS_MAX) {
            phantoms.remove(phantoms.keySet().iterator().next());
        }
        work.note(new LinkNote.Ids("phantom", 1));
        if (++phantomsToday > PHANTOMS_MAX && !work.bearing().has(Trait.BROKEN_NEGENTROPY)) {
            work.bearing().learn(Trait.BROKEN_NEGENTROPY, 1, Duration.ofDays(7));
            work.note(new LinkNote.Verdict("negentropy names events that do not exist"));
        }
    }

    /// Whether it did not come before: it is asked for again in its own time, or not at all for a while.
    private boolean isMissing(EventId id) {
        var until = phantoms.get(id);
        return late.containsKey(id) || (until != null && work.loop().nanos() < until);
    }

    /// A fetch is over.
    ///
    /// @param come what it brought, or others brought meanwhile
    void ended(Collection<EventId> come) {
        come.forEach(late::remove);
        arm();
        work.changed();
    }

    /// All requests were given up, perhaps with the connection: what they asked for is due at once, or on the next.
    void givenUp() {
        long now = work.loop().nanos();
        late.replaceAll((_, entry) -> entry.dueAt() == Long.MAX_VALUE ? new Late(entry.tries(), now) : entry);
        arm();
    }

    /// A connection is there again.
    void restored() {
        arm();
    }

    boolean isAwaiting() {
        return !late.isEmpty();
    }

    int phantomCount() {
        return phantoms.size();
    }
}
