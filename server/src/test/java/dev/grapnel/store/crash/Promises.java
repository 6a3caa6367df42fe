package dev.grapnel.store.crash;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.nostr.rule.Expiration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Every event that was acknowledged as served or held, and everything that may have taken it away since. Knows
/// nothing of how a store works: an event is there, or somebody asked for what explains that it is not.
final class Promises {
    private final Map<EventId, Event> kept = new HashMap<>();
    private final Map<Address, Version> newest = new HashMap<>();
    private final Map<PublicKey, List<DeletionRequest>> deletions = new HashMap<>();
    private final Map<PublicKey, Long> vanished = new HashMap<>();
    private final Set<EventId> taken = new HashSet<>();

    /// A step is in the store.
    ///
    /// @param outcome what was, or would have been, acknowledged
    void add(Step step, String outcome) {
        taken.addAll(step.leaving());
        for (var event : step.submitted()) {
            if (outcome.startsWith("served") || outcome.startsWith("held")) {
                kept.put(event.id(), event);
                taken.remove(event.id());
            }
            event.findAddress()
                    .ifPresent(address -> newest.merge(
                            address, event.version(), (left, right) -> left.isNewerThan(right) ? left : right));
            switch (event.kind()) {
                case Kinds.DELETION ->
                    deletions
                            .computeIfAbsent(event.author(), _ -> new ArrayList<>())
                            .add(DeletionRequest.parse(event, Integer.MAX_VALUE).require());
                case Kinds.VANISH -> vanished.merge(event.author(), event.createdAt(), Math::max);
                default -> {}
            }
        }
    }

    /// The promises that were not kept. What is gone for a reason is not asked for again.
    List<Event> broken(Collection<EventId> served, Collection<EventId> held, Instant now) {
        var present = new HashSet<>(served);
        present.addAll(held);
        var broken = new ArrayList<Event>();
        for (var event : List.copyOf(kept.values())) {
            if (!present.contains(event.id())) {
                if (!mayBeGone(event, now)) {
                    broken.add(event);
                }
                kept.remove(event.id());
            }
        }
        return broken;
    }

    private boolean mayBeGone(Event event, Instant now) {
        return taken.contains(event.id())
                || event.findAddress()
                        .map(newest::get)
                        .filter(event::isOlderThan)
                        .isPresent()
                || event.createdAt() <= vanished.getOrDefault(event.author(), -1L)
                || Expiration.of(event).require().isOver(now)
                || deletions.getOrDefault(event.author(), List.of()).stream()
                        .anyMatch(request -> request.covers(event));
    }

    /// Events that were promised and not yet taken away.
    int size() {
        return kept.size();
    }
}
