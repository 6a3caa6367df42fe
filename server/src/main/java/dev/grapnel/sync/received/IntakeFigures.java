package dev.grapnel.sync.received;

import dev.grapnel.store.row.RefusedEvent.Reason;
import java.util.Map;

/// How much there is, for metrics and the operator.
///
/// @param hot whole refused events
/// @param cold refusals that are kept without the event
/// @param reasons refusals of both by reason
/// @param refused how many there are in all
/// @param waits things that they wait for
/// @param underWay events that have no outcome yet
/// @param inGate those of them that the gate decides about just now
/// @param seen ids in the seen cache
public record IntakeFigures(
        Map<EventType, Integer> hot,
        Map<EventType, Integer> cold,
        Map<Reason, Integer> reasons,
        int refused,
        int waits,
        int underWay,
        int inGate,
        int seen) {}
