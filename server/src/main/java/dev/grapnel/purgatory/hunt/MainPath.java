package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.HuntNote.AttemptResult;
import dev.grapnel.purgatory.hunt.HuntNote.HedgeOutcome;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import dev.grapnel.purgatory.hunt.HuntQueue.Left;
import dev.grapnel.purgatory.hunt.HuntQueue.Next;
import dev.grapnel.purgatory.hunt.HuntQueue.Start;
import dev.grapnel.purgatory.hunt.Selection.Candidate;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Attempts (purgatory 6.4): URL after URL without ever waiting for one, and beside a slow fetch a second lane. What is
/// throttled is left to the queues of its domains.
final class MainPath {
    private final World world;
    private final UrlRules rules;
    private final HuntQueue queue;
    private final Throttle throttle;
    private final Visits visits;
    private final Fetches fetches;
    private final Answers answers;
    private final Preferred preferred;
    private final Turns turns;
    private final Timeline time;
    private final Timer timer;
    private final Executor executor;
    private final Consumer<HuntNote> notes;
    private final Map<Start, Attempt> attempts = new ConcurrentHashMap<>();
    private volatile Duration hedgeAfter;
    private volatile boolean isStopped;

    /// A URL that is asked next, with all it takes.
    private record Picked(Candidate candidate, Fetch fetch) {}

    MainPath(
            World world,
            UrlRules rules,
            HuntQueue queue,
            Throttle throttle,
            Visits visits,
            Fetches fetches,
            Answers answers,
            Preferred preferred,
            Turns turns,
            Duration hedgeAfter,
            Timeline time,
            Timer timer,
            Executor executor,
            Consumer<HuntNote> notes) {
        this.world = world;
        this.rules = rules;
        this.queue = queue;
        this.throttle = throttle;
        this.visits = visits;
        this.fetches = fetches;
        this.answers = answers;
        this.preferred = preferred;
        this.turns = turns;
        this.hedgeAfter = hedgeAfter;
        this.time = time;
        this.timer = timer;
        this.executor = executor;
        this.notes = notes;
    }

    void change(Duration otherHedgeAfter) {
        hedgeAfter = otherHedgeAfter;
    }

    /// Begins nothing more.
    void stop() {
        isStopped = true;
    }

    /// One whole attempt; runs in a task of its own.
    void run(Start start) {
        var attempt = new Attempt(start);
        attempts.put(start, attempt);
        lane(attempt, () -> {
            notes.accept(new HuntNote.Started(start.identifier(), start.generation()));
            var pending = world.look(start.identifier());
            queue.note(start, left(pending));
            if (pending.isReady()) {
                boolean _ = world.reconcile(start.identifier()); // what is left is seen by the next look
            }
            serveAll(attempt, Role.PRIMARY, false);
        });
    }

    /// Frees an attempt that does not end by itself (P-606).
    void abandon(Start start, Duration after) {
        var attempt = attempts.remove(start);
        if (attempt != null) {
            attempt.stop();
            attempt.breaks();
            attempt.running().forEach(visits::abandon);
        }
        notes.accept(new HuntNote.Stuck(start.identifier(), after));
        tell(start, AttemptResult.ERROR, 0, 0, queue.end(start, Left.EVENTS, time.now()));
    }

