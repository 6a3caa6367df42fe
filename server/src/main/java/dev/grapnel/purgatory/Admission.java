package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.rule.ProtectedEvents;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The one gate every event passes (relay 1.5, 4.9; service 4.1). Form and hash are right already, because the
/// event is an [Event].
///
/// What costs little comes first. That an event is known is found out before its signature is checked, so that
/// floods of known events are cheap; its hash was checked before, so a forged one cannot pass for known.
public final class Admission {
    private static final int EPHEMERAL_IDS_MAX = 10_000;
    private static final Duration EPHEMERAL_TIME = Duration.ofMinutes(5);

    private final EventStore store;
    private final EventRules rules;
    private final AcceptancePolicy policy;
    private final EphemeralFeed ephemeral;
    private final InstantSource clock;
    private final SeenIds passedOn;

    public Admission(
            EventStore store,
            EventRules rules,
            AcceptancePolicy policy,
            EphemeralFeed ephemeral,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.rules = rules;
        this.policy = policy;
        this.ephemeral = ephemeral;
        this.clock = clock;
        this.passedOn = new SeenIds(EPHEMERAL_IDS_MAX, EPHEMERAL_TIME, nanoTime);
    }

    /// Decides about an event. The answer is given once, when it is durable, and before anybody hears of a stored
    /// event; there is a problem instead only if something of ours failed. Events of one caller reach the store in
    /// the order of these calls.
    public void admit(Event event, Origin origin, BiConsumer<@Nullable Admitted, @Nullable Throwable> answer) {
        var outcome = new CompletableFuture<Admitted>();
        var _ = outcome.exceptionally(Admission::explain).whenComplete(answer);
        try {
            var early = judgeEarly(event, origin);
            if (early.isPresent()) {
                outcome.complete(early.get());
            } else if (event.kindClass() == KindClass.EPHEMERAL) {
                pass(event, origin, outcome);
            } else {
                save(event, origin, outcome);
            }
        } catch (RuntimeException | Error problem) { // whoever waits for the answer is told, whatever it is
            outcome.completeExceptionally(problem);
        }
    }

    /// Everything that can be told without the writer.
    private Optional<Admitted> judgeEarly(Event event, Origin origin) {
        return findKnown(event)
                .or(() -> judgeRules(event).map(Admitted.Refused::new))
                .or(() -> judgeSignature(event).map(Admitted.Refused::new))
                .or(() -> judgeProtection(event, origin).map(Admitted.Refused::new));
    }

    private Optional<Admitted> findKnown(Event event) {
        if (event.kindClass() == KindClass.EPHEMERAL) {
            return passedOn.contains(event.id()) ? Optional.of(new Admitted.Repeated()) : Optional.empty();
        }
        return store.read(view -> findKnown(event, view)).map(Admitted.Stored::new);
    }

    private static Optional<SaveOutcome> findKnown(Event event, StoreView view) {
        if (view.isServed(event.id())) {
            return Optional.of(new SaveOutcome.Known(false));
        }
        return view.findHeld(event.id()).map(_ -> new SaveOutcome.Known(true));
    }

    /// That its author took an event back is said before that its date is wrong (service 4.1).
    private Optional<Refusal> judgeRules(Event event) {
        return rules.judge(event, clock.instant())
                .map(refusal -> store.read(view -> view.findObstacle(event)).orElse(refusal));
    }

    private static Optional<Refusal> judgeSignature(Event event) {
        return event.isSigned() ? Optional.empty() : Optional.of(EventDefect.WRONG_SIGNATURE.refusal());
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
            case Origin.Synced _ -> refused(Prefix.BLOCKED, "event is marked as protected");
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
        switch (store.read(view -> policy.judge(event, origin, view))) {
            case AcceptancePolicy.Verdict.Reject(var refusal) -> outcome.complete(new Admitted.Refused(refusal));
            case AcceptancePolicy.Verdict.Hold _ -> throw new IllegalStateException("ephemeral events are never held");
            case AcceptancePolicy.Verdict.Accept _ -> pass(event, outcome);
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
            outcome.complete(new Admitted.Refused(new Refusal(Prefix.RATE_LIMITED, "slow down")));
        }
    }

    private void save(Event event, Origin origin, CompletableFuture<Admitted> outcome) {
        var urgency = switch (origin) {
            case Origin.Direct _ -> Urgency.REFUSABLE;
            case Origin.Synced _ -> Urgency.WAITING;
        };
        store.write(urgency, event.json().length(), transaction -> carryOut(event, origin, transaction), outcome);
    }

    /// A request to vanish is everybody's right, whatever the policy is (relay 4.9).
    private Admitted carryOut(Event event, Origin origin, StoreTransaction transaction) {
        if (event.kind() == Kinds.VANISH) {
            return new Admitted.Stored(transaction.save(event));
        }
        return switch (policy.judge(event, origin, transaction)) {
            case AcceptancePolicy.Verdict.Accept _ -> new Admitted.Stored(transaction.save(event));
            case AcceptancePolicy.Verdict.Hold(var row) -> new Admitted.Stored(transaction.hold(row));
            case AcceptancePolicy.Verdict.Reject(var refusal) -> new Admitted.Refused(refusal);
        };
    }

    private static Admitted explain(Throwable problem) {
        if (problem instanceof StoreRefusal refusal) {
            return new Admitted.Refused(refusal.refusal());
        }
        throw new IllegalStateException("an event could not be decided about", problem);
    }
}
