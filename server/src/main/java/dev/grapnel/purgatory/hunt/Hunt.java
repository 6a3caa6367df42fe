package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches missing git data from where it was published (purgatory 6).
///
/// ```
/// notice ─► HuntQueue ─ tick ─► MainPath ─► Selection, Throttle ─► Visits ─► Conversation ─► World
///                                  └ throttled ─► queue of the domain ─ dispatch ─► DomainPath ─┘
/// records of what expired ─ tick ─► DormantLooks ─► Visits
/// ```
public final class Hunt implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hunt.class);

    /// How long the end waits for what runs (P-666).
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /// Slow fetches give way one after the other: the end of one may be enough.
    private static final long RELIEF_MILLIS = 1000;

    private final World world;
    private final UrlRules rules;
    private final NaughtyList naughty;
    private final Timeline time;
    private final Timer timer;
    private final Executor executor;
    private final Consumer<HuntNote> notes;
    private final HuntQueue queue;
    private final Throttle throttle;
    private final Health health = new Health();
    private final Answers answers = new Answers();
    private final Fetches fetches = new Fetches();
    private final Turns turns = new Turns();
    private final Visits visits;
    private final MainPath mainPath;
    private final DomainPath domainPath;
    private final DormantLooks dormantLooks;
    private volatile HuntConfig config;
    private volatile boolean isClosed;
    private long relievedAt = Long.MIN_VALUE / 2; // by the loop alone

    /// @param rules which published addresses may be asked
    /// @param executor runs what waits for others, each task on a thread of its own
    /// @param listener told what happens; must not wait
    public Hunt(
            HuntConfig config,
            World world,
            UrlRules rules,
            NaughtyList naughty,
            Timeline time,
            Timer timer,
            Executor executor,
            RandomGenerator chance,
            Consumer<HuntNote> listener) {
        this.config = config;
        this.world = world;
        this.rules = rules;
        this.naughty = naughty;
        this.time = time;
        this.timer = timer;
        this.executor = executor;
        this.notes = note -> tell(listener, note);
        this.queue = new HuntQueue(config, chance);
        this.throttle = new Throttle(config.limits(), time, timer, this::run, notes);
        var misses = new Misses(config.guesses());
        var preferred = new Preferred();
        this.visits =
                new Visits(world, naughty, throttle, health, misses, answers, fetches, config.guesses(), time, notes);
        this.mainPath = new MainPath(
                world,
                rules,
                queue,
                throttle,
                visits,
                fetches,
                answers,
                preferred,
                turns,
                config.hedgeAfter(),
                time,
                timer,
                executor,
                notes);
        this.domainPath = new DomainPath(world, rules, queue, throttle, visits, fetches, answers, turns, time, notes);
        this.dormantLooks = new DormantLooks(
                world,
                rules,
                throttle,
                visits,
                fetches,
                preferred,
                config.dormantEvery(),
                time,
                executor,
                chance,
                notes);
    }

    /// Begins to look for work.
    public void start() {
        throttle.change(config.limits(), !isActive());
        armTick();
    }

    /// Something new is to be hunted for: an event that was not held before or was revived, data that was lost, or the
    /// operator's wish (P-601). Never for duplicates: those are for [#refresh].
    public void notice(Identifier identifier, Occasion occasion) {
        noticeAfter(identifier, delay(occasion));
    }

    /// The same for something that came a moment ago: delays begin when it came.
    ///
    /// @param since that moment of the timeline
    public void notice(Identifier identifier, Occasion occasion, long since) {
        var rest = delay(occasion).minusMillis(time.now() - since);
        noticeAfter(identifier, rest.isNegative() ? Duration.ZERO : rest);
    }

    /// The same for what waited already when this process began: a push is waited for no longer than it was to be.
    ///
    /// @param waited for how long
    public void resume(Identifier identifier, Occasion occasion, Duration waited) {
        var soonest = config.delays().synced();
        var rest = delay(occasion).minus(waited);
        noticeAfter(identifier, rest.compareTo(soonest) < 0 ? soonest : rest);
    }

    /// The operator wants it hunted for now: whoever was left alone is asked again, too. What may be asked of a server
    /// in a minute counts as always, and so does a pause that it asked for.
    public void insist(Identifier identifier) {
        for (var candidate : Selection.candidates(world.look(identifier), rules).all()) {
            naughty.remove(candidate.url().site());
            naughty.removeUrl(candidate.url().text());
            health.forgive(candidate.url().text());
        }
        notice(identifier, Occasion.OPERATOR);
    }

    private void noticeAfter(Identifier identifier, Duration delay) {
        long generation = queue.notice(identifier, delay, time.now());
        health.startAfresh(identifier);
        throttle.startAfresh(identifier);
        notes.accept(new HuntNote.Queued(identifier, delay, generation));
    }

    private Duration delay(Occasion occasion) {
        return switch (occasion) {
            case DIRECT -> config.delays().direct();
            case SYNCED, PROMOTED, REPAIR -> config.delays().synced();
            case OPERATOR -> Duration.ZERO;
        };
    }

    /// Whether a copy of something that is held would matter now: only then its signature is worth checking.
    public boolean isRefreshable(Identifier identifier) {
        return queue.isRefreshable(identifier, time.now());
    }

    /// Another relay delivered a copy, with a good signature, of something that is held (P-220).
    public void refresh(Identifier identifier) {
        notes.accept(new HuntNote.Refreshed(identifier, queue.refresh(identifier, time.now())));
    }

    /// Something may not be pending any more, for example after a push: then nobody waits for it anywhere (P-651).
    public void recheck(Identifier identifier) {
        var generation = queue.generation(identifier);
        if (world.look(identifier).isEmpty()) {
            throttle.leave(identifier);
            generation.ifPresent(seen -> {
                if (queue.forget(identifier, seen)) {
                    answers.forget(identifier);
                    turns.forget(identifier);
                }
            });
        }
    }

    /// Whether a fetch for the identifier goes on that began before a moment of the timeline: until it ends, nothing
    /// of it expires whose deadline that is (P-667).
    public boolean isFetching(Identifier identifier, long deadline) {
        return fetches.isFetching(identifier, deadline);
    }

    public HuntConfig config() {
        return config;
    }

    /// Other limits from now on (P-900).
    public void change(HuntConfig other) {
        config = other;
        queue.change(other);
        visits.change(other.guesses());
        mainPath.change(other.hedgeAfter());
        dormantLooks.change(other.dormantEvery());
        throttle.change(other.limits(), !isActive());
    }

    /// How the hunt for an identifier stands; empty if there is none.
    public Optional<HuntPicture> picture(Identifier identifier) {
        return queue.picture(identifier).map(entry -> {
            var report = answers.of(identifier);
            return new HuntPicture(
                    identifier,
                    entry.isRunning(),
                    entry.attempts(),
                    entry.isRunning() ? Optional.empty() : Optional.of(time.wallAt(entry.nextAttempt())),
                    report.missing(),
                    report.first(),
                    report.answers(),
                    throttle.waitingAt(identifier));
        });
    }

    /// How many URLs are looked at each hour for data that comes late (P-613).
    public int looks() {
        return dormantLooks.size();
    }

    /// How hunts stand, those that run first, then those that come next.
    public List<HuntPicture> pictures(int most) {
        return queue.first(most).stream()
                .flatMap(identifier -> picture(identifier).stream())
                .toList();
    }

    /// Numbers for metrics.
    public HuntCounts counts() {
        return new HuntCounts(
                queue.size(), queue.runningCount(), answers.missing(), throttle.picture(), naughty.counts());
    }

    /// Begins nothing more and ends what runs, without waiting for it.
    public void stop() {
        isClosed = true;
        mainPath.stop();
        throttle.change(config.limits(), true);
        fetches.all().forEach(Fetch::cancel);
    }

    /// Ends all, and waits a few seconds for what runs.
    @Override
    public void close() {
        stop();
        try {
            if (!fetches.awaitNone(FAREWELL)) {
                LOG.warn(
                        "fetches still running at the end count={}",
                        fetches.all().size());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }

    private boolean isActive() {
        return config.isEnabled() && !isClosed;
    }

    private void armTick() {
        if (!isClosed) {
            var _ = timer.after(config.loopEvery(), this::tick);
        }
    }

    /// Begins what is due; nothing here waits.
    private void tick() {
        try {
            throttle.sweep();
            if (isActive()) {
                guard();
                relieve();
                queue.startDue(time.now()).forEach(start -> executor.execute(() -> mainPath.run(start)));
                dormantLooks.tick();
            }
        } catch (RuntimeException e) { // the next tick must come
            LOG.error("hunting loop failed", e);
        } finally {
            armTick();
        }
    }

    /// Frees what does not end by itself (P-606).
    private void guard() {
        var limit = config.attemptLimit();
        queue.startedBefore(time.now() - limit.toMillis()).forEach(start -> mainPath.abandon(start, limit));
        visits.olderThan(limit).forEach(visits::abandon);
        domainPath.abandonOlderThan(limit);
    }

    /// Ends a slow fetch if somebody waits for its place (P-654).
    private void relieve() {
        long now = time.now();
        if (now - relievedAt < RELIEF_MILLIS || !throttle.isCrowded()) {
            return;
        }
        var paces = fetches.all().stream()
                .filter(fetch -> !fetch.gaveWay())
                .map(fetch -> fetch.pace(now))
                .toList();
        Patience.findSlow(paces).ifPresent(slow -> {
            relievedAt = now;
            executor.execute(slow::giveWay);
        });
    }

    private void run(Turn turn) {
        executor.execute(() -> domainPath.run(turn));
    }

    private static void tell(Consumer<HuntNote> listener, HuntNote note) {
        try {
            listener.accept(note);
        } catch (RuntimeException e) { // what happened has happened, whatever listeners make of it
            LOG.error("not told note={}", note.getClass().getSimpleName(), e);
        }
    }
}