    /// Whatever happens inside, the lane is closed and the last one ends the attempt.
    private void lane(Attempt attempt, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) { // this attempt is over; the identifier comes again
            attempt.breaks();
            notes.accept(new HuntNote.Broke(attempt.start.identifier(), e));
        } finally {
            if (attempt.closeLane()) {
                finish(attempt);
            }
        }
    }

    /// @param isBeside whether only those count for whom nobody is asked
    private void serveAll(Attempt attempt, Role role, boolean isBeside) {
        boolean isHedge = role == Role.HEDGE;
        for (var picked = pick(attempt, isBeside); picked.isPresent(); picked = pick(attempt, isBeside)) {
            var fetch = picked.get().fetch();
            if (isHedge) {
                notes.accept(new HuntNote.Hedged(fetch.identifier, fetch.url.domain()));
            }
            var outcome = serve(attempt, picked.get(), role);
            if (isHedge) {
                notes.accept(new HuntNote.HedgeEnded(hedgeOutcome(outcome)));
                isHedge = false;
            }
        }
    }

    private static HedgeOutcome hedgeOutcome(Outcome outcome) {
        if (!outcome.obtained().isEmpty()) {
            return HedgeOutcome.DELIVERED;
        }
        return outcome.isCancelled() ? HedgeOutcome.CANCELLED : HedgeOutcome.FAILED;
    }

    private Outcome serve(Attempt attempt, Picked picked, Role role) {
        var fetch = picked.fetch();
        armHedge(attempt, fetch);
        var outcome = Outcome.failed(new VisitFailed(new Failure.Passing(), fetch.url.domain()));
        try {
            outcome = visits.fetch(fetch, picked.candidate().needs(), role);
            return outcome;
        } finally {
            fetch.hedgeOff.run();
            attempt.end(fetch, outcome);
            visits.follow(fetch, outcome);
        }
    }

    /// The next URL, with its permit. Selection and permits go together, so that two lanes never choose alike.
    private Optional<Picked> pick(Attempt attempt, boolean isBeside) {
        if (isStopped || attempt.isOver()) {
            return Optional.empty();
        }
        var identifier = attempt.start.identifier();
        var pending = world.look(identifier);
        answers.look(identifier, pending);
        if (pending.needs().isEmpty()) {
            attempt.cancelRunning();
            return Optional.empty();
        }
        var candidates = candidates(attempt, pending);
        return attempt.locked(() -> pick(attempt, candidates, isBeside));
    }

    private Optional<Picked> pick(Attempt attempt, List<Candidate> all, boolean isBeside) {
        var identifier = attempt.start.identifier();
        var refused = new HashSet<Host>();
        var tried = attempt.tried();
        var candidates = all.stream()
                .filter(candidate -> isBeside ? isUnserved(identifier, candidate) : !attempt.isDoubled(candidate))
                .toList();
        Function<HuntUrl, Availability> availability =
                url -> (!isBeside && attempt.isAsking(url.domain())) || refused.contains(url.domain())
                        ? Availability.THROTTLED
                        : availability(attempt, url);
        for (var next = Selection.next(candidates, tried, availability);
                next.isPresent() && !attempt.isOver() && !attempt.isUsedUp();
                next = Selection.next(candidates, tried, availability)) {
            var candidate = next.get();
            var lease = throttle.tryAcquire(candidate.domain());
            var fetch = lease.flatMap(
                    permit -> fetches.begin(identifier, candidate.url(), time.now(), permit, candidate.authors()));
            if (fetch.isPresent()) {
                attempt.begin(fetch.get());
                turns.asked(identifier, candidate);
                return Optional.of(new Picked(candidate, fetch.get()));
            }
            lease.ifPresent(Lease::refund); // the other path was faster
            refused.add(candidate.domain());
        }
        return Optional.empty();
    }

    /// Whether somebody waits for a candidate for whom nobody is asked now, on either path.
    private boolean isUnserved(Identifier identifier, Candidate candidate) {
        var served = fetches.all(identifier).stream()
                .flatMap(fetch -> fetch.authors.stream())
                .collect(Collectors.toSet());
        return !served.containsAll(candidate.authors());
    }

    private Availability availability(Attempt attempt, HuntUrl url) {
        return attempt.isBusy(url.domain())
                ? Availability.THROTTLED
                : visits.availability(attempt.start.identifier(), url);
    }

    private List<Candidate> candidates(Attempt attempt, Pending pending) {
        var identifier = attempt.start.identifier();
        var candidates = Selection.candidates(pending, rules);
        candidates.refused().forEach((url, unfit) -> {
            if (attempt.isFirstRefusal(url)) {
                if (!unfit.isOurs()) { // every announcement names us, which is nothing to be told
                    notes.accept(new HuntNote.UrlRefused(Optional.empty(), unfit.rule()));
                    answers.answer(
                            identifier,
                            new Answer(RemoteUrl.clean(url), time.wall(), Answer.REFUSED, unfit.reason(), 0));
                }
            }
        });
        return turns.order(identifier, candidates.all(), preferred.find(identifier));
    }

    /// Looks again and again while the fetch goes on: a second source may have a permit only later.
    private void armHedge(Attempt attempt, Fetch fetch) {
        var wait = hedgeAfter.isPositive() ? hedgeAfter : HuntConfig.DEFAULTS.hedgeAfter();
        fetch.hedgeOff = timer.after(wait, () -> hedge(attempt, fetch));
    }

    private void hedge(Attempt attempt, Fetch slow) {
        if (isStopped || attempt.isOver() || !attempt.isRunning(slow)) {
            return;
        }
        queue.generation(slow.identifier).ifPresent(attempt::renew);
        int fetching = fetches.count(slow.identifier);
        if (fetching == 1 && hedgeAfter.isPositive() && attempt.tryHedge(slow)) {
            executor.execute(() -> lane(attempt, () -> {
                serveAll(attempt, Role.HEDGE, false);
                queueOthers(attempt);
            }));
        } else if (attempt.tryBeside(fetching)) {
            executor.execute(() -> lane(attempt, () -> {
                serveAll(attempt, Role.PRIMARY, true);
                queueOthers(attempt);
            }));
        } else if (fetching >= Attempt.LANES_MAX) {
            executor.execute(() -> relieve(attempt));
        }
        armHedge(attempt, slow);
    }

    /// Leaves those for whom nobody is asked to queues: they have nothing to do with what is slow.
    private void queueOthers(Attempt attempt) {
        var identifier = attempt.start.identifier();
        var waitingAt = throttle.waitingAt(identifier);
        enqueueBusy(
                attempt,
                world.look(identifier),
                candidate -> !waitingAt.contains(candidate.domain()) && isUnserved(identifier, candidate));
    }

    /// Ends a slow fetch if all lanes are taken and somebody waits for whom nobody is asked.
    private void relieve(Attempt attempt) {
        var identifier = attempt.start.identifier();
        try {
            var running = fetches.all(identifier);
            if (isStopped
                    || running.size() < Attempt.LANES_MAX
                    || running.stream().anyMatch(Fetch::gaveWay)) {
                return;
            }
            long now = time.now();
            var slow = Patience.findSlow(
                    running.stream().map(fetch -> fetch.pace(now)).toList());
            if (slow.isPresent() && isLaneMissing(attempt)) {
                slow.get().giveWay();
            }
        } catch (RuntimeException e) { // looked at again later
            notes.accept(new HuntNote.Broke(identifier, e));
        }
    }

    private boolean isLaneMissing(Attempt attempt) {
        var identifier = attempt.start.identifier();
        var others = candidates(attempt, world.look(identifier)).stream()
                .filter(candidate -> isUnserved(identifier, candidate))
                .toList();
        return attempt.locked(() -> Selection.next(others, attempt.tried(), url -> availability(attempt, url))
                .isPresent());
    }

    private void finish(Attempt attempt) {
        attempts.remove(attempt.start);
        var identifier = attempt.start.identifier();
        var pending = Optional.<Pending>empty();
        try {
            pending = Optional.of(world.look(identifier));
            answers.look(identifier, pending.get());
            explain(attempt, pending.get());
            enqueueBusy(attempt, pending.get(), _ -> true);
        } catch (RuntimeException e) { // unknown is not nothing: it comes again
            attempt.breaks();
            notes.accept(new HuntNote.Broke(identifier, e));
        }
        var left = pending.map(MainPath::left).orElse(Left.EVENTS);
        var next = queue.end(attempt.start, left, time.now());
        if (next instanceof Next.Done) {
            throttle.leave(identifier);
            answers.forget(identifier);
            turns.forget(identifier);
        }
        int urls = attempt.asked();
        tell(attempt.start, result(attempt, left, urls), attempt.obtained(), urls, next);
    }

    /// Tells people why somebody was not asked.
    private void explain(Attempt attempt, Pending pending) {
        var identifier = attempt.start.identifier();
        var tried = attempt.tried();
        candidates(attempt, pending).stream()
                .map(Candidate::url)
                .filter(url -> !tried.contains(url.text()))
                .limit(Selection.PER_ATTEMPT)
                .forEach(url -> visits.findReasonToSpare(url)
                        .ifPresent(why -> answers.spare(identifier, url.text(), time.wall(), why)));
    }

    /// Leaves what is throttled to the queues of its domains (P-631).
    private void enqueueBusy(Attempt attempt, Pending pending, Predicate<Candidate> counts) {
        if (!pending.isHuntable() || isStopped || attempt.isOver() || attempt.isBroken()) {
            return;
        }
        var identifier = attempt.start.identifier();
        boolean isFresh = queue.isOutrun(attempt.start); // what came since may be where something was tried before
        Set<String> tried = isFresh ? Set.of() : attempt.tried();
        var candidates = candidates(attempt, pending);
        var wanted = candidates.stream().filter(counts).toList();
        boolean isUsedUp = attempt.isUsedUp(); // then whoever could be asked at once is left to the next attempt
        Function<HuntUrl, Availability> availability = url -> {
            var now = availability(attempt, url);
            return isUsedUp && now == Availability.OPEN ? Availability.TAKEN : now;
        };
        var waited = attempt.locked(() -> Selection.busy(wanted, attempt.tried(), availability));
        waited.forEach(candidate -> turns.queued(identifier, candidate));
        waited.stream()
                .map(Candidate::domain)
                .distinct()
                .forEach(domain -> throttle.enqueue(domain, identifier, ofDomain(domain, candidates, tried)));
    }

    private static Set<String> ofDomain(Host domain, List<Candidate> candidates, Set<String> tried) {
        return candidates.stream()
                .filter(candidate -> candidate.domain().equals(domain))
                .map(candidate -> candidate.url().text())
                .filter(tried::contains)
                .collect(Collectors.toSet());
    }

    private static AttemptResult result(Attempt attempt, Left left, int urls) {
        if (attempt.isBroken()) {
            return AttemptResult.ERROR;
        }
        if (left == Left.NOTHING) {
            return AttemptResult.FINISHED;
        }
        return urls == 0 ? AttemptResult.NOTHING_TO_TRY : AttemptResult.INCOMPLETE;
    }

    private void tell(Start start, AttemptResult result, int oids, int urls, Next next) {
        Identifier identifier = start.identifier();
        switch (next) {
            case Next.Gone _ -> {} // told when it was given up
            case Next.Done _ -> finished(start, oids, urls);
            case Next.Again(var attempts, var delay) -> {
                if (result == AttemptResult.FINISHED) {
                    finished(start, oids, urls);
                } else {
                    notes.accept(new HuntNote.Incomplete(
                            identifier, result, attempts, answers.of(identifier).missing(), delay));
                }
            }
        }
    }

    private void finished(Start start, int oids, int urls) {
        var took = Duration.ofMillis(time.now() - start.at());
        notes.accept(new HuntNote.Finished(start.identifier(), oids, urls, took));
    }

    static Left left(Pending pending) {
        if (pending.isEmpty()) {
            return Left.NOTHING;
        }
        return pending.isRepair() ? Left.REPAIR : Left.EVENTS;
    }
}
