package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import dev.grapnel.purgatory.pool.Timeline;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// One visit, from its permit to what follows from it; both paths and the hourly looks use it.
final class Visits {
    private final World world;
    private final NaughtyList naughty;
    private final Throttle throttle;
    private final Health health;
    private final Misses misses;
    private final Answers answers;
    private final Fetches fetches;
    private final Verdicts verdicts;
    private final Timeline time;
    private final Consumer<HuntNote> notes;
    private volatile HuntConfig.Guesses guesses;

    Visits(
            World world,
            NaughtyList naughty,
            Throttle throttle,
            Health health,
            Misses misses,
            Answers answers,
            Fetches fetches,
            HuntConfig.Guesses guesses,
            Timeline time,
            Consumer<HuntNote> notes) {
        this.world = world;
        this.naughty = naughty;
        this.throttle = throttle;
        this.health = health;
        this.misses = misses;
        this.answers = answers;
        this.fetches = fetches;
        this.verdicts = new Verdicts(throttle, health, naughty, time, notes);
        this.guesses = guesses;
        this.time = time;
        this.notes = notes;
    }

    void change(HuntConfig.Guesses other) {
        guesses = other;
        misses.change(other);
    }

    /// Whether a URL may be asked now for the sake of an identifier (P-625, P-673).
    Availability availability(Identifier identifier, HuntUrl url) {
        if (naughty.find(url.site()).isPresent() || naughty.findUrl(url.text()).isPresent()) {
            return Availability.NAUGHTY;
        }
        if (health.isResting(url.text(), time.now())) {
            return Availability.RESTING;
        }
        if (fetches.isRunning(identifier, url)) {
            return Availability.TAKEN;
        }
        return throttle.obstacle(url.domain())
                .map(obstacle -> obstacle == Obstacle.PAUSED ? Availability.PAUSED : Availability.THROTTLED)
                .orElse(Availability.OPEN);
    }

    /// Why a URL is not asked for anybody's sake now, for people.
    Optional<String> findReasonToSpare(HuntUrl url) {
        return naughty.find(url.site())
                .map(blame -> blame.words() + "; left alone until " + blame.until())
                .or(() -> naughty.findUrl(url.text())
                        .map(until -> "it sent what is not taken; left alone until " + until))
                .or(() -> health.findReasonToRest(url.text(), time.now()))
                .or(() -> throttle.obstacle(url.domain())
                        .filter(obstacle -> obstacle == Obstacle.PAUSED)
                        .map(_ -> "it asked for time, or failed again and again"));
    }

    /// Whether a URL is not asked for anybody's sake now, whatever permits there are.
    boolean isLeftAlone(HuntUrl url) {
        return naughty.find(url.site()).isPresent()
                || naughty.findUrl(url.text()).isPresent()
                || health.isResting(url.text(), time.now());
    }

    /// Asks for what is needed. Returns when the conversation is over, its permit is given back and what it showed
    /// about the server is remembered.
    Outcome fetch(Fetch fetch, List<Need> needs, Role lane) {
        var role = lane == Role.PRIMARY && needs.stream().allMatch(Need::isServed) ? Role.INTEGRITY : lane;
        var outcome = run(
                fetch,
                visit -> new Conversation(visit, fetch.lease, fetch.url, needs, role, guesses, misses, time, notes)
                        .hold());
        notes.accept(new HuntNote.Visited(
                fetch.identifier,
                fetch.url,
                outcome.label(),
                outcome.advertised(),
                outcome.speculative(),
                outcome.obtained().size(),
                outcome.bytes(),
                outcome.took()));
        return outcome;
    }

    /// What is done while a visit is open.
    @FunctionalInterface
    interface Talk<E extends Errand> {
        Outcome hold(E errand) throws VisitFailed;
    }

    /// Visits a git server.
    Outcome run(Fetch fetch, Talk<Visit> talk) {
        return run(fetch, permits -> world.visit(fetch.identifier, fetch.url, permits), talk);
    }

    /// Opens a visit, closes it whatever happens, and gives its permit back exactly once.
    <E extends Errand> Outcome run(Fetch fetch, Function<Permits, E> opening, Talk<E> talk) {
        var outcome = Outcome.failed(new VisitFailed(new Failure.Cancelled(), fetch.url.domain()));
        try {
            outcome = believable(fetch, talk(fetch, opening, talk));
            verdicts.judge(fetch.identifier, fetch.url, outcome);
            if (!fetch.isLook && !outcome.isBusy()) {
                answers.answer(
                        fetch.identifier,
                        new Answer(
                                fetch.url.text(),
                                time.wall(),
                                outcome.label(),
                                fetch.gaveWay() ? "it was slow, and others waited" : outcome.reason(),
                                outcome.obtained().size()));
            }
            return outcome;
        } finally {
            if (outcome.isBusy()) {
                fetch.lease.refund();
            } else {
                fetch.lease.release();
            }
        }
    }

    private <E extends Errand> Outcome talk(Fetch fetch, Function<Permits, E> opening, Talk<E> talk) {
        try (var errand = opening.apply(new Charged(fetch.lease))) {
            return fetch.attach(errand)
                    ? talk.hold(errand)
                    : Outcome.failed(new VisitFailed(new Failure.Cancelled(), fetch.url.domain()));
        } catch (VisitFailed e) {
            return Outcome.failed(e);
        } catch (RuntimeException e) { // a fault of ours must not stop the hunt for others
            notes.accept(new HuntNote.Broke(fetch.identifier, e));
            return Outcome.failed(new VisitFailed(new Failure.Passing(), fetch.url.domain(), e));
        }
    }

    /// Without a refused connection there is nothing that would wake whoever waits for one.
    private static Outcome believable(Fetch fetch, Outcome outcome) {
        return outcome.isBusy() && !fetch.lease.isAddressBusy()
                ? Outcome.failed(new VisitFailed(new Failure.Passing(), fetch.url.domain()))
                : outcome;
    }

    /// Serves what has all it needs now; only then the fetch is over for those whose deadline passed meanwhile, and
    /// they are judged before the next URL (P-667).
    void follow(Fetch fetch, Outcome outcome) {
        try {
            if (!outcome.obtained().isEmpty() || outcome.isAreaFull()) {
                boolean _ = world.reconcile(fetch.identifier); // what is left is seen by the next look
            }
            if (outcome.isAreaFull() && !world.makeRoom(fetch.identifier)) {
                health.notThere(fetch.url, fetch.identifier, time.now()); // so the same is not sent again and again
            }
        } finally {
            fetches.end(fetch);
        }
        world.expire(fetch.identifier);
    }

    /// Frees what a visit holds that does not end by itself (P-606).
    void abandon(Fetch fetch) {
        fetch.cancel();
        fetch.lease.release();
        fetches.end(fetch);
    }

    /// Visits that have run longer than anything may.
    List<Fetch> olderThan(Duration age) {
        long latest = time.now() - age.toMillis();
        return fetches.all().stream().filter(fetch -> fetch.since <= latest).toList();
    }

    /// A lease that leads nowhere naughty.
    private final class Charged implements Permits {
        private final Lease lease;

        Charged(Lease lease) {
            this.lease = lease;
        }

        @Override
        public boolean connect(InetAddress address) {
            return lease.connect(address);
        }

        @Override
        public boolean redirect(Site target) {
            return naughty.find(target).isEmpty() && lease.redirect(target);
        }
    }
}
