package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.rule.ProtectedEvents;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The one gate every event passes (relay 1.5, 4.9; service 4.1). Form and hash are right already, because
/// the event is an [Event].
///
/// What costs little comes first. That an event is known is found out before its signature is checked, so
/// that floods of known events are cheap; its hash was checked before, so a forged one cannot pass for
/// known.
public final class Admission {
    private static final int EPHEMERAL_IDS_MAX = 10_000;
    private static final Duration EPHEMERAL_TIME = Duration.ofMinutes(5);

    /// How often repositories are made ready for an event before it is given up: each time somebody else
    /// was faster.
    private static final int ATTEMPTS_MAX = 3;

    private final EventStore store;
    private final EventRules rules;
    private final AcceptancePolicy policy;
    private final Execution execution;
    private final Grounds grounds;
    private final Settlement settlement;
    private final EphemeralFeed ephemeral;
    private final InstantSource clock;
    private final SeenIds passedOn;

    public Admission(
            EventStore store,
            EventRules rules,
            AcceptancePolicy policy,
            Happenings happenings,
            Grounds grounds,
            Settlement settlement,
            EphemeralFeed ephemeral,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.rules = rules;
        this.policy = policy;
        this.execution = new Execution(policy, happenings);
        this.grounds = grounds;
        this.settlement = settlement;
        this.ephemeral = ephemeral;
        this.clock = clock;
        this.passedOn = new SeenIds(EPHEMERAL_IDS_MAX, EPHEMERAL_TIME, nanoTime);
    }

