package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntNote.DormantResult;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks for data that came late (P-613): each URL that a dormant record names is asked for its refs about once an
/// hour,
/// one request for all records that name it. Its lock guards the plan and is not held while anything is asked.
final class DormantLooks {
    /// The plan is compared with the records so many times in the longest time between two looks.
    private static final int REVIEWS = 60;

    /// Most URLs of a domain that are considered in one tick.
    private static final int AT_ONCE = 100;

    private static final Logger LOG = LoggerFactory.getLogger(DormantLooks.class);
    private static final Comparator<Look> BY_TIME =
            Comparator.<Look>comparingLong(look -> look.dueAt).thenComparing(look -> look.url.text());
    private static final Comparator<Look> NEWEST_FIRST =
            Comparator.comparingLong(Look::newest).reversed().thenComparing(look -> look.url.text());

    private final World world;
    private final UrlRules rules;
    private final Throttle throttle;
    private final Visits visits;
    private final Fetches fetches;
    private final Preferred preferred;
    private final Revivals revivals;
    private final Timeline time;
    private final Executor executor;
    private final RandomGenerator chance;
    private final Consumer<HuntNote> notes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<HuntUrl, Look> looks = new HashMap<>();
    private final TreeSet<Look> planned = new TreeSet<>(BY_TIME);
    /// Those whose time has come and that wait for a permit.
    private final TreeSet<Look> due = new TreeSet<>(BY_TIME);
    private final Map<Host, TreeSet<Look>> dueOf = new HashMap<>();
    private volatile Duration every;
    private Map<String, HuntUrl> judged = new HashMap<>();
    private long reviewAt;
    private boolean isReviewing;

    /// A URL and the records that name it, those with the newest events first.
    private static final class Look {
        private final HuntUrl url;
        private List<DormantRecord> records;
        private long dueAt;

        Look(HuntUrl url, List<DormantRecord> records, long dueAt) {
            this.url = url;
            this.records = records;
            this.dueAt = dueAt;
        }

        long newest() {
            return DormantLooks.newest(records);
        }
    }

    private static long newest(List<DormantRecord> records) {
        return records.getFirst().row().createdAt();
    }

    DormantLooks(
            World world,
            UrlRules rules,
            Throttle throttle,
            Visits visits,
            Fetches fetches,
            Preferred preferred,
            Duration every,
            Timeline time,
            Executor executor,
            RandomGenerator chance,
            Consumer<HuntNote> notes) {
        this.world = world;
        this.rules = rules;
        this.throttle = throttle;
        this.visits = visits;
        this.fetches = fetches;
        this.preferred = preferred;
        this.revivals = new Revivals(world, throttle, visits, fetches, time);
        this.every = every;
        this.time = time;
        this.executor = executor;
        this.chance = chance;
        this.notes = notes;
        this.reviewAt = time.now();
    }

    void change(Duration otherEvery) {
        every = otherEvery;
    }

    /// Begins what is due, as far as nobody else wants the permits. A domain without one is asked once a tick, however
    /// many of its URLs wait.
    void tick() {
        if (isReviewDue()) {
            executor.execute(this::review);
        }
        long late = come();
        for (long i = 0; i < late; i++) {
            notes.accept(new HuntNote.DormantChecked(DormantResult.NO_PERMIT));
        }
        domains().forEach(this::begin);
    }

    private void begin(Host domain) {
        for (var look : waitingFor(domain)) {
            if (visits.isLeftAlone(look.url)) { // for long, so that it must not stand before others
                postpone(look);
                notes.accept(new HuntNote.DormantChecked(DormantResult.NO_PERMIT));
                continue;
            }
            var lease = throttle.tryAcquire(domain);
            if (lease.isEmpty()) {
                return;
            }
            start(look, lease.get());
        }
    }

