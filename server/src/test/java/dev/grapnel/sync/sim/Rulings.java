package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.RefusedEvent;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Instant;

/// What the answer of the gate means to sync (7.1).
final class Rulings {
    private Rulings() {}

    /// @param view the store afterwards
    static Ruling of(Event event, Admitted admitted, StoreView view) {
        return switch (admitted) {
            case Admitted.Stored(SaveOutcome.Served _), Admitted.Released() -> new Ruling.Stored();
            case Admitted.Stored(SaveOutcome.Waiting _) ->
                view.isServed(event.id()) ? new Ruling.Stored() : new Ruling.Held();
            case Admitted.Stored(SaveOutcome.Gated()) -> new Ruling.Gated();
            case Admitted.Stored(SaveOutcome.Known(var isHeld)) ->
                isHeld ? new Ruling.KnownHeld() : new Ruling.Duplicate();
            case Admitted.Stored(SaveOutcome.Refused(var refusal, var why)) -> refused(why, refusal);
            case Admitted.Refused(var refusal, var cause) -> refused(event, refusal, cause);
            case Admitted.PassedOn(), Admitted.Repeated(), Admitted.Unprepared _ ->
                new Ruling.Failed(admitted.message());
        };
    }

    private static Ruling refused(SaveOutcome.Why why, Refusal refusal) {
        return switch (why) {
            case DELETED -> new Ruling.Deleted();
            case SUPERSEDED -> new Ruling.Superseded();
            case SUPERSEDED_BY_HELD -> new Ruling.SupersededByHeld();
            case FINAL -> new Ruling.Refused(RefusedEvent.Reason.OTHER, true, refusal.prefix());
        };
    }

    private static Ruling refused(Event event, Refusal refusal, Cause cause) {
        return switch (cause) {
            case DOES_NOT_LIST_SERVICE -> waiting(RefusedEvent.Reason.DOES_NOT_LIST_SERVICE, refusal);
            case MAINTAINER_NOT_YET_VALID -> waiting(RefusedEvent.Reason.MAINTAINER_NOT_YET_VALID, refusal);
            case STATE_NOT_AUTHORISED -> waiting(RefusedEvent.Reason.STATE_NOT_AUTHORISED, refusal);
            case ORPHAN -> waiting(RefusedEvent.Reason.ORPHAN, refusal);
            case DELETED -> new Ruling.Deleted();
            case SUPERSEDED -> new Ruling.Superseded();
            case SUPERSEDED_BY_HELD -> new Ruling.SupersededByHeld();
            case EXPIRED -> new Ruling.Expired();
            case AHEAD ->
                new Ruling.Ahead(Instant.ofEpochSecond(event.createdAt()).minus(EventRules.DEFAULTS.aheadMax()));
            case FORGED -> new Ruling.Forged();
            case TRANSIENT -> new Ruling.Failed(refusal.toString());
            case FINAL -> new Ruling.Refused(RefusedEvent.Reason.OTHER, true, refusal.prefix());
        };
    }

    private static Ruling waiting(RefusedEvent.Reason reason, Refusal refusal) {
        return new Ruling.Refused(reason, false, refusal.prefix());
    }
}
