package dev.grapnel.store.crash;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreWork;
import java.util.List;

/// One transaction of a [Workload].
///
/// @param number its place in the order of all transactions, from 1
/// @param submitted the events it wants served or held
/// @param leaving the events it takes away itself: dropped, withdrawn, banned
/// @param work does it, leaves its number in the store, and tells what came of it
record Step(long number, List<Event> submitted, List<EventId> leaving, StoreWork<String> work) {}
