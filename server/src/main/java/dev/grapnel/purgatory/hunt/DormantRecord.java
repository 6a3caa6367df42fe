package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.Dormant;

/// An event that expired without its objects, and what is kept about it (P-123).
public record DormantRecord(EventId event, Dormant row) {}
