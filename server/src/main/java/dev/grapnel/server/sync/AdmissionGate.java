package dev.grapnel.server.sync;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.Scheduler;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The gate as sync calls it: each event on a virtual thread of its own, because it may have to wait for a repository
/// or for the store. How many there are at once is bounded by who calls. Decides nothing: what the gate says is put
/// into sync's words, by causes and never by texts (R7.16).
public final class AdmissionGate implements Gate, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionGate.class);

    private final Admission admission;
    private final EventRules rules;
    private final Scheduler loop;
    private final Set<EventId> expected = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("sync-admit-", 0).factory());

    /// @param rules those of the admission, which know when a date is near enough
    public AdmissionGate(Admission admission, EventRules rules, Scheduler loop) {
        this.admission = admission;
        this.rules = rules;
        this.loop = loop;
    }

    /// These events had their time here, and are wanted again (R7.22a).
    public void expect(Set<EventId> ids) {
        expected.addAll(ids);
    }

    /// They are not any more.
    public void expectNoMore(Set<EventId> ids) {
        expected.removeAll(ids);
    }

    @Override
    public void admit(Event event, RemoteUrl relay, Consumer<Ruling> answer) {
        var origin = expected.contains(event.id())
                ? new Origin.Revived(relay.text())
                : new Origin.Synced(Optional.of(relay.text()));
        try {
            threads.execute(() -> admission.admit(new Lane(), event, origin, (admitted, problem) -> {
                var ruling = ruling(event, admitted, problem);
                loop.post(() -> answer.accept(ruling));
            }));
        } catch (RejectedExecutionException _) {
            loop.post(() -> answer.accept(new Ruling.Failed("the server stops")));
        }
    }

    private Ruling ruling(Event event, @Nullable Admitted admitted, @Nullable Throwable problem) {
        if (admitted == null) {
            LOG.error("synced event not decided id={}", event.id(), problem);
            return new Ruling.Failed("internal");
        }
        return switch (admitted) {
            case Admitted.Stored(var outcome) -> ruling(outcome);
            case Admitted.Released _ -> new Ruling.Stored();
            case Admitted.Refused(var refusal, var cause) -> ruling(event, cause, refusal);
            case Admitted.Unprepared _ -> new Ruling.Failed(admitted.message());
            case Admitted.PassedOn _, Admitted.Repeated _ ->
                new Ruling.Refused(Reason.OTHER, true, Refusal.Prefix.INVALID); // never kept
        };
    }

    private static Ruling ruling(SaveOutcome outcome) {
        return switch (outcome) {
            case SaveOutcome.Served _ -> new Ruling.Stored();
            case SaveOutcome.Waiting _ -> new Ruling.Held();
            case SaveOutcome.Gated _ -> new Ruling.Gated();
            case SaveOutcome.Known(var isHeld) -> isHeld ? new Ruling.KnownHeld() : new Ruling.Duplicate();
            case SaveOutcome.Refused(var refusal, var why) ->
                switch (why) {
                    case DELETED -> new Ruling.Deleted();
                    case SUPERSEDED -> new Ruling.Superseded();
                    case SUPERSEDED_BY_HELD -> new Ruling.SupersededByHeld();
                    case FINAL -> new Ruling.Refused(Reason.OTHER, true, refusal.prefix());
                };
        };
    }

    private Ruling ruling(Event event, Cause cause, Refusal refusal) {
        return switch (cause) {
            case DOES_NOT_LIST_SERVICE -> new Ruling.Refused(Reason.DOES_NOT_LIST_SERVICE, false, refusal.prefix());
            case MAINTAINER_NOT_YET_VALID ->
                new Ruling.Refused(Reason.MAINTAINER_NOT_YET_VALID, false, refusal.prefix());
            case STATE_NOT_AUTHORISED -> new Ruling.Refused(Reason.STATE_NOT_AUTHORISED, false, refusal.prefix());
            case ORPHAN -> new Ruling.Refused(Reason.ORPHAN, false, refusal.prefix());
            case DELETED -> new Ruling.Deleted();
            case SUPERSEDED -> new Ruling.Superseded();
            case SUPERSEDED_BY_HELD -> new Ruling.SupersededByHeld();
            case EXPIRED -> new Ruling.Expired();
            case AHEAD -> new Ruling.Ahead(rules.nearFrom(event));
            case FORGED -> new Ruling.Forged();
            case TRANSIENT -> new Ruling.Failed(refusal.toString());
            case FINAL -> new Ruling.Refused(Reason.OTHER, true, refusal.prefix());
        };
    }

    /// Waits for those who are in the gate. To be closed before the store is.
    @Override
    public void close() {
        threads.close();
    }
}