    /// Decides about an event. The answer is given once, when it is durable, and before anybody hears of a
    /// stored event; there is a problem instead only if something of ours failed. Events of one lane are
    /// judged in the order of these calls, which one thread makes at a time; it may have to wait for a
    /// repository to be made.
    public void admit(
            Lane lane, Event event, Origin origin, BiConsumer<@Nullable Admitted, @Nullable Throwable> answer) {
        var outcome = new CompletableFuture<Admitted>();
        var _ = outcome.thenCompose(admitted -> settle(event, origin, admitted))
                .exceptionally(Admission::explain)
                .whenComplete(answer);
        try {
            var early = judgeEarly(event, origin);
            if (early.isPresent()) {
                outcome.complete(early.get());
            } else if (event.kindClass() == KindClass.EPHEMERAL) {
                pass(event, origin, outcome);
            } else {
                judge(lane, new Arrival(event, origin), outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome.completeExceptionally(e);
        } catch (RuntimeException | Error problem) { // whoever waits for the answer is told, whatever it is
            outcome.completeExceptionally(problem);
        }
    }

    /// What waits may have its git data here already: then its sender is told that it is served. Sync is not: a run may
    /// take long, and whoever waits for one keeps a place in the gate from others (P-531).
    private CompletableFuture<Admitted> settle(Event event, Origin origin, Admitted admitted) {
        if (!(admitted instanceof Admitted.Stored(SaveOutcome.Waiting _))) {
            return CompletableFuture.completedFuture(admitted);
        }
        return switch (origin) {
            case Origin.Direct _ ->
                settlement.settle(event).thenApply(isServed -> isServed ? new Admitted.Released() : admitted);
            case Origin.Synced _, Origin.Revived _ -> {
                settlement.settleLater(event);
                yield CompletableFuture.completedFuture(admitted);
            }
        };
    }

    /// Everything that can be told without the policy.
    private Optional<Admitted> judgeEarly(Event event, Origin origin) {
        return findKnown(event, origin)
                .or(() -> isFirstProven(origin) ? judgeSignature(event) : Optional.empty())
                .or(() -> judgeRules(event))
                .or(() -> isFirstProven(origin) ? Optional.empty() : judgeSignature(event))
                .or(() -> judgeProtection(event, origin).map(refusal -> new Admitted.Refused(refusal, Cause.FINAL)));
    }

    /// What other relays had is remembered by its id when it is refused, so nothing is said of one that nobody signed
    /// (sync R7.6). A client only reads the answer.
    private static boolean isFirstProven(Origin origin) {
        return switch (origin) {
            case Origin.Direct _ -> false;
            case Origin.Synced _, Origin.Revived _ -> true;
        };
    }

    private static Admitted failed(Refusal refusal) {
        return new Admitted.Refused(refusal, Cause.TRANSIENT);
    }

    /// Most of what is refused is refused here, on the sender's own thread: only what shall change
    /// something is given to the writer, which judges again.
    private void judge(Lane lane, Arrival arrival, CompletableFuture<Admitted> outcome) throws InterruptedException {
        if (arrival.event().kind() == Kinds.ANNOUNCEMENT) {
            lane.awaitQuiet();
        }
        if (!lane.isQuiet() || arrival.event().kind() == Kinds.VANISH) {
            write(lane, arrival, outcome);
            return;
        }
        switch (store.read(view -> foresee(arrival, view))) {
            case Verdict.Refuse(var refusal, var cause, var effects)
            when effects.isEmpty() -> outcome.complete(new Admitted.Refused(refusal, cause));
            case Verdict.Keep(var effects)
            when effects.isEmpty() -> outcome.complete(new Admitted.Stored(new SaveOutcome.Known(true)));
            case Verdict.RefuseWaiting(var refusal, var cause) -> {
                if (!arrival.hasData() && settlement.hasData(arrival.event())) {
                    judge(lane, arrival.withData(), outcome);
                } else {
                    outcome.complete(new Admitted.Refused(refusal, cause));
                }
            }
            case Verdict.Prepare(var repositories) -> prepare(arrival, repositories, outcome);
            case Verdict.Serve _, Verdict.Hold _, Verdict.Refuse _, Verdict.Keep _ -> write(lane, arrival, outcome);
        }
    }

    /// What the policy would say now. What its author took back is the store's to refuse.
    private Verdict foresee(Arrival arrival, StoreView view) {
        return view.findObstacle(arrival.event()).isPresent() ? Verdict.serve() : policy.judge(arrival, view);
    }

    /// The sender waits: whatever it sends next may rest on this.
    private void prepare(
            Arrival arrival, Map<RepositoryAddress, Ground> repositories, CompletableFuture<Admitted> outcome) {
        var wanted = repositories;
        Admitted admitted = new Admitted.Unprepared(wanted);
        for (int attempt = 0; attempt < ATTEMPTS_MAX && admitted instanceof Admitted.Unprepared; attempt++) {
            admitted = grounds.over(wanted, ready -> decide(arrival.with(ready)), Admission::failed);
            if (admitted instanceof Admitted.Unprepared(var others)) {
                var all = new TreeMap<>(wanted);
                all.putAll(others);
                wanted = all;
            }
        }
        outcome.complete(admitted);
    }

    private Admitted decide(Arrival arrival) {
        var outcome = new CompletableFuture<Admitted>();
        save(arrival, outcome);
        return join(outcome);
    }

    private static Admitted join(CompletableFuture<Admitted> outcome) {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            return explain(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private void write(Lane lane, Arrival arrival, CompletableFuture<Admitted> outcome) {
        var written = new CompletableFuture<Admitted>();
        lane.begin();
        var _ = written.whenComplete((admitted, problem) -> {
            lane.end();
            if (problem != null) {
                outcome.completeExceptionally(problem);
            } else if (admitted instanceof Admitted.Unprepared(var repositories)) {
                // on a thread of its own: this one is the writer's, which must not wait for itself
                Thread.ofVirtual().name("prepare").start(() -> prepareLate(arrival, repositories, outcome));
            } else {
                outcome.complete(admitted);
            }
        });
        save(arrival, written);
    }

    private void prepareLate(
            Arrival arrival, Map<RepositoryAddress, Ground> repositories, CompletableFuture<Admitted> outcome) {
        try {
            prepare(arrival, repositories, outcome);
        } catch (RuntimeException | Error problem) {
            outcome.completeExceptionally(problem);
        }
    }

    private Optional<Admitted> findKnown(Event event, Origin origin) {
        if (event.kindClass() == KindClass.EPHEMERAL) {
            return passedOn.contains(event.id()) ? Optional.of(new Admitted.Repeated()) : Optional.empty();
        }
        var arrival = new Arrival(event, origin);
        var known = store.read(view -> findKnown(arrival, view));
        boolean isCopy = arrival.isSynced() && known.equals(Optional.of(new SaveOutcome.Known(true)));
        if (isCopy && settlement.awaitsCopy(event) && event.isSigned()) {
            settlement.noteCopy(event);
        }
        return known.map(Admitted.Stored::new);
    }

    /// One that waits is known as well, unless this copy changes something about it: then its signature
    /// counts. Nothing changes about one whose own time is over and that nobody has swept yet.
    private Optional<SaveOutcome> findKnown(Arrival arrival, StoreView view) {
        if (view.isServed(arrival.event().id())) {
            return Optional.of(new SaveOutcome.Known(false));
        }
        if (!view.isHeld(arrival.event().id())) {
            return Optional.empty();
        }
        return switch (policy.judge(arrival, view)) {
            case Verdict.Keep(var effects) when !effects.isEmpty() && isTimely(arrival.event()) -> Optional.empty();
            case Verdict.Prepare _ when isTimely(arrival.event()) -> Optional.empty();
            case Verdict.Keep _,
                    Verdict.Prepare _,
                    Verdict.Serve _,
                    Verdict.Hold _,
                    Verdict.Refuse _,
                    Verdict.RefuseWaiting _ -> Optional.of(new SaveOutcome.Known(true));
        };
    }

    private boolean isTimely(Event event) {
        return rules.judge(event, clock.instant()).isEmpty();
    }

    private Optional<Admitted> judgeRules(Event event) {
        var now = clock.instant();
        var cause = rules.isAhead(event, now) ? Cause.AHEAD : Cause.FINAL;
        return rules.judge(event, now).map(refusal -> refuse(event, new Admitted.Refused(refusal, cause)));
    }

    /// That its author took an event back is said before that its date is wrong (service 4.1), and counts
    /// as a use of the request that says so.
    private Admitted refuse(Event event, Admitted.Refused refused) {
        var obstacle = store.read(view -> view.findObstacle(event));
        if (obstacle.isEmpty() || event.kindClass() == KindClass.EPHEMERAL || !event.isSigned()) {
            return obstacle.<Admitted>map(refusal -> new Admitted.Refused(refusal, Cause.FINAL))
                    .orElse(refused);
        }
        var outcome = new CompletableFuture<Admitted>();
        store.write(
                Urgency.REFUSABLE,
                event.json().length(),
                transaction -> transaction.findObstacle(event).isPresent()
                        ? new Admitted.Stored(transaction.save(event))
                        : refused,
                outcome);
        return join(outcome);
    }

    private static Optional<Admitted> judgeSignature(Event event) {
        return event.isSigned()
                ? Optional.empty()
                : Optional.of(new Admitted.Refused(EventDefect.WRONG_SIGNATURE.refusal(), Cause.FORGED));
    }

    /// Relay 4.8.
    private static Optional<Refusal> judgeProtection(Event event, Origin origin) {
        if (ProtectedEvents.isRepostOfProtected(event)) {
            return refused(Prefix.BLOCKED, "this reposts an event that is marked as protected");
        }
        if (!ProtectedEvents.isProtected(event)) {
            return Optional.empty();
        }
        return switch (origin) {
            case Origin.Synced _, Origin.Revived _ -> refused(Prefix.BLOCKED, "event is marked as protected");
            case Origin.Direct(var keys, var _) when keys.contains(event.author()) -> Optional.empty();
            case Origin.Direct(var _, var canAuthenticate)
            when !canAuthenticate -> refused(Prefix.BLOCKED, "event is marked as protected");
            case Origin.Direct(var keys, var _)
            when keys.isEmpty() ->
                refused(
                        Prefix.AUTH_REQUIRED,
                        "event is marked as protected, only its author may publish it: authenticate first");
            case Origin.Direct _ ->
                refused(
                        Prefix.RESTRICTED,
                        "event is marked as protected, and you have authenticated with another key than its author's");
        };
    }

    private static Optional<Refusal> refused(Prefix prefix, String text) {
        return Optional.of(new Refusal(prefix, text));
    }

    private void pass(Event event, Origin origin, CompletableFuture<Admitted> outcome) {
        switch (store.read(view -> policy.judge(new Arrival(event, origin), view))) {
            case Verdict.Refuse(var refusal, var cause, var _) ->
                outcome.complete(new Admitted.Refused(refusal, cause));
            case Verdict.Serve _ -> pass(event, outcome);
            case Verdict.Hold _, Verdict.Keep _, Verdict.Prepare _, Verdict.RefuseWaiting _ ->
                throw new IllegalStateException("ephemeral events are never held");
        }
    }

    /// The answer comes before the event, if its publisher listens to such events as well.
    private void pass(Event event, CompletableFuture<Admitted> outcome) {
        if (!passedOn.add(event.id())) {
            outcome.complete(new Admitted.Repeated());
            return;
        }
        var passage = ephemeral.reserve(event);
        if (passage.isPresent()) {
            outcome.complete(new Admitted.PassedOn());
            passage.get().run();
        } else {
            passedOn.remove(event.id());
            outcome.complete(failed(new Refusal(Prefix.RATE_LIMITED, "slow down")));
        }
    }

    private void save(Arrival arrival, CompletableFuture<Admitted> outcome) {
        var urgency = switch (arrival.origin()) {
            case Origin.Direct _ -> Urgency.REFUSABLE;
            case Origin.Synced _, Origin.Revived _ -> Urgency.WAITING;
        };
        int bytes = arrival.event().json().length();
        store.write(urgency, bytes, transaction -> execution.admit(arrival, transaction), outcome);
    }

    private static Admitted explain(Throwable thrown) {
        var cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        var problem = cause == null ? thrown : cause;
        if (problem instanceof StoreRefusal refusal) {
            return failed(refusal.refusal());
        }
        throw new IllegalStateException("an event could not be decided about", problem);
    }
}
