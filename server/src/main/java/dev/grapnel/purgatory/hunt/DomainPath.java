package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import dev.grapnel.purgatory.hunt.Selection.Candidate;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Turns of identifiers that waited for a domain (P-646): one URL of it each.
final class DomainPath {
    private final World world;
    private final UrlRules rules;
    private final HuntQueue queue;
    private final Throttle throttle;
    private final Visits visits;
    private final Fetches fetches;
    private final Answers answers;
    private final Turns turns;
    private final Timeline time;
    private final Consumer<HuntNote> notes;
    private final Map<Turn, Long> running = new ConcurrentHashMap<>();

    DomainPath(
            World world,
            UrlRules rules,
            HuntQueue queue,
            Throttle throttle,
            Visits visits,
            Fetches fetches,
            Answers answers,
            Turns turns,
            Timeline time,
            Consumer<HuntNote> notes) {
        this.world = world;
        this.rules = rules;
        this.queue = queue;
        this.throttle = throttle;
        this.visits = visits;
        this.fetches = fetches;
        this.answers = answers;
        this.turns = turns;
        this.time = time;
        this.notes = notes;
    }

    /// One turn; runs in a task of its own.
    void run(Turn turn) {
        running.put(turn, time.now());
        try {
            var pending = look(turn.identifier());
            var candidates = candidates(turn, pending);
            var fetch = begin(turn, candidates);
            if (fetch.isPresent()) {
                serve(turn, fetch.get(), candidates);
            } else if (isPaused(turn, candidates)) {
                turn.lease().refund();
                throttle.endTurn(turn, Set.of()); // it waits for the end of the pause
            }
        } catch (RuntimeException e) { // the main path comes again
            notes.accept(new HuntNote.Broke(turn.identifier(), e));
        } finally {
            throttle.drop(turn); // unless it has ended in another way
            running.remove(turn);
        }
    }

    /// Frees turns that do not end by themselves (P-606).
    void abandonOlderThan(Duration age) {
        long latest = time.now() - age.toMillis();
        running.forEach((turn, since) -> {
            if (since <= latest) {
                running.remove(turn);
                turn.lease().release();
                throttle.drop(turn);
                notes.accept(new HuntNote.Stuck(turn.identifier(), age));
            }
        });
    }

    private Pending look(Identifier identifier) {
        var generation = queue.generation(identifier);
        var pending = world.look(identifier);
        answers.look(identifier, pending);
        if (pending.isEmpty()) {
            throttle.leave(identifier);
            generation.ifPresent(seen -> {
                if (queue.forget(identifier, seen)) {
                    answers.forget(identifier);
                    turns.forget(identifier);
                }
            });
        }
        return pending;
    }

    /// What may be asked there, unless it was as many as may be (P-623).
    private List<Candidate> candidates(Turn turn, Pending pending) {
        var all = turns.order(
                turn.identifier(), Selection.candidates(pending, rules).all(), Optional.empty());
        return turn.tried().size() >= Selection.PER_ATTEMPT
                ? List.of()
                : all.stream()
                        .filter(candidate -> candidate.domain().equals(turn.lease().domain.host))
                        .toList();
    }

    private Optional<Fetch> begin(Turn turn, List<Candidate> candidates) {
        return next(turn, candidates).flatMap(candidate -> {
            var fetch =
                    fetches.begin(turn.identifier(), candidate.url(), time.now(), turn.lease(), candidate.authors());
            fetch.ifPresent(_ -> turns.asked(turn.identifier(), candidate));
            return fetch;
        });
    }

    private Optional<Candidate> next(Turn turn, List<Candidate> candidates) {
        return Selection.nextOf(
                turn.lease().domain.host, candidates, turn.tried(), url -> visits.availability(turn.identifier(), url));
    }

    /// Whether only a pause, which came after the permit, stands in the way: whatever else would let a turn begin has
    /// let it begin.
    private boolean isPaused(Turn turn, List<Candidate> candidates) {
        return !Selection.busy(candidates, turn.tried(), url -> visits.availability(turn.identifier(), url))
                .isEmpty();
    }

    private void serve(Turn turn, Fetch fetch, List<Candidate> candidates) {
        var needs = candidates.stream()
                .filter(candidate -> candidate.url().equals(fetch.url))
                .flatMap(candidate -> candidate.needs().stream())
                .toList();
        var outcome = Outcome.failed(new VisitFailed(new Failure.Passing(), fetch.url.domain()));
        try {
            outcome = visits.fetch(fetch, needs, Role.PRIMARY); // gives the permit back: others may start
        } finally {
            try {
                visits.follow(fetch, outcome);
                var _ = look(turn.identifier());
            } finally {
                throttle.endTurn(turn, outcome.isBusy() ? Set.of() : Set.of(fetch.url.text()));
            }
        }
    }
}