    private void postpone(Look look) {
        lock.lock();
        try {
            if (unlist(look)) {
                look.dueAt += every.toMillis();
                planned.add(look);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Moves on what is due now, and to the next hour what got no permit in its own.
    ///
    /// @return how many those are
    private long come() {
        lock.lock();
        try {
            long now = time.now();
            long late = 0;
            while (!due.isEmpty() && due.first().dueAt + every.toMillis() <= now) {
                postpone(due.first());
                late++;
            }
            while (!planned.isEmpty() && planned.first().dueAt <= now) {
                list(planned.removeFirst());
            }
            return late;
        } finally {
            lock.unlock();
        }
    }

    private void list(Look look) {
        due.add(look);
        dueOf.computeIfAbsent(look.url.domain(), _ -> new TreeSet<>(NEWEST_FIRST))
                .add(look);
    }

    private boolean unlist(Look look) {
        dueOf.computeIfPresent(look.url.domain(), (_, all) -> {
            all.remove(look);
            return all.isEmpty() ? null : all;
        });
        return due.remove(look);
    }

    /// Domains for which something is due, those with the newest events first.
    private List<Host> domains() {
        lock.lock();
        try {
            return dueOf.entrySet().stream()
                    .sorted(Comparator.comparing(entry -> entry.getValue().first(), NEWEST_FIRST))
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// No more than a domain can be asked in a minute are worth a look.
    private List<Look> waitingFor(Host domain) {
        lock.lock();
        try {
            var all = dueOf.get(domain);
            return all == null ? List.of() : all.stream().limit(AT_ONCE).toList();
        } finally {
            lock.unlock();
        }
    }

    /// How many URLs are looked at.
    int size() {
        lock.lock();
        try {
            return looks.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean isReviewDue() {
        lock.lock();
        try {
            boolean isDue = !isReviewing && reviewAt <= time.now();
            isReviewing |= isDue;
            return isDue;
        } finally {
            lock.unlock();
        }
    }

    /// Brings the plan in line with the records. A URL that is new is looked at somewhere within the hour, so that a
    /// restart with many records is no storm; section 8 judges each of them anew.
    private void review() {
        try {
            plan(named(world.dormant()));
        } catch (RuntimeException e) { // the plan stays as it was until the next time
            LOG.error("records of expired events not read", e);
        } finally {
            endReview();
        }
    }

    private Map<HuntUrl, List<DormantRecord>> named(List<DormantRecord> all) {
        var named = new LinkedHashMap<HuntUrl, List<DormantRecord>>();
        var known = new HashMap<String, HuntUrl>();
        all.stream()
                .filter(record -> !record.row().identifiers().isEmpty())
                .sorted(Comparator.<DormantRecord>comparingLong(
                                record -> record.row().createdAt())
                        .reversed()
                        .thenComparing(DormantRecord::event))
                .forEach(record -> record.row()
                        .cloneUrls()
                        .forEach(published -> findFit(published).ifPresent(url -> {
                            known.put(published, url);
                            add(record, named.computeIfAbsent(url, _ -> new ArrayList<>()));
                        })));
        judged = known; // one review at a time
        return named;
    }

    /// Two addresses of a record may be one after all; they come together, so nothing need be searched.
    private static void add(DormantRecord record, List<DormantRecord> records) {
        if (records.isEmpty() || !records.getLast().event().equals(record.event())) {
            records.add(record);
        }
    }

    /// What was fit a minute ago is not judged again before it is asked.
    private Optional<HuntUrl> findFit(String published) {
        var known = judged.get(published);
        if (known != null) {
            return Optional.of(known);
        }
        return rules.judge(published) instanceof UrlRules.Judgement.Fit(var url) ? Optional.of(url) : Optional.empty();
    }

    private void endReview() {
        lock.lock();
        try {
            reviewAt = time.now() + (every.toMillis() / REVIEWS);
            isReviewing = false;
        } finally {
            lock.unlock();
        }
    }

    private void plan(Map<HuntUrl, List<DormantRecord>> named) {
        lock.lock();
        try {
            var gone = looks.values().stream()
                    .filter(look -> !named.containsKey(look.url))
                    .toList();
            for (var look : gone) {
                looks.remove(look.url);
                planned.remove(look);
                boolean _ = unlist(look);
            }
            named.forEach((url, records) -> plan(url, List.copyOf(records)));
        } finally {
            lock.unlock();
        }
    }

    private void plan(HuntUrl url, List<DormantRecord> records) {
        var look = looks.get(url);
        if (look == null) {
            var added = new Look(url, records, time.now() + chance.nextLong(firstWithin()));
            looks.put(url, added);
            planned.add(added);
        } else if (newest(records) == look.newest()) {
            look.records = records;
        } else {
            boolean isDue = unlist(look); // its place depends on them
            look.records = records;
            if (isDue) {
                list(look);
            }
        }
    }

    /// An hour counts from the expiry, which the plan learns of a little later.
    private long firstWithin() {
        return Math.max(1, every.toMillis() - (2 * every.toMillis() / REVIEWS));
    }

    private void start(Look look, Lease lease) {
        List<DormantRecord> records;
        lock.lock();
        try {
            records = look.records;
            boolean _ = unlist(look);
            look.dueAt = time.now() + between();
        } finally {
            lock.unlock();
        }
        executor.execute(() -> run(look, records, lease));
    }

    /// Less a random 1 to 10 %: a tick more must not make it longer than the whole.
    private long between() {
        long whole = every.toMillis();
        return whole - (whole / 100) - chance.nextLong((whole / 11) + 1);
    }

    private void run(Look look, List<DormantRecord> records, Lease lease) {
        var identifier = records.getFirst().row().identifiers().getFirst();
        if (rules.judge(look.url.text()) instanceof UrlRules.Judgement.Unfit(var rule, var _, var isOurs)) {
            lease.refund();
            if (!isOurs) {
                notes.accept(new HuntNote.UrlRefused(Optional.of(look.url.domain()), rule));
            }
            again(look);
            return;
        }
        var fetch = fetches.beginLook(identifier, look.url, time.now(), lease);
        try {
            notes.accept(new HuntNote.DormantChecked(ask(fetch, records)));
        } catch (RuntimeException e) { // the next look comes in an hour
            notes.accept(new HuntNote.Broke(identifier, e));
            notes.accept(new HuntNote.DormantChecked(DormantResult.FAILED));
        } finally {
            lease.release();
            fetches.end(fetch);
            again(look);
        }
    }

    private void again(Look look) {
        lock.lock();
        try {
            if (looks.get(look.url) == look) {
                planned.add(look);
            }
        } finally {
            lock.unlock();
        }
    }

    private DormantResult ask(Fetch fetch, List<DormantRecord> records) {
        var wanted = new HashSet<Oid>();
        records.forEach(record -> wanted.addAll(record.row().missing()));
        var seen = new HashSet<Oid>();
        var outcome = visits.run(fetch, visit -> {
            seen.addAll(visit.advertise(Set.copyOf(wanted), Set.of()).advertised());
            return new Outcome(Optional.empty(), 0, 0, Set.of(), 0, Duration.ZERO);
        });
        if (outcome.failed().isPresent()) {
            return DormantResult.FAILED;
        }
        var found = records.stream()
                .filter(record -> record.row().missing().stream().anyMatch(seen::contains))
                .toList();
        if (found.isEmpty()) {
            return DormantResult.UNCHANGED;
        }
        for (var record : found) {
            record.row().identifiers().forEach(identifier -> preferred.put(identifier, fetch.url));
        }
        var revived = revivals.revive(found);
        found.stream()
                .filter(record -> revived.contains(record.event()))
                .forEach(record -> notes.accept(new HuntNote.DormantRevived(
                        record.event(), record.row().identifiers().getFirst(), fetch.url.domain())));
        return revived.isEmpty() ? DormantResult.EVENT_NOT_FOUND : DormantResult.REVIVED;
    }
}
